// Changes one occurrence of a repeating task without the series: another date, or its own title and notes, until it is
// completed. Also reverts that, or applies it to the series. sync/rows/completing.ts ends the difference.
import type { SeriesValues } from '#core/model.ts';
import type { When } from '#core/when.ts';
import { ruleOf, seriesOf } from '#sync/rows/completing.ts';
import type { Action } from '#sync/rows/operation.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import type { Program } from '../app/program.ts';
import { givenTo, givenWhen } from './given.ts';
import { type Choice, type Picker, pickedRows } from './picker.ts';
import { sayWhen } from './saying.ts';
import { WhenPicker } from './when-picker.ts';

const TEXT = '{"once":"text"}';
const BACK = '{"once":"back"}';
const KEEP = '{"once":"keep"}';

function repeatingRows(program: Program): readonly Row[] {
  return pickedRows(program).filter((row) => ruleOf(row) !== null);
}

export class OncePicker implements Picker {
  readonly note: string;
  readonly #dates: WhenPicker;
  readonly #isOne: boolean;
  readonly #differs: boolean;

  constructor(program: Program) {
    const rows = repeatingRows(program);
    const [only] = rows;
    const series = rows.length === 1 ? seriesOf(only) : null;
    this.#dates = new WhenPicker(program, 'due', { isOnce: true });
    this.#isOne = rows.length === 1;
    this.#differs = rows.some((row) => seriesOf(row) !== null);
    const context = program.moment();
    const lead = series?.due ?? series?.start ?? null;
    this.note =
      lead === null
        ? 'The schedule continues after this occurrence.'
        : `In the series, it’s ${sayWhen(lead, context).text}. That continues after this occurrence.`;
  }

  get day(): NonNullable<Choice['day']> {
    return this.#dates.day;
  }

  choices(text: string): readonly Choice[] {
    const dates = this.#dates
      .choices(text)
      .map((choice) => (choice.id === 'none' ? { ...choice, hint: '' } : choice));
    if (text.trim() !== '') return dates;
    const own: Choice = {
      id: 'text',
      title: 'Title and notes…',
      hint: 'reset when you complete it',
      heading: 'Or',
      value: TEXT,
    };
    const back: Choice = {
      id: 'back',
      title: 'Same as the series again',
      hint: 'undoes this change',
      value: BACK,
    };
    const keep: Choice = {
      id: 'keep',
      title: 'Keep it for the whole series',
      hint: 'from now on',
      value: KEEP,
    };
    return [...dates, ...(this.#isOne ? [own] : []), ...(this.#differs ? [back, keep] : [])];
  }
}

/** Remembers the values of the series, unless they are remembered already. */
function differ(row: Row): Action[] {
  if (seriesOf(row) !== null) return [];
  const value: SeriesValues = {
    occ: fieldOf(row, 'occ') ?? 0,
    due: fieldOf(row, 'due') ?? null,
    start: fieldOf(row, 'start') ?? null,
    title: fieldOf(row, 'title') ?? null,
    notes: fieldOf(row, 'notes') ?? null,
    duration: fieldOf(row, 'duration') ?? null,
  };
  return [{ a: 'set', id: row.id, field: 'series', value }];
}

/** Makes the current values those of the series. */
export function endDifference(row: Row): Action[] {
  return fieldOf(row, 'series') === undefined ? [] : [{ a: 'set', id: row.id, field: 'series', value: null }];
}

function asInSeries(row: Row): Action[] {
  const series = seriesOf(row);
  if (series === null) return [];
  const values: [string, unknown][] = [
    ['due', series.due],
    ['start', series.start],
    ['title', series.title],
    ['notes', series.notes],
    ['duration', series.duration],
  ];
  const sets = values
    .filter(([, value]) => value !== undefined)
    .filter(([field, value]) => JSON.stringify(registersOf(row)[field] ?? null) !== JSON.stringify(value))
    .map(([field, value]): Action => ({ a: 'set', id: row.id, field, value }));
  return [...sets, ...endDifference(row)];
}

/** `value`: a choice of the picker, or a date in words. */
export function applyOnce(program: Program, value: string): CommandResult {
  const rows = repeatingRows(program);
  const [only] = rows;
  if (!only) return refused('Select a repeating task first.');
  const ids = rows.map(({ id }) => id);
  const name = program.describe(ids);
  if (value === TEXT) return editOnce(program, only);
  if (value === BACK) {
    inBatches(program, rows.flatMap(asInSeries), `made ${name} the same as the series again`);
    return announced(`${name} ${rows.length === 1 ? 'is' : 'are'} the same as the series again.`);
  }
  if (value === KEEP) {
    inBatches(program, rows.flatMap(endDifference), `changed the whole series of ${name}`);
    return announced(`Changed the whole series of ${name}.`);
  }
  const given = givenWhen(program, value);
  if (given === null) return refused(`“${value}” isn’t a date.`);
  const { start, duration } = given;
  const dates = rows.map((row) => givenTo(program, given, fieldOf(row, 'due') ?? null));
  const when = rows.length === 1 ? (dates[0] ?? null) : given.when;
  const actions = rows.flatMap((row, index): Action[] => [
    ...differ(row),
    { a: 'set', id: row.id, field: 'due', value: dates[index] ?? null },
    ...(start === undefined ? [] : [{ a: 'set', id: row.id, field: 'start', value: start } as const]),
    ...(duration === null ? [] : [{ a: 'set', id: row.id, field: 'duration', value: duration } as const]),
  ]);
  inBatches(program, actions, `changed one occurrence of ${name}`);
  return announced(`${saidOf(program, name, when)} The series doesn’t change.`);
}

function saidOf(program: Program, name: string, when: When | null): string {
  if (when === null) return `${name}: no due date this time.`;
  const context = program.moment();
  return `${name}: ${sayWhen(when, context).text}, only this time.`;
}

/** Title and notes typed from now on belong to this occurrence. */
function editOnce(program: Program, row: Row): CommandResult {
  const actions = differ(row);
  if (actions.length > 0) program.change(actions, `changed one occurrence of ${program.describe([row.id])}`);
  program.pane = 'outline';
  program.moveTo(row.id);
  program.edit(row.id, 'end');
  program.say('The title and notes are for this occurrence until you complete it.');
  return done;
}
