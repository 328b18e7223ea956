// Custom JavaScript as a part of the app, for clients that can keep and run it: the web app brings none (a test holds it to
// that). Its switch is of this device, so it is never synced, imported or exported.
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import { toggle } from '../settings/setting.ts';
import type { CustomApi } from './api.ts';
import { ApiMaker, wordsOf } from './create-api.ts';
import { CodeLoader } from './loader.ts';

/** What the client has to bring: where the code lies, and how it runs. */
export interface CustomCodePort {
  /** Shift was held as the app started. */
  readonly isShiftHeld: boolean;
  /** The code as it lies on this device; null: there is none. */
  read(): Promise<string | null>;
  /** Runs it with the API. Rejects with what the code throws. */
  run(code: string, api: CustomApi): Promise<void>;
}

/** Off on every device until somebody turns it on there. */
export const customCodeOn = toggle({
  key: 'customCode',
  title: 'Custom JavaScript',
  help: 'Runs your own code after the app has started. It can see and change every task.',
  tab: 'Behavior',
  aliases: ['own code', 'scripts', 'plugins'],
  scope: 'device',
  fallback: false,
});

class CustomCode implements PartHooks {
  readonly #program: Program;
  readonly #maker: ApiMaker;
  readonly #loader: CodeLoader;
  readonly #unsubscribe: () => void;

  constructor(program: Program, port: CustomCodePort) {
    const { settings, platform } = program;
    this.#program = program;
    this.#maker = new ApiMaker(program);
    const { api } = this.#maker;
    this.#loader = new CodeLoader({
      isOn: () => settings.get(customCodeOn),
      turnOff: () => settings.keep(customCodeOn, false),
      isSafe: platform.isSafe || port.isShiftHeld,
      memory: platform.preferences,
      read: () => port.read(),
      run: (code) => port.run(code, api),
      after: (delayMs, work) => program.after(delayMs, work),
      say: (text, isError) => program.act(() => program.say(text, { error: isError })),
      wordsOf,
    });
    const isOn = settings.signal(customCodeOn);
    this.#unsubscribe = isOn.subscribe(() => {
      if (isOn.get()) this.#loader.forgive();
    });
  }

  /** The first screen and all commands are there. */
  idle(): void {
    this.#program.inputQueue.bring().then(
      () => this.#loader.start(),
      // Without its commands the app is not whole: the next start runs the code.
      () => undefined,
    );
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    this.#maker.changed(changes, cause);
  }

  close(): void {
    this.#unsubscribe();
    this.#loader.close();
  }
}

/** The part of a client that has custom JavaScript: given to `createApp` among its `parts`. */
export function customCode(port: CustomCodePort): Part {
  return definePart({
    name: 'Custom JavaScript',
    create: (program) => new CustomCode(program, port),
    settings: [customCodeOn],
  });
}
