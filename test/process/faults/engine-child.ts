// A device in a process of its own: the app's engine and network with a disk in a file, a wall clock of its own, and somebody
// who works on it. Told what to do by messages; ends with its parent.
import { join } from 'node:path';
import { registerChecks } from '#wire/registers.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { isDayWhen } from '#core/when.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { mergeNote, NoteSession } from '#sync/notes/note-session.ts';
import { noteDocOf, noteTextOf } from '#sync/notes/note.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Timers, Transport } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { Row, TaskRow } from '#sync/rows/row.ts';
import { createBrowserTransport } from '#web/platform/account/transport.ts';
import { SeededRandom } from '../../simulator/random.ts';
import { actAsBrowser } from '../headless-browser.ts';
import { openFileStorage } from './file-storage.ts';
import { type Change, LedgerWriter } from './ledger.ts';

export interface EngineOptions {
  readonly name: string;
  /** How often this device was started before. */
  readonly life: number;
  readonly address: string;
  readonly cookie: string;
  readonly account: number;
  readonly scope: Id;
  readonly folder: string;
  readonly seed: number;
  readonly shiftMs: number;
  readonly paceMs: number;
}

export type ToEngine =
  | { readonly type: 'jump'; readonly shiftMs: number }
  | { readonly type: 'work'; readonly works: boolean }
  | { readonly type: 'ask' }
  | { readonly type: 'rows' }
  | { readonly type: 'end' };

export interface EngineRow {
  readonly id: string;
  readonly type: string;
  readonly v: number;
  readonly f: Readonly<Record<string, unknown>>;
}

export type FromEngine =
  | { readonly type: 'open' }
  | { readonly type: 'state'; readonly state: string; readonly unsaved: number; readonly digest: string }
  | { readonly type: 'rows'; readonly rows: readonly EngineRow[]; readonly recovered: readonly string[] };

/** Pauses between tries are this much shorter than a person's: the way fails all the time. */
const HASTE = 20;
/** Tasks that everybody likes to write to. */
const FAVOURITES = 6;
const LIFE = 1_000_000;
const DAY_MS = 86_400_000;

const options = JSON.parse(process.argv[2] ?? '') as EngineOptions;
const random = new SeededRandom(options.seed);
const ledger = new LedgerWriter(join(options.folder, `${options.name}.ledger`));
let { shiftMs } = options;
let works = false;
let n = options.life * LIFE;

const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs / HASTE);
    return () => clearTimeout(timer);
  },
};

/** Notes the server's word on every operation, as it stands on the wire. */
function noting(transport: Transport): Transport {
  return {
    ...transport,
    sync: async (request) => {
      const answer = await transport.sync(request);
      if (!answer.ok) return answer;
      const sent = new Map((request.ops as { q: number; u: string }[]).map(({ q, u }) => [q, u]));
      for (const [q, verdict] of answer.value.results)
        ledger.add({ k: 'verdict', u: sent.get(q) ?? '', verdict });
      return answer;
    },
  };
}

/** Notes what every request was answered with. */
function notingStatuses(): void {
  const { fetch: inner } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await inner(input, init);
    const path = (input as string).split('?')[0] ?? '';
    if (response.status >= 500) ledger.add({ k: 'status', status: response.status, path });
    return response;
  };
}

