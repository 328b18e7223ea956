// Lists and tasks on their way out of a sealed scope and back, on a device with the key: opens the rows of what is to leave, and seals again
// what is open once it has left, came back or stays. Which rows are opened is decided by what this device holds, never by the server.
import type { Id } from '#core/ids.ts';
import { failed, type Result } from '#core/result.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import type { WireRow } from '#wire/sync.ts';
import { sealingLimits, type Sealing } from '#wire/sealing.ts';
import { isLabelPrivate, labelsNamedOn } from '../../rows/label-mapping.ts';
import { placeOf } from '../../rows/row-reading.ts';
import { isKnown, type Row, type StoredRow } from '../../rows/row.ts';
import { withLists, writeDirectory } from '../directory.ts';
import type { DeviceKeys } from '../device-keys.ts';
import type { FileWalk } from '../file-walk.ts';
import type { SealingHost, SealingServer } from '../ports.ts';
import { areListsSame, hasLists, openForm, type ListWay, type ScopeSealing } from '../scope-state.ts';
import type { TurnProblem } from '../turning.ts';
import { above } from './home.ts';
import { itemsOf, type Form } from '../walk.ts';

const PAGE_ROWS = 200;
/** A task that hasn't moved for so long after it was opened, or awaited, isn't awaited any more: its device may be gone. */
const MOST_WAIT_MS = 10 * 60_000;

type Lists = Readonly<Record<string, ListWay>>;
type Items = ReturnType<typeof itemsOf>;

interface Ports {
  readonly keys: DeviceKeys;
  readonly server: SealingServer;
  readonly checks: Pick<RegisterChecks, 'register'>;
  readonly host: Pick<SealingHost, 'scope' | 'confirmed' | 'held' | 'breathe'>;
  readonly files: Pick<FileWalk, 'open' | 'look'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What became of rows that were to be opened: `left` some can't be opened here; `stopped` the server couldn't be asked. */
export type Opened = 'open' | 'left' | 'stopped';

/** A list or a task and all that hangs beneath it, of these rows. */
export function rowsBeneath(held: readonly StoredRow[], root: Id): Set<Id> {
  const isBeneath = new Map<Id, boolean>([[root, true]]);
  const rows = held.filter(isKnown);
  const here = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const way: Id[] = [];
    let at: Id | undefined = row.id;
    while (at !== undefined && !isBeneath.has(at) && way.length <= rows.length) {
      way.push(at);
      const next: Row | undefined = here.get(at);
      at = next === undefined ? undefined : above(next);
    }
    const is = at !== undefined && isBeneath.get(at) === true;
    for (const id of way) isBeneath.set(id, is);
  }
  return new Set([...isBeneath].flatMap(([id, is]) => (is ? [id] : [])));
}

/** What is opened with a list or a task: all that hangs beneath it, and the labels on its tasks that others get to see. */
export function openedWith(
  { held, confirmed }: Pick<Ports['host'], 'held' | 'confirmed'>,
  list: Id,
): Set<Id> {
  const rows = held();
  const opened = rowsBeneath(rows, list);
  for (const row of rows.filter(isKnown)) {
    if (row.type !== 'task' || !opened.has(row.id)) continue;
    for (const { label: id, isOn } of labelsNamedOn(row)) {
      const label = isOn ? confirmed(id) : undefined;
      if (label?.type !== 'label') continue;
      const parent = confirmed(placeOf(label)?.parent ?? label.id);
      const group = parent?.type === 'labelGroup' ? parent : undefined;
      if (isLabelPrivate({ row: label, group })) continue;
      opened.add(label.id);
      if (group !== undefined) opened.add(group.id);
    }
  }
  return opened;
}

/** Where a list goes next, by where it stands. */
function nextWay(way: ListWay, row: Row | undefined, own: Id): ListWay {
  if (row === undefined) return way;
  const isHere = row.scope === own;
  if (way === 'open') return isHere ? 'open' : 'close';
  return way === 'await' && isHere ? 'close' : way;
}

