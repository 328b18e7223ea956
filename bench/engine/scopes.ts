// What several scopes cost a device: the same tasks in the same lists, once all in the person's own scope and once with every
// list in a scope of its own. Both are opened in turns in one process, and what is printed are ratios.
import { listsRoot, mountId, type Id } from '#core/ids.ts';
import { restPart } from '#client/loading/rest.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { datasetOf } from '../datasets.ts';
import { type Gate, print, say, table } from '../report.ts';
import { median } from '../statistics.ts';
import { timeKeys } from './keys.ts';
import { datasetRows, newId, openApp, scope } from './subject.ts';

const TASKS = 100_000;
const QUICK_TASKS = 10_000;
const ROUNDS = 9;
const KEYS = 100;
/** Scopes of the start, and of the keys. */
const START_SCOPES = 20;
const KEY_SCOPES = 50;
const WANTED_RATIO = 1.05;

interface Copy {
  readonly rows: readonly Row[];
  readonly cursors: Readonly<Record<Id, { readonly generation: string; readonly version: number }>>;
}

/** The same rows with each list but the Inbox in a scope of its own, with what is in it, and a mount for it. */
function apart(rows: readonly Row[]): Copy {
  const scopeOf = new Map<Id, Id>();
  for (const { id, type } of rows.slice(1)) if (type === 'list') scopeOf.set(id, newId());
  const moved = rows.map((row): Row => {
    const place = placeOf(row);
    const own = scopeOf.get(row.id) ?? scopeOf.get(place?.parent ?? row.id);
    if (own === undefined || place === undefined) return row;
    const parent = row.type === 'list' ? listsRoot(own) : place.parent;
    return asRow({ ...row, scope: own, fields: { ...row.fields, place: { ...place, parent } } });
  });
  // Each stands in the sidebar where it stood.
  const mounts = rows.flatMap((row): Row[] => {
    const place = placeOf(row);
    if (!scopeOf.has(row.id) || place === undefined) return [];
    return [asRow({ ...row, id: mountId(scope, row.id), type: 'mount', fields: { of: row.id, place } })];
  });
  return { rows: [...moved, ...mounts], cursors: cursorsOf([scope, ...scopeOf.values()]) };
}

const cursorsOf = (scopes: readonly Id[]): Copy['cursors'] =>
  Object.fromEntries(scopes.map((each) => [each, { generation: 'bench', version: 1 }]));

interface Opened {
  readonly loadedMs: number;
  readonly keys: ReadonlyMap<string, number>;
}

/** Opens the app, and if `keys` presses them in its last list. */
async function open({ rows, cursors }: Copy, keys: number): Promise<Opened> {
  const subject = await openApp(rows, undefined, restPart, cursors);
  const pressed = new Map<string, number>();
  if (keys > 0) {
    const last = rows.findLast(({ type }) => type === 'list');
    if (!last) throw new Error('There is no list.');
    subject.app.follow(`/app/open/lists/id/${last.id}`);
    for (const [name, { p50 }] of timeKeys(subject, rows.length, keys)) pressed.set(name, p50);
  }
  const { loadedMs } = subject;
  await subject.close();
  return { loadedMs, keys: pressed };
}

/** Opens both in turns. The order changes with each round, so that neither always comes first. */
async function inTurns(
  tasks: number,
  lists: number,
  { rounds, keys }: { readonly rounds: number; readonly keys: number },
) {
  const rows = datasetRows(datasetOf(tasks, lists));
  const copies: readonly [Copy, Copy] = [{ rows, cursors: cursorsOf([scope]) }, apart(rows)];
  const found: [Opened[], Opened[]] = [[], []];
  await open(copies[0], keys);
  await open(copies[1], keys);
  for (let round = 0; round < rounds; round += 1)
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      found[which].push(await open(copies[which], keys));
  return found;
}

/** Prints what a start and keys cost with many scopes, beside the same rows in one. */
export async function runScopesSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say('several scopes');
  const tasks = quick ? QUICK_TASKS : TASKS;
  const rounds = quick ? 3 : ROUNDS;
  const [one, many] = await inTurns(tasks, START_SCOPES, { rounds, keys: 0 });
  const start = [one, many].map((opened) => median(opened.map(({ loadedMs }) => loadedMs)));
  const ratios = (a: readonly number[], b: readonly number[]) =>
    median(b.map((value, at) => value / (a[at] ?? 1)));
  const times = (opened: readonly Opened[]) => opened.map(({ loadedMs }) => loadedMs);
  const startRatio = ratios(times(one), times(many));
  const [alone, apartKeys] = await inTurns(tasks, KEY_SCOPES, { rounds, keys: KEYS });
  const names = [...(alone[0]?.keys.keys() ?? [])];
  const of = (opened: readonly Opened[], name: string) =>
    opened.map(({ keys }) => keys.get(name) ?? Number.NaN);
  const keyRows = names.map((name) => {
    const [a, b] = [of(alone, name), of(apartKeys, name)];
    return [name, median(a), median(b), ratios(a, b)] as const;
  });
  print(
    `## Several scopes on a device: ${tasks.toLocaleString('en')} tasks, medians of ${rounds} rounds in turns, ms`,
  );
  print(
    table(
      ['', 'one scope', 'many', 'ratio (median of the pairs)'],
      [
        [`start, ${START_SCOPES} lists`, ...start, startRatio],
        ...keyRows.map(([name, ...cells]) => [`${name}, ${KEY_SCOPES} lists`, ...cells]),
      ],
    ),
  );
  const allKeys = median(keyRows.map(([, , , ratio]) => ratio));
  const gate = (name: string, reached: number): Gate => ({
    name,
    reached,
    bound: WANTED_RATIO,
    unit: '×',
    kind: 'at most',
  });
  return [
    gate(`start with ${START_SCOPES} scopes, beside one`, startRatio),
    gate(`keys with ${KEY_SCOPES} scopes, beside one (median of the keys)`, allKeys),
  ];
}
