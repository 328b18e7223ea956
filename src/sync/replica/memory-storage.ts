// A device's disk in memory: for tests, and for browsers that refuse storage (then nothing survives the tab, and the
// app says so). Fulfills the DeviceStorage port exactly.
import type { Id } from '#core/ids.ts';
import { byOrder, withSeq } from '../tabs/sequences.ts';
import type { Operation } from '../rows/operation.ts';
import type {
  DeviceMeta,
  DeviceStorage,
  JournalEntry,
  RecoveredItem,
  StorageBatch,
  StoredState,
} from './ports.ts';
import type { StoredRow } from '../rows/row.ts';

const PAGE = 1_000;

/** The content that survives closing: give it to another storage to "restart" the device. */
export class MemoryContents {
  meta: DeviceMeta | null = null;
  readonly outbox = new Map<number, Operation>();
  readonly rows = new Map<Id, StoredRow>();
  readonly recovered = new Map<number, RecoveredItem>();
  readonly journal = new Map<string, JournalEntry>();
}

/** Does to contents in memory what a disk does with a batch. */
export function applyBatch(contents: MemoryContents, batch: StorageBatch): void {
  for (const q of batch.outboxRemove ?? []) contents.outbox.delete(q);
  for (const operation of batch.outboxAdd ?? []) contents.outbox.set(operation.q, operation);
  for (const id of batch.rowsRemove ?? []) contents.rows.delete(id);
  for (const row of batch.rowsPut ?? []) contents.rows.set(row.id, row);
  for (const item of batch.recoveredAdd ?? []) contents.recovered.set(item.operation.q, item);
  for (const q of batch.recoveredRemove ?? []) contents.recovered.delete(q);
  const seqs = [batch.seq ?? 0, ...Object.values(contents.meta?.lanes ?? {}).map((lane) => lane.seq)];
  contents.meta = seqs.reduce((meta, q) => meta && withSeq(meta, q), batch.meta ?? contents.meta);
  for (const entry of batch.journalPut ?? []) contents.journal.set(`${entry.device} ${entry.q}`, entry);
  for (const [device, q] of batch.journalRemove ?? []) contents.journal.delete(`${device} ${q}`);
}

export function stateOf(contents: MemoryContents): StoredState | null {
  if (contents.meta === null) return null;
  return {
    meta: contents.meta,
    outbox: [...contents.outbox.values()].toSorted(byOrder),
    recovered: [...contents.recovered.values()],
  };
}

/** A disk that lasts as long as `contents`: two storages on one are two starts of one device. */
export function createMemoryStorage(contents = new MemoryContents()): DeviceStorage {
  return {
    open: () => Promise.resolve(stateOf(contents)),
    async *rows() {
      const rows = [...contents.rows.values()];
      for (let start = 0; start < rows.length; start += PAGE) yield rows.slice(start, start + PAGE);
    },
    journal: () => Promise.resolve([...contents.journal.values()]),
    write(batch) {
      applyBatch(contents, batch);
      return Promise.resolve();
    },
    clear() {
      contents.meta = null;
      contents.outbox.clear();
      contents.rows.clear();
      contents.recovered.clear();
      contents.journal.clear();
      return Promise.resolve();
    },
    close() {},
  };
}