/** One device's part in it. Runs again whenever something was heard. */
export class ListWalk {
  readonly #ports: Ports;
  /** Since when tasks are seen to be on their way here. */
  readonly #seen = new Map<string, number>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** One run: as far as it goes now. */
  async run(): Promise<void> {
    const { keys, host } = this.#ports;
    const { state } = keys;
    if (!hasLists(state) || keys.sealer === null) return;
    const entries = Object.entries(state.lists ?? {}) as [Id, ListWay][];
    const late = this.#late(entries);
    const next = Object.fromEntries(
      entries.map(([id, way]): [Id, ListWay] => [
        id,
        late.has(id) ? 'close' : nextWay(way, host.confirmed(id), host.scope),
      ]),
    );
    // A server that was restored has forgotten what this device knows, and hears it here.
    const isNews = !areListsSame(state, { ...state, lists: next }) || !areListsSame(state, keys.walked);
    if (isNews && !(await this.#step(next))) return;
    for (const [id, way] of Object.entries(next) as [Id, ListWay][])
      if (way === 'open' && (await this.open(id)) === 'stopped') return;
    if (!Object.values(next).every((way) => way === 'close') || !(await this.#close())) return;
    // Contents of what came are sealed from here on.
    if (await this.#step({})) this.#ports.files.look();
  }

  /** Tasks that have been on their way for too long. */
  #late(entries: readonly (readonly [Id, ListWay])[]): ReadonlySet<Id> {
    const { host, now } = this.#ports;
    const waiting = entries.filter(([id, way]) => way !== 'close' && host.confirmed(id)?.type !== 'list');
    const names = new Set(waiting.map(([id, way]) => `${way} ${id}`));
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    for (const name of names) if (!this.#seen.has(name)) this.#seen.set(name, now());
    const isLate = (since: number | undefined) => since !== undefined && now() - since > MOST_WAIT_MS;
    return new Set(waiting.flatMap(([id, way]) => (isLate(this.#seen.get(`${way} ${id}`)) ? [id] : [])));
  }

  #form(state: ScopeSealing): Form | null {
    const { keys, checks } = this.#ports;
    return keys.sealer === null ? null : { state, sealer: keys.sealer, checks };
  }

  /** Opens a list, or a task, with what hangs beneath it, where the directory says so. */
  async open(root: Id): Promise<Opened> {
    const { keys, host, files, server } = this.#ports;
    const form = this.#form(openForm(keys.state));
    if (form === null) return 'stopped';
    const along = openedWith(host, root);
    const unopened = await files.open(along);
    if (unopened === null) return 'stopped';
    // Where a content can't be had now the row goes with its keys, and it is opened where it is then.
    const isOpened = ({ id, from }: Items[number]) => from !== 'content' || unopened.has(id as Id);
    const itemsIn = (row: WireRow) => (along.has(row.id as Id) ? itemsOf(form, row).filter(isOpened) : []);
    if (!(await this.#goThrough(root, itemsIn))) return 'stopped';
    const left = await server.left(null, 1, root);
    if (!left.ok) return 'stopped';
    return left.value.rows.length > 0 ? 'left' : 'open';
  }

  async #close(): Promise<boolean> {
    const form = this.#form(withLists(this.#ports.keys.state, {}));
    return form !== null && (await this.#goThrough(undefined, (row) => itemsOf(form, row)));
  }

  async #goThrough(list: Id | undefined, itemsIn: (row: WireRow) => Items): Promise<boolean> {
    const { server, host, keys } = this.#ports;
    for (let after: Id | null = null; ;) {
      const page = await server.left(after, PAGE_ROWS, list);
      if (!page.ok) return false;
      const items = page.value.rows.flatMap((row) => [...itemsIn(row)]);
      for (let from = 0; from < items.length; from += sealingLimits.reencodings) {
        const some = items.slice(from, from + sealingLimits.reencodings);
        if (!(await server.reencode({ state: { ...keys.state }, items: some })).ok) return false;
      }
      await host.breathe();
      if (page.value.next === null) return true;
      after = page.value.next as Id;
    }
  }

  /** Tells all devices where the lists are. */
  async #step(lists: Lists): Promise<boolean> {
    const { keys, server } = this.#ports;
    return (await stepLists({ keys, server }, lists)).ok;
  }
}

/** Says which lists are on their way. */
export async function stepLists({ keys, server }: Pick<Ports, 'keys' | 'server'>, lists: Lists) {
  const { key, directory } = keys;
  if (key === null || directory === null) return failed({ type: 'locked' } as const);
  const { state: from, n } = directory;
  const next = writeDirectory(key, { ...directory, n: n + 1, state: withLists(from, lists) });
  const answer = await server.step({ from, step: 'lists', directory: next });
  if (answer.ok) await keys.take(answer.value);
  else if (answer.problem.type === 'moved') await keys.catchUp(answer.problem);
  return answer;
}

/** Tries where other devices write directories at the same time. */
const TRIES = 3;

const UNDER_WAY = 'Your lists are being encrypted or decrypted right now. Try again when that is finished.';

/** Says where lists and tasks of the sealed scope are to go. Null: the scope isn't sealed, so there is nothing to say. */
export async function sendLists(
  { keys, server }: { readonly keys: DeviceKeys; readonly server: SealingServer },
  ways: Lists,
): Promise<Result<Sealing, TurnProblem> | null> {
  await keys.load();
  let last: Result<Sealing, TurnProblem> = failed({ type: 'locked' });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const read = await keys.refresh();
    if (!read.ok) return read;
    if (read.value.state.phase === 'plain') return null;
    if (read.value.state.phase !== 'sealed') return failed({ type: 'refused', message: UNDER_WAY });
    if (keys.key === null || keys.directory === null) return failed({ type: 'locked' });
    const { lists: before = {} } = keys.directory.state;
    // What is on no way has nothing to be closed.
    const isNews = ([id, way]: [string, ListWay]) =>
      way === 'close' ? (before[id] ?? 'close') !== 'close' : before[id] !== way;
    const news = Object.entries(ways).filter(isNews);
    if (news.length === 0) return read;
    last = await stepLists({ keys, server }, { ...before, ...Object.fromEntries(news) });
    if (last.ok || last.problem.type !== 'moved') return last;
  }
  return last;
}
