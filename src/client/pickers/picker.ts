// What a picker offers in the palette for a query: readings with a preview, presets, and switches that leave it open.
// The kinds are the other files here; applying.ts changes the tasks.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Argument } from '../commands/command.ts';
import { rowsOf } from '../commands/rows.ts';
import type { Program } from '../app/program.ts';

export type PickerKind = Extract<
  Argument['kind'],
  'due' | 'start' | 'snooze' | 'repeat' | 'once' | 'duration' | 'remind' | 'block'
>;

/** One line that a picker offers. */
export interface Choice {
  /** Stable while the picker is open. */
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** Typed alone, this digit means this choice, which Enter then takes. */
  readonly digit?: string;
  readonly heading?: string;
  /** The command's argument. Null: nothing to choose yet, `turn` changes what is offered. */
  readonly value: string | null;
  readonly turn?: () => void;
  /** The question of another command that the words answer: choosing it asks that instead, with them. */
  readonly instead?: { readonly command: string; readonly words: string };
  /** Shown below the list while it is active. */
  readonly note?: string;
  /** The calendar day it means, with the rest of its text: "2026-11-27" and " 17:00 for 45m". */
  readonly day?: { readonly date: string; readonly rest: string };
  /** The field's text for it; absent: none. */
  readonly words?: string;
  /** Why it cannot be chosen; absent: it can. */
  readonly unavailable?: string;
}

/** What a picker offers for the words in the field. */
export interface Picker {
  /** Shown below the list. */
  readonly note: string | null;
  /** Best first. */
  choices(text: string): readonly Choice[];
  /** For a picker that asks for a day: the current one with its time of day, or today; a month is shown. */
  readonly day?: NonNullable<Choice['day']>;
  /** For such a picker: the day that all of them have now; null: none. */
  readonly held?: string | null;
}

/** The tasks that the picker is for. */
export function pickedRows(program: Program): readonly Row[] {
  return rowsOf(program, program.workspace.targets()).filter(({ type }) => type === 'task');
}

export function pickedIds(program: Program): readonly Id[] {
  return pickedRows(program).map(({ id }) => id);
}

/** The current value of the target tasks: their common value, or that they differ. Null: none has any. */
export function sayNow<T>(values: readonly (T | null)[], say: (value: T) => string): string | null {
  const [first = null] = values;
  const text = JSON.stringify(first);
  if (values.some((value) => JSON.stringify(value) !== text))
    return 'They differ. Your choice replaces all of them.';
  return first === null ? null : `Now ${say(first)}.`;
}

/** Shown while the words are not understood yet. */
export function unread(title: string, example: string): Choice {
  return { id: 'unread', title, hint: '', value: null, unavailable: example };
}
