// Macros that programs run through the API: this device takes what waits, one after the other, whenever its person is not in the
// middle of something. How a run is done is doing.ts, a lazy part. Nothing is taken unless the person lets programs run macros.
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { macros } from '../macros/part.ts';
import type { Doing } from './doing.ts';
import { lazyRuns } from './lazy.ts';
import { type MacroRunsPort, stopped } from './port.ts';
import { programsMayRun } from './setting.ts';

class MacroRunner implements PartHooks {
  readonly #program: Program;
  #port: MacroRunsPort | null = null;
  #stop: (() => void) | null = null;
  /** A run may wait. */
  #isAsked = false;
  #isBusy = false;
  #isClosed = false;

  constructor(program: Program) {
    this.#program = program;
    if (program.replica.account !== 0) this.#listen();
  }

  #listen(): void {
    this.#program.platform.account.live().then(
      (ports) => {
        if (this.#isClosed) return;
        const port = ports.macroRuns();
        this.#port = port;
        this.#stop = port.listen(() => {
          this.#isAsked = true;
          this.#look();
        });
      },
      // Without it other devices run them, until the app is opened again.
      () => undefined,
    );
  }

  draw(): void {
    if (this.#isAsked) this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
  }

  /** The person writes, answers or searches nothing, and waits for nothing. */
  get #isFree(): boolean {
    const { editor, dialog, palette, pane, inputQueue } = this.#program;
    const isWriting = editor.title !== null || pane === 'notes' || pane === 'search';
    const isAnswering = dialog.get() !== null || palette.isOpen;
    return !isWriting && !isAnswering && !inputQueue.isWaiting && !this.#program.part(macros).isRunning;
  }

  #look(): void {
    const port = this.#port;
    const mayRun = this.#program.settings.get(programsMayRun);
    if (port === null || this.#isBusy || this.#isClosed || !mayRun || !this.#isFree) return;
    this.#isAsked = false;
    this.#isBusy = true;
    void this.#takeNext(port).finally(() => {
      this.#isBusy = false;
      if (this.#isAsked) this.#look();
    });
  }

  async #takeNext(port: MacroRunsPort): Promise<void> {
    const doing = await this.#ready();
    // What cannot be loaded here may be elsewhere: another device takes it, or its minute passes.
    if (doing === null) return;
    if (this.#isClosed || !this.#isFree) {
      this.#isAsked = true;
      return;
    }
    const run = await port.take();
    if (run === null) return;
    // Another may wait behind it.
    this.#isAsked = true;
    try {
      await doing.tell(port, run.id, await doing.run(run));
    } catch (error) {
      await doing.tell(port, run.id, stopped('Something went wrong on the device. Look at the tasks.'));
      throw error;
    }
  }

  /** Null: something that it needs cannot be loaded. */
  async #ready(): Promise<Doing | null> {
    try {
      const doing = new (await lazyRuns.load()).Doing(this.#program);
      await doing.prepare();
      return doing;
    } catch {
      return null;
    }
  }
}

/** Macros that programs run. */
export const macroRuns = definePart({
  name: 'Macros of programs',
  create: (program): PartHooks => new MacroRunner(program),
  settings: [programsMayRun],
});
