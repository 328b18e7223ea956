// Gestures as the history knows them: neighbouring writes of one undo group, with what they replaced. Where they come from
// is feed.ts.
import type { Id } from '#core/ids.ts';
import type { Replaced } from '#sync/past.ts';
import type { JournalEntry } from '#sync/ports.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { type Change, type Event, eventOf, eventsOf, joined } from './change.ts';

/** What one gesture did, and how to go back behind it. */
export interface Gesture {
  /** The newest of its operations: a name that stays while nothing newer joins it. */
  readonly key: string;
  /** Oldest first. */
  readonly events: readonly Event[];
  readonly changes: readonly Change[];
  /** What was replaced, the newest first. */
  readonly replaced: readonly Replaced[];
}

/** One write of a gesture, or all that was issued at once. */
export interface Part {
  readonly group: Id | null;
  readonly events: readonly Event[];
  readonly replaced: Replaced;
}

export function servedPart(entry: WireHistoryEntry): Part {
  const event = eventOf(entry);
  return { group: event.group, events: [event], replaced: { registers: entry.before } };
}

export function ownPart(entry: JournalEntry, waiting: ReadonlySet<number>): Part {
  const created = new Set(
    entry.operations.flatMap((operation) => (operation.a === 'create' ? [operation.id] : [])),
  );
  // What is one's own, and settings, cannot be deleted: their creation is taken back register by register.
  const deleted = new Set(entry.inverses.flatMap(({ a, id }) => (a === 'delete' ? [id] : [])));
  return {
    group: entry.operations[0]?.g ?? null,
    events: eventsOf(entry, waiting),
    replaced: { inverses: entry.inverses, created: created.intersection(deleted) },
  };
}

/** Neighbours of one undo group are one gesture. Newest first. */
function gestureOf(parts: readonly Part[]): Gesture {
  const events = parts.toReversed().flatMap((part) => part.events);
  return {
    key: events.at(-1)?.u ?? '',
    events,
    changes: joined(events.flatMap(({ changes }) => changes)),
    replaced: parts.map(({ replaced }) => replaced),
  };
}

/** `parts` newest first, as the answer. */
export function gesturesOf(parts: readonly Part[]): Gesture[] {
  const runs: Part[][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    if (run && part.group !== null && run[0]?.group === part.group) run.push(part);
    else runs.push([part]);
  }
  return runs.map(gestureOf);
}
