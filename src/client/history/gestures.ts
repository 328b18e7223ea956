// Gestures of the history: neighboring writes of one undo group, with their previous values. They are read by feed.ts.
import type { Id } from '#core/ids.ts';
import type { Replaced } from '#sync/replica/history-view.ts';
import type { JournalEntry } from '#sync/replica/ports.ts';
import { type Change, type Event, eventOf, eventsOf, joined, type ServedEntry } from './change.ts';

/** The effect of one gesture, and the way back behind it. */
export interface Gesture {
  /** Its newest operation: an id that is stable while nothing newer joins the gesture. */
  readonly key: string;
  /** Oldest first. */
  readonly events: readonly Event[];
  readonly changes: readonly Change[];
  /** Previous values, newest first. */
  readonly replaced: readonly Replaced[];
}

/** One write of a gesture, or all writes issued at once. */
export interface Part {
  readonly group: Id | null;
  readonly events: readonly Event[];
  readonly replaced: Replaced;
}

/** An entry of the server's history, with what it replaced. */
export function servedPart(entry: ServedEntry): Part {
  const event = eventOf(entry);
  return { group: event.group, events: [event], replaced: { registers: entry.before } };
}

export function ownPart(entry: JournalEntry, waiting: ReadonlySet<number>): Part {
  const created = new Set(
    entry.operations.flatMap((operation) => (operation.a === 'create' ? [operation.id] : [])),
  );
  // Personal rows and settings cannot be deleted: their creation is undone register by register.
  const deleted = new Set(entry.inverses.flatMap(({ a, id }) => (a === 'delete' ? [id] : [])));
  return {
    group: entry.operations[0]?.g ?? null,
    events: eventsOf(entry, waiting),
    replaced: { inverses: entry.inverses, created: created.intersection(deleted) },
  };
}

/** Merges neighboring parts of one undo group into one gesture. Newest first. */
function gestureOf(parts: readonly Part[]): Gesture {
  const events = parts.toReversed().flatMap((part) => part.events);
  return {
    key: events.at(-1)?.u ?? '',
    events,
    changes: joined(events.flatMap(({ changes }) => changes)),
    replaced: parts.map(({ replaced }) => replaced),
  };
}

/** Takes `parts` newest first, and returns gestures newest first. */
export function gesturesOf(parts: readonly Part[]): Gesture[] {
  const runs: Part[][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    if (run && part.group !== null && run[0]?.group === part.group) run.push(part);
    else runs.push([part]);
  }
  return runs.map(gestureOf);
}
