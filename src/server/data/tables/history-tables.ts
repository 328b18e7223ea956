// The tables of the history, and of the databases that its older part lies in: a part of tables.ts, whose rules hold here too.
import type { Id } from '#core/ids.ts';

export interface HistoryTable {
  scope: Id;
  version: number;
  /** Order within the version. */
  seq: number;
  /** Target of the operation. */
  entity: Id;
  account: number;
  device: number;
  at: number;
  /** JSON of the operation, and of the values it replaced. */
  operation: string;
  replaced: string;
}

/** Entities changed by a history entry besides its target. */
export interface HistoryEntityTable {
  scope: Id;
  entity: Id;
  version: number;
  seq: number;
}

/** A database for older history. The same mark is in it: another one at its address is refused. */
export interface HistoryGroupTable {
  name: string;
  mark: string;
  joined_at: number;
}

/** In which group the older history of a scope lies. */
export interface HistoryPlaceTable {
  scope: Id;
  place: string;
  /** The group that it is being moved to; null: none. */
  target: string | null;
  /** The group that it was moved from, as long as something of it is there; null: none. */
  leaving: string | null;
  /** The group holds everything up to this version. */
  copied: number;
  /** When that was copied, or the scope was given its place. */
  copied_at: number;
  /** Up to this version it is in the group only. */
  freed: number;
}

/** What was removed for good while a group may hold some of its history. */
export interface HistoryErasureTable {
  scope: Id;
  /** Empty: everything that lies in the group. */
  entity: Id | '';
  /** Up to this version: what comes later about the same id was not removed. */
  upto: number;
  /** Grows when it is asked for again. */
  asked: number;
  /** When it was removed in the group; null: it waits. It is removed once more some days later, in case the group is put back. */
  done_at: number | null;
}

/** The tables by name. */
export interface HistoryTables {
  history: HistoryTable;
  history_entity: HistoryEntityTable;
  history_group: HistoryGroupTable;
  history_place: HistoryPlaceTable;
  history_erasure: HistoryErasureTable;
}

/** Their names. */
export const historyTableNames = [
  'history',
  'history_entity',
  'history_group',
  'history_place',
  'history_erasure',
] as const satisfies readonly (keyof HistoryTables)[];
