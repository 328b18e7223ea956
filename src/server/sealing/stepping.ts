// The steps of a scope on its way to being sealed and back, each in one transaction under the scope's lock. Which step leads where is
// sync/sealing/scope-state.ts; counting what is left before the transaction is left-count.ts.
import type { Id } from '#core/ids.ts';
import { isRecord, readJson } from '#core/json.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { flattened, noteDocOf } from '#sync/notes/note.ts';
import type { Row } from '#sync/rows/row.ts';
import { listsIn, withLists } from '#sync/sealing/directory.ts';
import {
  hasLists,
  positionOf,
  scopePhases,
  stepped,
  type ScopePhase,
  type ScopeSealing,
} from '#sync/sealing/scope-state.ts';
import type { SealingStep } from '#wire/sealing.ts';
import type { ScopeRecord, SealingRecord, WriteTransaction } from '../data/store.ts';
import { SEALING_PROTOCOL } from '../sync/readership.ts';
import { leftOf, type Left } from './left-count.ts';

/** Why nothing was changed. `again`: so much was written meanwhile that what is left has to be counted again. */
export type StepRefusal =
  | { readonly type: 'moved'; readonly now: ScopeSealing }
  | { readonly type: 'unfinished'; readonly left: number }
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'conflict'; readonly message: string }
  | { readonly type: 'again' };

/** Rows that are looked at within the transaction at most. */
const MOST_RECHECKED = 5_000;

const invalid = (message: string) => failed({ type: 'invalid', message } as const);
const conflict = (message: string) => failed({ type: 'conflict', message } as const);

/** What the server reads in a directory. */
export interface DirectoryHead {
  readonly n: number;
  readonly state: ScopeSealing;
  /** The public key of the scope's inbox, as text; null: the directory has none. */
  readonly inbox: string | null;
}

/** Directories that are written at once by other devices, and were lost with a backup: many more would leave no number for others. */
const MOST_NUMBERS = 1_000_000;

/** Whether a directory may follow the one with this number. */
export const isNextNumber = (n: number, number: number): boolean => n > number && n <= number + MOST_NUMBERS;

/** Number, state and inbox in the body of a directory; null: it has none. */
export function headOfDirectory(body: string): DirectoryHead | null {
  const read = readJson(body);
  if (!isRecord(read) || !isRecord(read['state'])) return null;
  const { n, state } = read;
  const { phase, generation } = state as { readonly phase?: unknown; readonly generation?: unknown };
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  const lists = listsIn(state);
  if (!isCount(n) || !isCount(generation) || !scopePhases.some((each) => each === phase)) return null;
  if (lists === null) return null;
  const inbox = typeof read['inbox'] === 'string' ? read['inbox'] : null;
  return { n, state: withLists({ phase: phase as ScopePhase, generation }, lists), inbox };
}

/** From where the state of a directory is reached again by a server that has lost it. */
function caughtUp(now: ScopeSealing, told: ScopeSealing): ScopeSealing | null {
  if (positionOf(told) <= positionOf(now)) return null;
  const { generation } = told;
  const phase = told.phase === 'sealed' || told.phase === 'sealing' ? 'sealing' : 'unsealing';
  const next = { phase, generation } as const;
  return positionOf(next) > positionOf(now) ? next : null;
}

/** Wraps after changes; null: there is no way to the keys any more, or too many. */
export function changedWraps(
  wraps: SealingRecord['wraps'],
  changes: Readonly<Record<string, string | null>>,
  most: number,
): SealingRecord['wraps'] | null {
  const after = Object.entries({ ...wraps, ...changes }).filter(
    (each): each is [string, string] => each[1] !== null,
  );
  return after.length > most ? null : Object.fromEntries(after);
}

/** A scope in a transaction. */
export interface Stepping {
  readonly scope: ScopeRecord;
  readonly record: SealingRecord;
  readonly asked: SealingStep;
  /** Of the state that is left by `finish`. */
  readonly counted: Left | null;
}

/** Lists and tasks of one scope that are on their way at most. */
const MOST_LISTS = 100;

/** Other lists of a sealed scope are on their way. All of them are dropped at once, when nothing of them is open any more. */
function steppedLists(
  now: ScopeSealing,
  told: ScopeSealing,
  left: number,
): Result<ScopeSealing, StepRefusal> {
  if (now.phase !== 'sealed' || positionOf(now) !== positionOf(told))
    return invalid('Lists are opened in a scope that is sealed.');
  const [before, after] = [now.lists ?? {}, told.lists ?? {}];
  const isDropped = Object.keys(before).some((id) => !Object.hasOwn(after, id));
  const areClosed = Object.values(before).every((way) => way === 'close');
  if (isDropped && !(areClosed && Object.keys(after).length === 0))
    return invalid('What was opened is sealed again first.');
  if (Object.keys(after).length > MOST_LISTS)
    return conflict('Too many lists are on their way. Try again later.');
  return isDropped && left > 0 ? failed({ type: 'unfinished', left }) : ok(withLists(now, after));
}

