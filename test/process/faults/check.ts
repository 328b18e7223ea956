// Says what is wrong after a fault run, from the ledgers of all writers and what was read in the end: nothing acknowledged is
// missing or there twice, no register holds a value that may not win, the tree is a tree, every copy is the same. Imports
// nothing of the program: it knows the wire and the public API.
import type { Change, Entry } from './ledger.ts';
import type { RawRow, Reading } from './reading.ts';

/** After these nothing was done; an operation that waits for what a restore took is not counted on either. */
const UNDONE = new Set(['gone', 'cycle', 'badparent', 'forbidden', 'invalid', 'limit', 'parked']);

export interface WriterLog {
  readonly name: string;
  readonly entries: readonly Entry[];
}

export interface Evidence extends Reading {
  readonly scope: string;
  readonly logs: readonly WriterLog[];
  /** Rows and refused changes of every device. */
  readonly devices: readonly {
    readonly name: string;
    readonly rows: readonly RawRow[];
    readonly recovered: readonly string[];
  }[];
}

export interface Verdict {
  readonly violations: readonly string[];
  /** Words of notes that are nowhere. */
  readonly lostWords: readonly string[];
  /** Changes that were kept, and so checked. */
  readonly kept: number;
  /** Changes that were begun and of which nobody was told that they are kept. */
  readonly open: number;
  readonly excused: number;
}

interface Known {
  readonly writer: string;
  readonly change: Change;
  /** Was done for good. */
  readonly isKept: boolean;
}

/** What a writer's log says of each change; what was refused at once is left out. */
function changesOf({ name, entries }: WriterLog): Known[] {
  const voids = new Set<number>();
  const excused = new Set<number>();
  const keptTo = new Map<number, number>();
  const keptOne = new Set<number>();
  const sent = new Map<number, string[]>();
  const verdicts = new Map<string, string>();
  for (const entry of entries) {
    if (entry.k === 'void') voids.add(entry.n);
    if (entry.k === 'excused') excused.add(entry.n);
    if (entry.k === 'kept' && entry.from === entry.n) keptOne.add(entry.n);
    else if (entry.k === 'kept') keptTo.set(entry.from, Math.max(entry.n, keptTo.get(entry.from) ?? 0));
    if (entry.k === 'sent') sent.set(entry.n, [...(sent.get(entry.n) ?? []), entry.u]);
    if (entry.k === 'verdict') verdicts.set(entry.u, entry.verdict);
  }
  const isKept = (n: number): boolean =>
    keptOne.has(n) || [...keptTo].some(([from, to]) => from < n && n <= to);
  const isUndone = (n: number): boolean => (sent.get(n) ?? []).some((u) => UNDONE.has(verdicts.get(u) ?? ''));
  return entries.flatMap((entry) => {
    if (!('id' in entry) || voids.has(entry.n)) return [];
    const wasKept = isKept(entry.n) && !excused.has(entry.n) && !isUndone(entry.n);
    return [{ writer: name, change: entry, isKept: wasKept }];
  });
}

function valueOf(row: RawRow, field: string): string | null {
  const value = row.f[field] ?? null;
  if (field !== 'due' || value === null) return value as string | null;
  return (value as { on?: string }).on ?? JSON.stringify(value);
}

interface Write {
  readonly writer: string;
  readonly n: number;
  readonly value: string;
  readonly saw: string | null;
  readonly isKept: boolean;
}

/** Values that no later write of somebody who had seen them, kept for good, has replaced. */
export function mayWin(writes: readonly Write[]): ReadonlySet<string> {
  const byValue = new Map(writes.map((write) => [write.value, write]));
  const lost = new Set<Write>();
  for (const write of writes) {
    if (!write.isKept) continue;
    // What its author had seen, and what the author of that had seen, and so on.
    const seen = new Set<Write>();
    const waiting: Write[] = [write];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const before = [
        next.saw === null ? undefined : byValue.get(next.saw),
        ...writes.filter((other) => other.writer === next.writer && other.n < next.n),
      ];
      for (const other of before) {
        if (other === undefined || other === write || seen.has(other)) continue;
        seen.add(other);
        waiting.push(other);
      }
    }
    for (const other of seen) lost.add(other);
  }
  return new Set(writes.filter((write) => !lost.has(write)).map(({ value }) => value));
}

