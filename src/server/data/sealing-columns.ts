// What is kept about the sealing of a scope, in columns: statements and reading, the same for both engines. Parameters are marked
// as SQLite has them.
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { ListWay, ScopePhase, ScopeSealing } from '#sync/sealing/scope-state.ts';
import { rowColumns } from './row-columns.ts';
import type { SealingRecord } from './store.ts';

/** What the devices of a person keep here about the sealing of their own scope. */
export interface SealingTable {
  scope: Id;
  /** The directory of the keys with its MAC, as it came; null: there is none. */
  directory: string | null;
  mac: string | null;
  /** Of the directory; only grows. */
  number: number;
  /** JSON: the wraps of the account key, by name. */
  wraps: string;
  wraps_version: number;
  /** 0 or 1: the history may hold values from before it was sealed. */
  was_plain: number;
  /** 0 or 1: what was removed may still be in files of the database. */
  lingers: number;
}

/** The public keys of an account, by which others wrap the keys of lists for it. */
export interface IdentityTable {
  account: number;
  agree: string;
  verify: string;
  told_at: number;
}

/** What is kept of a scope that never was sealed. */
export const noSealing: SealingRecord = {
  state: { phase: 'plain', generation: 0 },
  directory: null,
  number: 0,
  wraps: {},
  wrapsVersion: 0,
  wasPlain: false,
  lingers: false,
};

/** The statements. `forget` are those that remove what was written before a scope was sealed, each by the scope. */
export const sealingSql = {
  read:
    'SELECT s.sealing_phase, s.sealing_generation, k.directory, k.mac, k.number, k.wraps, k.wraps_version, k.was_plain, k.lingers, s.sealing_lists ' +
    'FROM scope s LEFT JOIN sealing k ON k.scope = s.id WHERE s.id = ?',
  state: 'UPDATE scope SET sealing_phase = ?, sealing_generation = ?, sealing_lists = ? WHERE id = ?',
  save:
    'INSERT INTO sealing (scope, directory, mac, number, wraps, wraps_version, was_plain, lingers) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ' +
    'ON CONFLICT (scope) DO UPDATE SET directory = excluded.directory, mac = excluded.mac, number = excluded.number, ' +
    'wraps = excluded.wraps, wraps_version = excluded.wraps_version, was_plain = excluded.was_plain, lingers = excluded.lingers',
  since: `SELECT ${rowColumns.join(', ')} FROM entity WHERE scope = ? AND version > ? ORDER BY version LIMIT ?`,
  merging: `SELECT ${rowColumns.join(', ')} FROM entity WHERE scope = ? AND fields LIKE '%"notesDoc":%'`,
  forget: [
    'DELETE FROM history_entity WHERE scope = ?',
    'DELETE FROM history WHERE scope = ?',
    'DELETE FROM note_epoch WHERE scope = ?',
    'DELETE FROM macro_run WHERE account = (SELECT owner FROM scope WHERE id = ?)',
  ],
} as const;

/** The state of a scope, from its three columns; undefined: it never was on the way to being sealed. */
export function cellsToState(phase: unknown, generation: unknown, lists: unknown): ScopeSealing | undefined {
  const named =
    typeof lists === 'string' ? { lists: JSON.parse(lists) as Readonly<Record<string, ListWay>> } : {};
  const state = { phase: phase as ScopePhase, generation: Number(generation), ...named };
  return state.phase === 'plain' && state.generation === 0 ? undefined : state;
}

/** In the order of `sealingSql.state`. */
export function stateCells(scope: Id, { state }: SealingRecord): readonly (string | number | null)[] {
  const { phase, generation, lists } = state;
  return [phase, generation, lists === undefined ? null : JSON.stringify(lists), scope];
}

/** From the cells of `sealingSql.read`. */
export function cellsToSealing(cells: readonly unknown[]): SealingRecord {
  const [phase, generation, body, mac, number, wraps, wrapsVersion, wasPlain, lingers, lists] = cells;
  const state = cellsToState(phase, generation, lists) ?? noSealing.state;
  if (wraps === null) return { ...noSealing, state };
  return {
    state,
    directory: body === null ? null : { body: body as string, mac: mac as string },
    number: Number(number),
    wraps: JSON.parse(wraps as string) as Readonly<Record<string, string>>,
    wrapsVersion: Number(wrapsVersion),
    wasPlain: Number(wasPlain) === 1,
    lingers: Number(lingers) === 1,
  };
}

/** In the order of `sealingSql.save`. */
export function sealingCells(scope: Id, record: SealingRecord): readonly (string | number | null)[] {
  const { directory, number, wraps, wrapsVersion, wasPlain, lingers } = record;
  return [
    scope,
    directory?.body ?? null,
    directory?.mac ?? null,
    number,
    JSON.stringify(wraps),
    wrapsVersion,
    wasPlain ? 1 : 0,
    lingers ? 1 : 0,
  ];
}

/** The row of cells of a scope that is there. */
export const mustHave = <T>(cells: T | undefined): T => must(cells, 'a locked scope is there');
