// What a picker offers in the palette for what is typed: readings with their preview, presets, and switches that leave it
// open. The three kinds are the other files here; how a choice changes tasks is applying.ts.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/row.ts';
import type { Argument } from '../commands/command.ts';
import { rowsOf } from '../commands/rows.ts';
import type { Program } from '../program.ts';

export type PickerKind = Extract<
  Argument['kind'],
  'due' | 'start' | 'snooze' | 'repeat' | 'once' | 'duration' | 'remind'
>;

export interface Choice {
  /** Stable while the picker is open. */
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** Typed alone it means this one, which Enter then takes. */
  readonly digit?: string;
  readonly heading?: string;
  /** What the command gets. Null: nothing is chosen yet, `turn` changes what is offered. */
  readonly value: string | null;
  readonly turn?: () => void;
  /** Said below the list while it is the active one. */
  readonly note?: string;
  /** The calendar day that it means, with what else it says of it: "2026-11-27" and " 17:00 for 45m". */
  readonly day?: { readonly date: string; readonly rest: string };
  /** What the field says for it; absent: nothing. */
  readonly words?: string;
  /** Why it cannot be chosen. */
  readonly unavailable?: string;
}

export interface Picker {
  /** Said below the list. */
  readonly note: string | null;
  /** Best first. */
  choices(text: string): readonly Choice[];
  /** It asks for a day: the one held, 2026-11-27, or today; a month is shown. */
  readonly day?: string;
}

/** The tasks that the picker is for. */
export function pickedRows(program: Program): readonly Row[] {
  return rowsOf(program, program.workspace.targets()).filter(({ type }) => type === 'task');
}

export function pickedIds(program: Program): readonly Id[] {
  return pickedRows(program).map(({ id }) => id);
}

/** What the chosen tasks have now: the one value that all of them have, or that they differ. Null: none has any. */
export function sayNow<T>(values: readonly (T | null)[], say: (value: T) => string): string | null {
  const [first = null] = values;
  const text = JSON.stringify(first);
  if (values.some((value) => JSON.stringify(value) !== text))
    return 'Mixed: what you choose replaces it for all of them.';
  return first === null ? null : `Now ${say(first)}.`;
}

/** Shown when the words say nothing yet. */
export function unread(title: string, example: string): Choice {
  return { id: 'unread', title, hint: '', value: null, unavailable: example };
}
