// Does one run that a program asked for: with what the server has by then, on the tasks it names, and as one undo of this device.
// What came of it is a sentence and numbers; the server passes it on.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { runLimits, type RunOutcome, type TakenRun } from '#wire/macro-runs.ts';
import type { Program } from '../app/program.ts';
import { lazyMacros } from '../macros/lazy.ts';
import { type Macro } from '../macros/macro.ts';
import { macros } from '../macros/part.ts';
import type { End } from '../macros/running.ts';
import { quoted } from '../text/editor.ts';
import { type MacroRunsPort, stopped } from './port.ts';
import { programsMayRun } from './setting.ts';

/** How long it waits for news of the server, and for a task that it does not have yet. */
const NEWS_MS = 5_000;
const LOOK_MS = 50;
const PAUSES_MS = [0, 1_000, 5_000, 20_000];

/** What changed here while it ran, by row: as it was. */
type Before = ReadonlyMap<Id, RowChange['before']>;

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
    const before = new Map<Id, RowChange['before']>();
    const unsubscribe = program.replica.subscribe((changes, cause) => {
      if (cause !== 'local') return;
      for (const change of changes) if (!before.has(change.id)) before.set(change.id, change.before);
    });
    const end = await new Promise<End>((resolve) => {
      program.act(() => {
        const by = `for ${run.program}`;
        program.workspace.held = run.tasks;
        const begun = runMacro(program.part(macros), macro, new Map(run.values), { ended: resolve, by });
        program.workspace.held = null;
        if (begun.type === 'refused') resolve({ type: 'stopped', at: '', reason: begun.reason });
      });
    });
    unsubscribe();
    return { ...countsOf(before, program.replica), ...said(macro, end), changes: [] };
  }

  /** Tried on a copy. */
  #try(macro: Macro, _run: TakenRun): Promise<RunOutcome> {
    return Promise.resolve(
      stopped(`This version of the app can’t try macros yet, so it didn’t try ${quoted(macro.name)}.`),
    );
  }

  /** Resolves when that is so, or after a while. */
  async #until(isSo: () => boolean): Promise<void> {
    for (let waitedMs = 0; waitedMs < NEWS_MS && !isSo(); waitedMs += LOOK_MS) await this.#pause(LOOK_MS);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#program.platform.after(ms, resolve));
  }
}

/** A completed occurrence says nothing that its task does not say. */
const UNTOLD: ReadonlySet<string> = new Set(['completion', 'member', 'mount']);

/** How many things were changed, made and deleted. */
function countsOf(
  before: Before,
  { row }: Pick<Replica, 'row'>,
): Pick<RunOutcome, 'changed' | 'created' | 'deleted'> {
  const kinds = new Map<Id, 'changed' | 'created' | 'deleted'>();
  for (const [id, was] of before) {
    const is = row(id);
    const known = is ?? was;
    if (known === undefined || UNTOLD.has(known.type)) continue;
    const isHere = is !== undefined && !isTrashed(is);
    const wasHere = was !== undefined && !isTrashed(was);
    if (known.type === 'mine') {
      if (!kinds.has(known.fields.of)) kinds.set(known.fields.of, 'changed');
    } else if (isHere) kinds.set(id, was === undefined ? 'created' : 'changed');
    else if (wasHere) kinds.set(id, 'deleted');
  }
  const count = (kind: string) => [...kinds.values()].filter((each) => each === kind).length;
  return { changed: count('changed'), created: count('created'), deleted: count('deleted') };
}

function said(macro: Macro, end: End): Pick<RunOutcome, 'state' | 'message'> {
  if (end.type === 'ran') return { state: 'done', message: null };
  const reason =
    end.type === 'left'
      ? `${quoted(macro.name)} was stopped by hand, or what it needs could not be loaded.`
      : `${quoted(macro.name)} stopped${end.at}: ${end.reason}`;
  return { state: 'stopped', message: reason.slice(0, runLimits.text) };
}