export function checkRegisters(rows: ReadonlyMap<string, RawRow>, known: readonly Known[]): string[] {
  const writes = new Map<string, Write[]>();
  const add = (id: string, field: string, write: Write): void => {
    const name = `${id} ${field}`;
    writes.set(name, [...(writes.get(name) ?? []), write]);
  };
  for (const { writer, change, isKept } of known) {
    const { n, id } = change;
    if (change.k === 'create') add(id, 'title', { writer, n, value: change.title, saw: null, isKept });
    if (change.k === 'write')
      add(id, change.field, { writer, n, value: change.value, saw: change.saw, isKept });
  }
  return [...writes].flatMap(([name, all]) => {
    const [id = '', field = ''] = name.split(' ');
    const row = rows.get(id);
    if (row === undefined || !all.some(({ isKept }) => isKept)) return [];
    const value = valueOf(row, field);
    const winners = mayWin(all);
    if (value !== null && winners.has(value)) return [];
    const story = all.map((write) => `${write.value}${write.isKept ? '' : '?'} over ${write.saw}`).join(', ');
    return [`${field} of ${id} is ${value}, not one of ${[...winners].join(', ')} (${story})`];
  });
}

function checkThings(rows: ReadonlyMap<string, RawRow>, known: readonly Known[]): string[] {
  const deleted = new Set(known.flatMap(({ change }) => (change.k === 'delete' ? [change.id] : [])));
  const made = new Set(known.flatMap(({ change }) => (change.k === 'create' ? [change.id] : [])));
  const wrong: string[] = [];
  for (const { writer, change, isKept } of known) {
    if (!isKept) continue;
    const row = rows.get(change.id);
    if (row === undefined) {
      if (change.k === 'create') wrong.push(`${change.id}, made by ${writer} (${change.title}), is nowhere`);
      continue;
    }
    const isTrashed = (row.f['del'] ?? null) !== null;
    if (change.k === 'delete' && !isTrashed) wrong.push(`${change.id} was deleted by ${writer} and is not`);
    if (change.k === 'create' && isTrashed && !deleted.has(change.id))
      wrong.push(`${change.id} is in the trash, and nobody deleted it`);
    if (change.k === 'complete' && change.occ === null && (row.f['status'] ?? null) === null)
      wrong.push(`${change.id} was completed by ${writer} (${change.n}) and is open`);
  }
  for (const row of rows.values())
    if (row.type === 'task' && !made.has(row.id)) wrong.push(`${row.id} was made by nobody`);
  return wrong;
}

/** An occurrence that was completed is behind, and its record is there once. */
function checkRepeats(rows: ReadonlyMap<string, RawRow>, known: readonly Known[]): string[] {
  const records = new Map<string, number>();
  for (const { type, f } of rows.values()) {
    if (type !== 'completion' || (f['del'] ?? null) !== null) continue;
    const name = `${String(f['task'])} ${String(f['occ'])}`;
    records.set(name, (records.get(name) ?? 0) + 1);
  }
  const wrong = [...records]
    .filter(([, count]) => count > 1)
    .map(([name]) => `occurrence ${name} is there twice`);
  for (const { writer, change, isKept } of known) {
    if (!isKept || change.k !== 'complete' || change.occ === null) continue;
    const row = rows.get(change.id);
    if (row === undefined) continue;
    const now = (row.f['occ'] as number | undefined) ?? 0;
    if (now <= change.occ) wrong.push(`${change.id} is at ${now}, and ${writer} completed ${change.occ}`);
    if (!records.has(`${change.id} ${change.occ}`))
      wrong.push(`occurrence ${change.occ} of ${change.id}, completed by ${writer}, has no record`);
  }
  return wrong;
}

