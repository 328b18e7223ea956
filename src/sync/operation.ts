// Operations: the only way data changes. A key, a macro, undo, an import, the API, an e-mail and a link visitor
// all end in these. They carry intent ("after that sibling", "complete occurrence 7"), never the resulting state.
import type { Id } from '#core/ids.ts';
import type { EntityType, RepeatRule, SeriesValues } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Fields } from './row.ts';

/** Directly after `after` if it is still a sibling, else directly before `before`, else at that end of the list. */
export interface Position {
  readonly parent: Id;
  readonly after?: Id;
  readonly before?: Id;
  /** Absent = end. */
  readonly at?: 'start' | 'end';
}

/** What is asked. `only` on an action makes it an undo: it acts only where the register still holds what that sequence number wrote. */
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
      /** The occurrence being completed. Another device may have completed it first: then the answer is `already`. */
      readonly occ: number;
      readonly at: number;
      /** Where a repeating task goes next; null when it does not repeat (or must not: link visitors). */
      readonly next: NextOccurrence | null;
      /** Completed tasks beneath it that begin anew with the next occurrence. Only with `next`. */
      readonly anew?: readonly Id[];
    }
  | {
      /** An edit of a note's text, merged with others that started from the same text. */
      readonly a: 'note';
      readonly id: Id;
      /** Names the text that the editing started from (note.ts). */
      readonly seed: Id;
      /** What changed since then, or since what others already have: a Yjs update, base64. */
      readonly update: string;
      /** The whole text as its author saw it. */
      readonly text: string;
    }
  | {
      readonly a: 'reopen';
      readonly id: Id;
      /** The occurrence to take back. */
      readonly occ: number;
      readonly previous: NextOccurrence | null;
    }
  | Reoffer;

/**
 * Registers of a row that a restored server has lost or holds in an older state, each with the time of its last write
 * on the server's clock. Merged by time alone: what they were based on is gone.
 */
export interface Reoffer {
  readonly a: 'reoffer';
  readonly id: Id;
  readonly type: EntityType;
  /** Without `place`. */
  readonly fields: Fields;
  readonly place?: Position;
  /** Time of every register that `times` does not name. */
  readonly at: number;
  /** A register named here and not in `fields` is offered as its default. */
  readonly times: Readonly<Record<string, number>>;
  readonly createdAt: number;
}

export interface NextOccurrence {
  readonly due: When | null;
  readonly start: When | null;
  /** The rule as it stood, when advancing changes it (a remembered day of the month or time of day). */
  readonly repeat?: RepeatRule;
  // What the series holds, when the occurrence that ends was changed alone.
  readonly title?: string | null;
  readonly notes?: string | null;
  readonly duration?: number | null;
  readonly series?: SeriesValues | null;
}

/** Registers that go from one occurrence to another, as far as the operation names them. Notes are written in their own way. */
export const advancingRegisters = ['due', 'start', 'repeat', 'title', 'duration', 'series'] as const;

/** Everything an operation says about itself besides its action. */
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
  /** Order among the lanes of one copy (lanes.ts); never sent. */
  readonly n?: number;
  /** When cloud sync had been turned off on this device (Detached.at), if it was off. Such a one is never sent. */
  readonly off?: number;
}

export type Operation = OperationHead & Action;

/**
 * What became of an operation. All are final.
 * - `ok` applied; `superseded` a later edit of the same register stands, or an undo found its register changed
 * - `already` the occurrence was completed, or the thing deleted or restored, by somebody before
 * - `exists` the id is taken; `gone` the target is unknown or purged
 * - `parked` it names what a restored server has lost; it is applied when a device brings that back
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

/** Verdicts after which the content goes to Recovered instead of being forgotten. */
export function isRefusal(verdict: Verdict): boolean {
  return verdict !== 'ok' && verdict !== 'superseded' && verdict !== 'already' && verdict !== 'exists';
}
