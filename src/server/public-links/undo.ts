// Takes back what visitors did by a link: the history says what it was, newest first, and each part only goes where nobody has
// changed it since. It is written by the device of the link, whose writes it undoes.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, registerStamp, type Row, type Stamp } from '#sync/rows/row.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { HistoryEntry, Store } from '../data/store.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { StoredLink } from './links.ts';
import { linkDevice } from './visits.ts';

/** What undoing needs. */
export interface UndoPorts {
  readonly store: Pick<Store, 'history'>;
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly newId: () => Id;
}

interface Undoing {
  readonly actor: AccountActor;
  readonly link: StoredLink;
  readonly since: number;
}

const PAGE = 500;
/** Far more than the limits of a link let happen within a day. */
const MOST_ENTRIES = 20_000;

async function visitsSince({ store }: UndoPorts, { link, since }: Undoing): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  let before: number | undefined;
  for (let read = 0; read < MOST_ENTRIES; read += PAGE) {
    const page = await store.history(link.scope, {
      limit: PAGE,
      isRecent: true,
      ...(before === undefined ? {} : { before }),
    });
    for (const entry of page)
      if (entry.at >= since && 'via' in entry.operation && entry.operation.via?.link === link.id)
        found.push(entry);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || last.at < since) break;
    before = last.version;
  }
  return found;
}

/** What a task held before a run of writes, if the last of them still stands. */
interface Run {
  readonly id: Id;
  readonly register: string;
  /** The last write. */
  readonly last: HistoryEntry;
  before: unknown;
}

const beforeOf = ({ before, operation: { id } }: HistoryEntry, register: string): unknown =>
  before.find((part) => part.id === id)?.fields?.[register] ?? null;

/** The register that an operation of a visitor wrote, and what it wrote there; null: it made a task. */
function writtenBy({ operation }: HistoryEntry): readonly [register: string, value: unknown] | null {
  switch (operation.a) {
    case 'set':
      return [operation.field, operation.value ?? null];
    case 'complete':
      return ['status', { done: operation.at }];
    case 'reopen':
      return ['status', null];
    default:
      return null;
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Writes of one register that followed each other, as one. What others wrote between ends a run. `entries`: newest first. */
function runsOf(entries: readonly HistoryEntry[]): readonly Run[] {
  const runs = new Map<string, Run>();
  for (const entry of entries) {
    const written = writtenBy(entry);
    if (written === null) continue;
    const [register, value] = written;
    const { id } = entry.operation;
    const run = runs.get(`${id} ${register}`);
    const before = beforeOf(entry, register);
    if (run === undefined) runs.set(`${id} ${register}`, { id, register, last: entry, before });
    else if (isSame(run.before, value)) run.before = before;
  }
  return [...runs.values()];
}

const isStanding = ([, , device, seq]: Stamp, entry: HistoryEntry) =>
  device === entry.device && seq === entry.operation.q;

/** The action that puts back what was before a run; null: somebody has written since. */
function undone({ id, register, last, before }: Run, row: Row | undefined): Action | null {
  if (row === undefined || !isStanding(registerStamp(row, register), last)) return null;
  return { a: 'set', id, field: register, value: before };
}

/** The action that takes a new task away; null: it is in the trash, or somebody else has written in it. */
function unmade({ operation: { id }, device }: HistoryEntry, row: Row | undefined): Action | null {
  if (row === undefined || (fieldOf(row, 'del') ?? null) !== null) return null;
  const stamps = [row.stamp, ...Object.values(row.stamps ?? {})];
  return stamps.every(([, , by]) => by === device) ? { a: 'delete', id } : null;
}

async function carriedOut(
  ports: UndoPorts,
  { actor, link: { id: link, scope } }: Undoing,
  of: { readonly id: Id; readonly decide: (row: Row | undefined) => Action | null },
): Promise<boolean> {
  let hasDone = false;
  const refused = await ports.exchange.carryOut(actor, linkDevice(link, actor.account), {
    scopes: [scope],
    want: { rows: [{ scope, id: of.id }], ancestors: [], siblings: [] },
    decide(view) {
      const action = of.decide(view.row(scope, of.id));
      hasDone = action !== null;
      return action === null ? [] : [{ scope, action, u: ports.newId(), x: ports.newId(), g: ports.newId() }];
    },
  });
  return refused === null && hasDone;
}

/** Resolves with the number of values that were put back and tasks that were taken away. */
export async function undoVisits(ports: UndoPorts, undoing: Undoing): Promise<number> {
  const entries = await visitsSince(ports, undoing);
  const made = entries.filter(({ operation }) => operation.a === 'create');
  const isMade = new Set(made.map(({ operation }) => operation.id));
  let count = 0;
  for (const entry of made) {
    const decide = (row: Row | undefined) => unmade(entry, row);
    if (await carriedOut(ports, undoing, { id: entry.operation.id, decide })) count += 1;
  }
  for (const run of runsOf(entries)) {
    if (isMade.has(run.id)) continue;
    const decide = (row: Row | undefined) => undone(run, row);
    if (await carriedOut(ports, undoing, { id: run.id, decide })) count += 1;
  }
  return count;
}
