// Operations: the only way data changes. Every command, macro, undo, import, API call, e-mail and link visitor ends in
// these. They carry intent ("after that sibling", "complete occurrence 7"), never the resulting state.
import type { Id } from '#core/ids.ts';
import type { EntityType, RepeatRule, SeriesValues, UnknownType } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Fields } from './row.ts';

/**
 * A position among siblings: directly after `after` if it is still a sibling, else directly before `before`, else at
 * that end.
 */
export interface Position {
  readonly parent: Id;
  readonly after?: Id;
  readonly before?: Id;
  /** Absent = end. */
  readonly at?: 'start' | 'end';
}

/**
 * A requested change. `only` makes it an undo: it acts only where the register still holds the write with that sequence
 * number.
 */
export type Action =
  | {
      readonly a: 'create';
      readonly id: Id;
      readonly type: EntityType;
      readonly fields: Fields;
      readonly place?: Position;
      /** Kept by imports; never later than now. */ readonly createdAt?: number;
    }
  | {
      readonly a: 'set';
      readonly id: Id;
      readonly field: string;
      readonly value: unknown;
      readonly only?: number;
    }
  | { readonly a: 'place'; readonly id: Id; readonly place: Position; readonly only?: number }
  | { readonly a: 'delete'; readonly id: Id; readonly only?: number }
  | { readonly a: 'restore'; readonly id: Id; readonly only?: number }
  | {
      readonly a: 'complete';
      readonly id: Id;
      /** The completed occurrence. If another device has completed it first, the answer is `already`. */
      readonly occ: number;
      readonly at: number;
      /** The next occurrence of a repeating task; null when it does not repeat (or must not: link visitors). */
      readonly next: NextOccurrence | null;
      /** Completed subtasks that reopen with the next occurrence. Only with `next`. */
      readonly anew?: readonly Id[];
    }
  | {
      /** An edit of a note's text, merged with others that started from the same text. */
      readonly a: 'note';
      readonly id: Id;
      /** Names the text that the editing started from (note.ts). */
      readonly seed: Id;
      /** The changes since then, or since others last got them: a Yjs update, base64. */
      readonly update: string;
      /** The whole text as its author saw it. */
      readonly text: string;
    }
  | {
      readonly a: 'reopen';
      readonly id: Id;
      /** The occurrence to reopen. */
      readonly occ: number;
      readonly previous: NextOccurrence | null;
    }
  | Reoffer;

/** The action of this kind: `create`, `set`, and so on. */
export type ActionOf<A extends Action['a']> = Extract<Action, { readonly a: A }>;

/**
 * Registers of a row that a restored server has lost or holds in an older state, each with the time of its last write
 * on the server's clock. Merged by time alone: the versions they were based on are gone.
 */
export interface Reoffer {
  readonly a: 'reoffer';
  readonly id: Id;
  /** One that the device does not know it hands on; a server takes only those that it knows. */
  readonly type: EntityType | UnknownType;
  /** Without `place`. */
  readonly fields: Fields;
  readonly place?: Position;
  /** Time of every register that `times` does not name. */
  readonly at: number;
  /** A register named here and not in `fields` is offered as its default. */
  readonly times: Readonly<Record<string, number>>;
  readonly createdAt: number;
}

/** The values of a repeating task at another occurrence, as completing or reopening writes them. Absent ones stay. */
export interface NextOccurrence {
  readonly due: When | null;
  readonly start: When | null;
  /** The new rule, if advancing changes it (a remembered day of the month or time of day). */
  readonly repeat?: RepeatRule;
  // The values of the series, if only the ending occurrence was changed.
  readonly title?: string | null;
  readonly notes?: string | null;
  readonly duration?: number | null;
  readonly series?: SeriesValues | null;
}

/** Registers that move from one occurrence to another, if the operation names them. Notes are written separately. */
export const advancingRegisters = ['due', 'start', 'repeat', 'title', 'duration', 'series'] as const;

/**
 * Who changed something by a public link. The name is that which its page had then; `nick` is what the visitor called themselves,
 * which nobody has verified.
 */
export interface VisitorMark {
  readonly link: Id;
  readonly name: string;
  readonly nick?: string;
}

/** The fields of an operation besides its action. */
export interface OperationHead {
  /** Sequence number on its device; strictly increasing, gaps allowed (compaction). */
  readonly q: number;
  /** Its own id: the same sequence number with another id means the device's storage was cloned. */
  readonly u: Id;
  readonly scope: Id;
  /** Wall time at creation, milliseconds; only its age is ever used. */
  readonly t: number;
  /** Scope version the device had seen when the operation was made. */
  readonly b: number;
  /** Operations with the same `x` are one atomic transaction, at most 500. */
  readonly x?: Id;
  /** Undo group: undone together. */
  readonly g?: Id;
  /** Order among the lanes of one copy (sequences.ts); never sent. */
  readonly n?: number;
  /**
   * The server's time of the latest write that its author had seen of the rows it touches, where a restored server has lost
   * that: it is dated after it. Never sent.
   */
  readonly seenAt?: number;
  /**
   * The time at which cloud sync was turned off on this device (Detached.at), if it was off. Such an operation is never
   * sent.
   */
  readonly off?: number;
  /** A visitor of a public link did it, by this link. Only the server says so. */
  readonly via?: VisitorMark;
}

/** An action with its head: the unit that is queued, sent and kept. */
export type Operation = OperationHead & Action;

/**
 * The result of an operation, always final.
 * - `ok` applied; `superseded` a later edit of the same register stands, or an undo found its register changed
 * - `already` somebody else has completed the occurrence, or deleted or restored the entity, before
 * - `exists` the id is taken; `gone` the target is unknown or purged
 * - `parked` it names something that a restored server has lost; it is applied when a device brings that back
 * - `cycle`, `badparent` the placement is impossible; `forbidden` not allowed; `invalid` malformed; `limit` too large
 */
export type Verdict =
  | 'ok'
  | 'superseded'
  | 'already'
  | 'exists'
  | 'gone'
  | 'cycle'
  | 'badparent'
  | 'forbidden'
  | 'invalid'
  | 'limit'
  | 'parked';

/**
 * A verdict as a device hears it. A newer server may say a word that is not among `Verdict`; it means what `invalid`
 * means. New words for a success are therefore never introduced without a new protocol version (wire/version.ts).
 */
export type HeardVerdict = string;

/** Whether the content goes to Recovered instead of being dropped. */
export function isRefusal(verdict: HeardVerdict): boolean {
  return verdict !== 'ok' && verdict !== 'superseded' && verdict !== 'already' && verdict !== 'exists';
}