function checkTree(rows: ReadonlyMap<string, RawRow>, scope: string): string[] {
  const wrong: string[] = [];
  const keys = new Set<string>();
  for (const row of rows.values()) {
    if (row.type !== 'task' && row.type !== 'list') continue;
    const place = row.f['place'] as { parent: string; key: string };
    const key = `${place.parent} ${place.key}`;
    if (keys.has(key)) wrong.push(`${row.id} has the order key ${key}, which another has`);
    keys.add(key);
    const way = new Set<string>();
    for (let at: RawRow | undefined = row; at !== undefined;) {
      if (way.has(at.id)) {
        wrong.push(`${row.id} hangs in a circle`);
        break;
      }
      way.add(at.id);
      const { parent } = at.f['place'] as { parent: string };
      if (parent === scope) break;
      at = rows.get(parent);
      if (at === undefined) wrong.push(`${row.id} hangs under ${parent}, which is nowhere`);
    }
  }
  return wrong;
}

/** A word somebody wrote is in the note, among what a device could not make, or in the history. */
function checkWords(
  rows: ReadonlyMap<string, RawRow>,
  known: readonly Known[],
  evidence: Evidence,
): string[] {
  const recovered = evidence.devices.flatMap((device) => device.recovered).join('\n');
  return known.flatMap(({ writer, change, isKept }) => {
    if (!isKept || change.k !== 'note') return [];
    const note = (rows.get(change.id)?.f['notes'] as string | undefined) ?? '';
    const places = [note, recovered, evidence.history];
    if (places.some((text) => text.includes(change.word))) return [];
    return [`${change.word}, written by ${writer} in the note of ${change.id}, is nowhere`];
  });
}

/** The same whatever order keys have. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function checkDevices(rows: ReadonlyMap<string, RawRow>, { devices }: Evidence): string[] {
  return devices.flatMap((device) => {
    const held = new Map(device.rows.map((row) => [row.id, row]));
    const wrong = [...rows.values()].flatMap((row) => {
      const own = held.get(row.id);
      if (own === undefined) return [`${device.name} does not have ${row.id}`];
      const [here, there] = [canonical([own.v, own.f]), canonical([row.v, row.f])];
      return here === there ? [] : [`${device.name} has ${here} for ${row.id}, the server ${there}`];
    });
    const more = [...held.keys()].filter((id) => !rows.has(id));
    return [...wrong, ...more.map((id) => `${device.name} has ${id}, and the server has not`)];
  });
}

/** What the public API lists is what is not in the trash, each once and under its title. */
function checkApi(rows: ReadonlyMap<string, RawRow>, { apiTasks, scope }: Evidence): string[] {
  const isHidden = (row: RawRow | undefined): boolean => {
    // A circle, which is said elsewhere, has an end here.
    const way = new Set<RawRow>();
    for (let at = row; at !== undefined && !way.has(at);) {
      if ((at.f['del'] ?? null) !== null) return true;
      way.add(at);
      const { parent } = at.f['place'] as { parent: string };
      at = parent === scope ? undefined : rows.get(parent);
    }
    return false;
  };
  const wrong: string[] = [];
  const listed = new Set<string>();
  for (const { id, title } of apiTasks) {
    if (listed.has(id)) wrong.push(`the API lists ${id} twice`);
    listed.add(id);
    const row = rows.get(id);
    if (row?.type !== 'task') continue;
    if (isHidden(row)) wrong.push(`the API lists ${id}, which is in the trash`);
    if (title !== row.f['title'])
      wrong.push(`the API calls ${id} ${title}, its row ${String(row.f['title'])}`);
  }
  for (const row of rows.values())
    if (row.type === 'task' && !isHidden(row) && !listed.has(row.id))
      wrong.push(`the API does not list ${row.id}`);
  return wrong;
}

export function check(evidence: Evidence): Verdict {
  const rows = new Map(evidence.rows.map((row) => [row.id, row]));
  const known = evidence.logs.flatMap(changesOf);
  const violations = [
    ...checkThings(rows, known),
    ...checkRegisters(rows, known),
    ...checkRepeats(rows, known),
    ...checkTree(rows, evidence.scope),
    ...checkDevices(rows, evidence),
    ...checkApi(rows, evidence),
  ];
  const kept = known.filter(({ isKept }) => isKept).length;
  const excused = evidence.logs.flatMap(({ entries }) => entries.filter(({ k }) => k === 'excused')).length;
  const lostWords = checkWords(rows, known, evidence);
  return { violations, lostWords, kept, open: known.length - kept, excused };
}
