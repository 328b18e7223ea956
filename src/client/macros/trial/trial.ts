// Tries a macro: runs it, with the very code that runs macros, in an app that nobody sees on rows that are thrown away (apart.ts,
// quiet-platform.ts), and says what would change. What the person has, sees and selected stays as it is.
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { IsOver } from '#sync/query/scan.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { createApp } from '../../app/create-app.ts';
import { definePart } from '../../app/part.ts';
import { within } from '../../app/portions.ts';
import type { Program } from '../../app/program.ts';
import { findingOf, textIndexOf } from '../../search/searching.ts';
import { smartLists } from '../../search/smart-lists.ts';
import { taskClipboard } from '../../transfer/task-clipboard.ts';
import type { Macro } from '../macro.ts';
import { type End, type Macros, runMacro } from '../running.ts';
import type { Values } from '../variables.ts';
import { type EngineApart, engineApart } from './apart.ts';
import { type OutcomeRow, outcomeOf } from './outcome.ts';
import { quietPlatform } from './quiet-platform.ts';

/** What would come of a macro. */
export interface Trial {
  readonly end: End;
  readonly rows: readonly OutcomeRow[];
  /** The rows as they would be, for the names in what is said of them. */
  readonly replica: Replica;
}

/** An app that nobody sees, without rows until it is filled. */
interface Stage {
  readonly program: Program;
  readonly filling: EngineApart['filling'];
  close(): Promise<void>;
}

/** How a trial goes on while it is prepared. */
export interface Preparing {
  /** Told from 0 to 1, as rows are read. */
  readonly told?: (share: number) => void;
  /** Nobody waits for it any more. */
  readonly isLeft?: () => boolean;
}

/** Nothing is held up for longer than this. */
const PORTION_MS = 8;
/** Of these, the text is read at once. */
const TEXTS = 200;

/** Null: rows are still being read. */
function stageFor(program: Program): Stage | null {
  const apart = engineApart(program.engine);
  if (apart === null) return null;
  const { engine, filling } = apart;
  let found: Program | null = null;
  const seen = definePart({
    name: 'Trial',
    create(own) {
      found = own;
      return {};
    },
  });
  const app = createApp({ engine, platform: quietPlatform(program.platform), parts: [seen] });
  const own: Program = must(found as Program | null, 'the part has been created');
  return { program: own, filling, close: () => app.close() };
}

/** Does work in portions, between which keys and frames come. False: nobody waits for it any more. */
async function inPortions(
  { replica, later }: Pick<Program, 'replica' | 'later'>,
  work: (isOver: IsOver) => boolean,
  isLeft: () => boolean,
): Promise<boolean> {
  while (!work(within(replica, PORTION_MS))) {
    await new Promise<void>((resolve) => later(resolve));
    if (isLeft()) return false;
  }
  return true;
}

/** Brings all rows, and their texts where something searches them. */
async function fill(
  { program: own, filling }: Stage,
  { program, seeks }: { readonly program: Program; readonly seeks: boolean },
  { told, isLeft = () => false }: Preparing,
): Promise<boolean> {
  const turns = { replica: program.replica, later: (work: () => void) => program.later(work) };
  const isFilled = await inPortions(
    turns,
    (isOver) => {
      const isDone = own.act(() => filling.fill(isOver));
      if (!isDone) told?.(filling.share);
      return isDone;
    },
    isLeft,
  );
  const index = textIndexOf(own);
  const read = (isOver: IsOver) => {
    do index.readSome(TEXTS);
    while (!index.isReady && !isOver());
    return index.isReady;
  };
  // Smart lists ask them, also those that a step opens.
  return isFilled && (!seeks || (await inPortions(turns, read, isLeft)));
}

/** Opens what is open, and selects what is selected. */
function standAs(own: Program, program: Program): void {
  const { workspace, query, pane, sidebar, notesOpen } = program;
  if (workspace.away.showsSnoozed) own.show(own.workspace.away.showSnoozed(true));
  own.workspace.open(workspace.place);
  // Back and forward lead where they lead here.
  own.workspace.visits.take(workspace.visits);
  if (workspace.results !== null && query !== null) findingOf(own).find(query);
  // What fills in portions is needed now.
  if (own.part(smartLists).open !== null) own.part(smartLists).wake();
  own.catchUp();
  const { outline, selection } = own.workspace;
  const { cursor } = workspace;
  if (cursor !== null && outline.has(cursor)) selection.put(outline, cursor);
  for (const id of workspace.selection.first(workspace.selection.size))
    if (outline.has(id) && !selection.has(id)) selection.toggle(id);
  own.pane = pane;
  own.notesOpen = notesOpen;
  own.sidebar.cursor = sidebar.cursor;
  own.sidebar.showsArchived = sidebar.showsArchived;
  own.part(taskClipboard).taken = program.part(taskClipboard).taken;
  const { last } = findingOf(program);
  if (last !== null) findingOf(own).remember(last);
}

/** Whether it goes somewhere, or may by running another macro. */
const opens = (macros: Pick<Macros, 'program' | 'find'>, { steps }: Macro): boolean =>
  steps.some(
    (step) =>
      step.type === 'command' &&
      (macros.program.commands.get(step.command)?.group === 'Go to' || macros.find(step.command) !== null),
  );

/** Follows what changes from now on. */
function watch({ replica }: Program): ReadonlyMap<Id, Row | undefined> {
  const before = new Map<Id, Row | undefined>();
  replica.subscribe((changes) => {
    for (const change of changes) if (!before.has(change.id)) before.set(change.id, change.before);
  });
  return before;
}

/**
 * What a macro would come to on what is selected now; null: rows are still being read, or nobody waits for it any more. `macros`:
 * those that it may run, with everything loaded. What is being typed counts once it was committed.
 */
export async function dryRun(
  macros: Pick<Macros, 'program' | 'find'>,
  macro: Macro,
  given: Values,
  preparing: Preparing = {},
): Promise<Trial | null> {
  const seen = macros.program;
  const targets = seen.workspace.targets();
  const stage = stageFor(seen);
  if (stage === null) return null;
  const { program } = stage;
  try {
    const seeks = opens(macros, macro) || seen.part(smartLists).open !== null;
    if (!(await fill(stage, { program: seen, seeks }, preparing))) return null;
    program.act(() => standAs(program, seen));
    const before = watch(program);
    const end = await new Promise<End>((resolve) => {
      const own: Macros = {
        program,
        isRunning: false,
        isLoaded: true,
        load: () => Promise.resolve(),
        find: (command) => macros.find(command),
      };
      program.workspace.held = targets;
      const begun = runMacro(own, macro, given, { ended: resolve, isKnown: true });
      program.workspace.held = null;
      if (begun.type === 'refused') resolve({ type: 'stopped', at: '', reason: begun.reason });
    });
    // Changes that follow in later frames are part of it.
    while (program.batchesLeft > 0) program.catchUp();
    return { end, rows: outcomeOf(before, program.replica), replica: program.replica };
  } finally {
    await stage.close();
  }
}
