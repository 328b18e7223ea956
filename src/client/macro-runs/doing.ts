// Does one run that a program asked for: with what the server has by then, on the tasks it names, and as one undo of this device.
// What came of it is a sentence and numbers; the server passes it on.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { RunOutcome, TakenRun } from '#wire/macro-runs.ts';
import type { Program } from '../app/program.ts';
import { lazyMacros } from '../macros/lazy.ts';
import { type Macro } from '../macros/macro.ts';
import { macros } from '../macros/part.ts';
import type { End } from '../macros/running.ts';
import { lazyTrial } from '../macros/trial/lazy.ts';
import { outcomeOf } from '../macros/trial/outcome.ts';
import { quoted } from '../text/editor.ts';
import { changesOf, outcome } from './outcomes.ts';
import { type MacroRunsPort, stopped } from './port.ts';
import { programsMayRun } from './setting.ts';

/** How long it waits for news of the server, and for a task that it does not have yet. */
const NEWS_MS = 5_000;
const LOOK_MS = 50;
const PAUSES_MS = [0, 1_000, 5_000, 20_000];

export class Doing {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Resolves once everything that a macro needs is here, with what the server had at the time of the call. */
  async prepare(): Promise<void> {
    const { engine, undo } = this.#program;
    const shelf = this.#program.part(macros);
    await engine.loaded();
    await Promise.all([lazyMacros.load(), shelf.load(), undo.load()]);
    const { heardAt } = engine.facts();
    engine.nudge();
    await this.#until(() => engine.facts().heardAt !== heardAt);
  }

  /** Never rejects: what a macro cannot do is told. */
  async run(run: TakenRun): Promise<RunOutcome> {
    const program = this.#program;
    const macro = program.part(macros).get(run.macro);
    if (macro === null) return stopped('This device doesn’t have the macro.');
    if (!macro.takesLinks || !program.settings.get(programsMayRun))
      return stopped(`Programs may not run ${quoted(macro.name)}.`);
    const isHere = (id: Id) =>
      program.workspace.exists({ type: 'task', id }) && program.replica.row(id)?.type === 'task';
    await this.#until(() => run.tasks.every(isHere));
    const missing = run.tasks.filter((id) => !isHere(id)).length;
    if (missing > 0) return stopped(`This device doesn’t have ${counted(missing, 'task')} of them.`);
    return run.isDry ? this.#try(macro, run) : this.#do(macro, run);
  }

  /** Tells the server, several times if it does not answer. */
  async tell(port: MacroRunsPort, id: Id, outcome: RunOutcome): Promise<void> {
    for (const pauseMs of PAUSES_MS) {
      await this.#pause(pauseMs);
      if (await port.tell(id, outcome)) return;
    }
  }

  async #do(macro: Macro, run: TakenRun): Promise<RunOutcome> {
    const program = this.#program;
    const { runMacro } = await lazyMacros.load();
    const before = new Map<Id, Row | undefined>();
    const unsubscribe = program.replica.subscribe((changes, cause) => {
      if (cause !== 'local') return;
      for (const change of changes) if (!before.has(change.id)) before.set(change.id, change.before);
    });
    const end = await new Promise<End>((resolve) => {
      const by = `for ${run.program}`;
      const begun = this.#on(run.tasks, () =>
        runMacro(program.part(macros), macro, new Map(run.values), { ended: resolve, by }),
      );
      if (begun.type === 'refused') resolve({ type: 'stopped', at: '', reason: begun.reason });
    });
    unsubscribe();
    return outcome(macro, end, outcomeOf(before, program.replica));
  }

  /** Tried on rows that are thrown away. */
  async #try(macro: Macro, run: TakenRun): Promise<RunOutcome> {
    const program = this.#program;
    const { dryRun } = await lazyTrial.load();
    const trial = await this.#on(run.tasks, () => dryRun(program.part(macros), macro, new Map(run.values)));
    if (trial === null) return stopped('This device is still reading its tasks. Try again.');
    const { end, rows, replica } = trial;
    return { ...outcome(macro, end, rows), changes: [...changesOf(program, rows, replica)] };
  }

  /** Begins something that is about these tasks, not about the selection. */
  #on<T>(tasks: readonly Id[], begin: () => T): T {
    const { workspace } = this.#program;
    return this.#program.act(() => {
      workspace.held = tasks;
      try {
        return begin();
      } finally {
        workspace.held = null;
      }
    });
  }

  /** Resolves when that is so, or after a while. */
  async #until(isSo: () => boolean): Promise<void> {
    for (let waitedMs = 0; waitedMs < NEWS_MS && !isSo(); waitedMs += LOOK_MS) await this.#pause(LOOK_MS);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#program.platform.after(ms, resolve));
  }
}
