// How long the journal keeps entries: by time and by number, group by group. Loaded when idle.
import type { JournalEntry, JournalKey } from './ports.ts';

const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;
const MOST_ENTRIES = 2_000;
/** A few imports must not fill a disk; the newest group stays, however large. */
const MOST_OPERATIONS = 20_000;

const timeOf = ({ operations }: JournalEntry): number => operations.at(-1)?.t ?? 0;
const groupOf = ({ device, q, operations }: JournalEntry): string => operations[0]?.g ?? `${device} ${q}`;

/** The entries to remove: whole groups, the oldest first, so that no group is kept in part. */
export function expiredEntries(entries: readonly JournalEntry[], now: number): JournalKey[] {
  const groups = Map.groupBy(entries, groupOf);
  const newest = [...groups.values()].toSorted((a, b) => timeOf(last(b)) - timeOf(last(a)));
  let count = 0;
  let operations = 0;
  const expired: JournalKey[] = [];
  for (const [at, group] of newest.entries()) {
    count += group.length;
    operations += group.reduce((sum, entry) => sum + entry.operations.length, 0);
    const isOver = count > MOST_ENTRIES || operations > MOST_OPERATIONS;
    if ((at > 0 && isOver) || timeOf(last(group)) < now - KEPT_MS)
      expired.push(...group.map(({ device, q }): JournalKey => [device, q]));
  }
  return expired;
}

function last(group: readonly JournalEntry[]): JournalEntry {
  return group.at(-1) as JournalEntry;
}