const browser = actAsBrowser(options.address, options.cookie);
notingStatuses();
const engine: Engine = createEngine(
  {
    storage: openFileStorage(join(options.folder, `${options.name}.disk`)),
    transport: noting(createBrowserTransport()),
    clock: { now: () => Date.now() + shiftMs, monotonic: () => performance.now() },
    timers,
    random: {
      fill: (bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
      fraction: () => random.fraction(),
    },
    checks: registerChecks,
  },
  { scope: options.scope, account: options.account },
);

type Without<T> = T extends unknown ? Omit<T, 'n'> : never;

/** Writes down what is about to be done, does it, and writes down when it is on the disk. */
function issue(change: Without<Change>, actions: readonly Action[]): void {
  n += 1;
  const own = n;
  ledger.add({ ...change, n: own } as Change);
  const { operations, verdicts } = engine.replica.issue(actions);
  if (verdicts.some((verdict) => verdict !== 'ok')) {
    ledger.add({ k: 'void', n: own });
    return;
  }
  for (const { u } of operations) ledger.add({ k: 'sent', n: own, u });
  void engine.flushed().then(() => ledger.add({ k: 'kept', from: options.life * LIFE, n: own }));
}

function tasks(): TaskRow[] {
  const found = [...engine.replica.all()]
    .filter((row) => row.type === 'task')
    .filter(({ fields }) => !fields.del);
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function anyTask(): TaskRow | null {
  const all = tasks();
  if (all.length === 0) return null;
  return random.pick(random.chance(0.5) ? all.slice(0, FAVOURITES) : all);
}

function value(): string {
  return `${options.name} ${n + 1}`;
}

function create(): void {
  const { replica } = engine;
  const id = replica.newId();
  const above = random.chance(0.3) ? anyTask() : null;
  const place = { parent: above?.id ?? inboxId(replica.scope) };
  const repeat = random.chance(0.2)
    ? { value: 1, unit: 'days', metadata: null, from: 'due date', missed: 'every', anchorDay: null }
    : null;
  const title = value();
  const dates = repeat === null ? {} : { repeat, due: { on: '2026-05-01' } };
  issue({ k: 'create', id, title }, [{ a: 'create', id, type: 'task', fields: { title, ...dates }, place }]);
}

function write({ id, fields }: TaskRow): void {
  const isTitle = random.chance(0.6) || fields.repeat !== undefined;
  const field = isTitle ? 'title' : 'due';
  // A day that nobody else says: the number of the change, in days, by writer.
  const day = Date.UTC(2030, 0, 1) + ((n + 1) * 16 + Number(options.name.slice(1))) * DAY_MS;
  const on = new Date(day % 8e13).toISOString().slice(0, 10);
  const { due } = fields;
  const saw = isTitle ? fields.title : due && isDayWhen(due) ? due.on : undefined;
  const said = isTitle ? value() : on;
  const change = { k: 'write', id, field, value: said, saw: saw ?? null } as const;
  issue(change, [{ a: 'set', id, field, value: isTitle ? said : { on } }]);
}

function writeNote(row: Row): void {
  const { id } = row;
  const session = new NoteSession(() => random.below(0x1_0000_0000));
  session.load(noteTextOf(row), noteDocOf(row));
  const word = `word-${options.name}-${n + 1}.`;
  const edit = session.change(`${session.text}${word}\n`, true);
  issue({ k: 'note', id, word }, [{ a: 'note', id, ...edit }]);
}

function complete({ id, fields }: TaskRow): void {
  const isRepeating = fields.repeat !== undefined;
  const occ = fields.occ ?? 0;
  const due = new Date(Date.UTC(2026, 4, 2 + occ)).toISOString().slice(0, 10);
  const next = isRepeating ? { due: { on: due }, start: null } : null;
  const change = { k: 'complete', id, occ: isRepeating ? occ : null } as const;
  issue(change, [{ a: 'complete', id, occ, at: engine.replica.now(), next }]);
}

function place(row: Row): void {
  const under = random.chance(0.6) ? anyTask() : null;
  const parent = under?.id ?? inboxId(engine.replica.scope);
  const after = anyTask()?.id;
  const position = { parent, ...(after === undefined ? {} : { after }) };
  issue({ k: 'place', id: row.id }, [{ a: 'place', id: row.id, place: position }]);
}

function act(): void {
  const row = anyTask();
  const draw = random.below(100);
  if (row === null || draw < 30) return create();
  if (draw < 60) return write(row);
  if (draw < 75) return writeNote(row);
  if (draw < 86) return complete(row);
  if (draw < 96) return place(row);
  // What many hang under stays.
  if (engine.replica.children(row.id).length === 0)
    issue({ k: 'delete', id: row.id }, [{ a: 'delete', id: row.id }]);
}

function live(): void {
  if (works) act();
  setTimeout(live, random.between(1, 2 * options.paceMs));
}

function tell(message: FromEngine): void {
  process.send?.(message);
}

async function tellRows(): Promise<void> {
  await engine.flushed();
  const rows = [...engine.replica.all()].map(({ id, type, version, fields }) => ({
    id,
    type,
    v: version,
    f: fields,
  }));
  tell({ type: 'rows', rows, recovered: engine.recovered.get().map((item) => JSON.stringify(item)) });
}

process.on('message', (message: ToEngine) => {
  if (message.type === 'jump') ({ shiftMs } = message);
  if (message.type === 'work') ({ works } = message);
  if (message.type === 'rows') void tellRows();
  if (message.type === 'ask') {
    browser.comeOnline();
    engine.nudge();
    const { digest, unsaved, pending } = engine.facts();
    tell({ type: 'state', state: engine.state.get().type, unsaved: unsaved + pending.length, digest });
  }
  if (message.type === 'end') void engine.close().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
await engine.open();
await engine.loaded();
engine.replica.learnToMerge(mergeNote);
tell({ type: 'open' });
live();