/** Whether everything that was opened has to be sealed again for this. */
export const dropsLists = (now: ScopeSealing, { step, directory }: SealingStep): boolean =>
  step === 'lists' && hasLists(now) && headOfDirectory(directory.body)?.state.lists === undefined;

/** The state that a step leads to. */
export async function nextState(
  tx: WriteTransaction,
  { scope, record, asked, counted }: Stepping,
): Promise<Result<ScopeSealing, StepRefusal>> {
  const { state: now } = record;
  const areOthers = asked.wrapsVersion !== undefined && asked.wrapsVersion !== record.wrapsVersion;
  if (positionOf(now) !== positionOf(asked.from) || areOthers) return failed({ type: 'moved', now });
  const head = headOfDirectory(asked.directory.body);
  if (head === null) return invalid("The directory isn't one.");
  if (!isNextNumber(head.n, record.number)) return failed({ type: 'moved', now });
  if (asked.step === 'catch-up') {
    const next = caughtUp(now, head.state);
    return next === null ? invalid('The directory is not ahead of this server.') : ok(next);
  }
  let left = 0;
  if (counted !== null) {
    const since = await tx.rowsSince(scope.id, counted.version, MOST_RECHECKED + 1);
    if (since.length > MOST_RECHECKED) return failed({ type: 'again' });
    left = counted.left + since.reduce((sum, row) => sum + leftOf(now, row), 0);
  }
  if (asked.step === 'lists') return steppedLists(now, head.state, left);
  if (hasLists(now) || (hasLists(head.state) && asked.step !== 'finish'))
    return conflict('A list is on its way out of your encrypted lists or back. Try again in a few minutes.');
  const next = stepped(now, asked.from, { step: asked.step, left });
  if (!next.ok) {
    const { problem } = next;
    return problem.type === 'not-now' ? invalid("That doesn't lead on from this state.") : failed(problem);
  }
  const isSaid = positionOf(head.state) === positionOf(next.value);
  return isSaid ? next : invalid('The directory says another state than the step leads to.');
}

/** What keeps a scope from being sealed for now; null: nothing. */
export async function hindrance(tx: WriteTransaction, scope: Id): Promise<Result<null, StepRefusal>> {
  const transfers = await tx.transfers();
  const roots = await tx.living(transfers.map(({ root }) => root));
  if (transfers.some(({ from, root }) => from === scope || roots.get(root) === scope))
    return conflict('A list is still on its way. Try again in a few minutes.');
  if ((await tx.parked(scope)).length > 0)
    return conflict('This server still waits for what your devices bring back after a restore.');
  return ok(null);
}

/** Whether everything of a list that stays encrypted is in its scope by now: what comes later would stay as it was sealed elsewhere. */
export async function isArrived(tx: WriteTransaction, { id, root }: ScopeRecord): Promise<boolean> {
  if (root === undefined) return true;
  const roots = await tx.living([root]);
  return roots.get(root) === id && !(await tx.transfers()).some((transfer) => transfer.root === root);
}

/** Whether some of these lists are still on their way: what comes later has to be brought into the form of the scope as well. */
export async function areOnTheWay(tx: WriteTransaction, lists: readonly string[]): Promise<boolean> {
  return lists.length > 0 && (await tx.transfers()).some(({ root }) => lists.includes(root));
}

/** What a step writes besides the state. */
export interface StepWritten {
  readonly after: ScopeRecord;
  readonly rows: readonly Row[];
}

/** Writes the step: from then on devices of this protocol alone may read the scope, and its notes merge on devices. */
export async function writeStep(
  tx: WriteTransaction,
  { scope, record }: Pick<Stepping, 'scope' | 'record'>,
  { generation }: { readonly generation: number },
): Promise<StepWritten> {
  const { id } = scope;
  const version = scope.version + 1;
  const digest = new DigestSum(scope.digest);
  const merging = record.state.phase === 'plain' ? [] : await tx.mergingNotes(id);
  const noted = merging.filter((row) => noteDocOf(row) !== undefined);
  for (const row of noted) {
    digest.remove(row.id, row.version);
    digest.add(row.id, version);
  }
  const rows = noted.map((row) => flattened(row, version));
  if (record.state.generation > 0) await tx.raiseMinSchema(id, SEALING_PROTOCOL);
  await tx.saveSealing(id, record);
  const after = { ...scope, version, digest: digest.value, generation, sealing: record.state };
  const ended = { scope: id, generation: scope.generation, maxVersion: scope.version };
  await tx.save({
    scopes: [after],
    scopeGenerations: scope.generation === generation ? [] : [ended],
    rows,
    tombstones: [],
    devices: [],
    results: [],
    forgetResults: [],
    history: [],
  });
  return { after, rows };
}
