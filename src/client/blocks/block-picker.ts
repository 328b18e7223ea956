// The picker of time blocks: a time in words, with or without a length, and the blocks that the task has, to remove them.
import { blockLimits, blocksIn, wallOf, whenOf } from '#core/calendar/blocks.ts';
import { counted } from '#core/counted.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { Program } from '../app/program.ts';
import { mineOf } from '../outline/personal-fields.ts';
import { type Choice, type Picker, pickedRows, unread } from '../pickers/picker.ts';
import { sayWhen } from '../pickers/saying.ts';
import { planning } from '../planning/part.ts';
import { todayOf } from '../clock/dates.ts';
import { timeBlocks } from './part.ts';
import { type Plan, type PlanChoice, readPlans } from './plan.ts';
import { blockFor, type TaskBlock } from './task-blocks.ts';
import { sayBlock, sayClash } from './words.ts';

const OFFERED = ['today 14:00', 'tomorrow 9:00'];
const MINUTE_MS = 60_000;
const QUARTER_MS = 900_000;
/** A plan of which only the length counts. */
const NOW: Plan = { start: 0, minutes: null };
const EXAMPLE = 'Try “today 14:00 45m” or “tomorrow 9-10:30”.';
const NEEDS_TIME = 'Add a time, like “14:00” or “9-10:30”.';

/** `2026-11-30T14:00:00Z`, of a time on the wall. */
const textOf = (wall: number) => Temporal.Instant.fromEpochMilliseconds(wall).toString();

/** The picker of time blocks for the chosen tasks. Its values are a `PlanChoice` as JSON, or “none”. */
export class BlockPicker implements Picker {
  readonly note: string | null;
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
    const held = this.#held().length;
    this.note = held === 0 ? null : `${counted(held, 'time block')} planned.`;
  }

  choices(text: string): readonly Choice[] {
    if (text.trim() === '') return [...this.#offered(), ...this.#removable()];
    if (english.none.includes(text.trim().toLowerCase())) return [this.#none()];
    const { plans, needsTime } = readPlans(this.#program, text);
    if (plans.length > 0) return plans.map((plan) => this.#choice(plan));
    return [
      needsTime ? unread('A day, and when?', NEEDS_TIME) : unread('Not a time yet. Keep typing.', EXAMPLE),
    ];
  }

  #held() {
    const { replica } = this.#program;
    return pickedRows(this.#program).flatMap(({ id }) => blocksIn(mineOf(replica, id)));
  }

  #offered(): readonly Choice[] {
    return [...this.#soon(), ...OFFERED]
      .flatMap((words) => readPlans(this.#program, words).plans.slice(0, 1))
      .map((plan) => this.#choice(plan));
  }

  /** Where it fits first today; else the next full quarter of an hour, unless that is tomorrow's. */
  #soon(): readonly string[] {
    const { now, zone } = this.#program.moment();
    const [task] = pickedRows(this.#program);
    const minutes = task === undefined ? blockLimits.usualMinutes : blockFor(task, NOW).minutes;
    const midnight = Date.parse(todayOf(this.#program.moment()).toString());
    const wall = wallOf(now, zone);
    const gap = this.#program.part(planning).gap(minutes);
    const next = gap === null ? wall - (wall % QUARTER_MS) + QUARTER_MS : midnight + gap * MINUTE_MS;
    const [day = '', time = ''] = textOf(next).split('T');
    return textOf(wall).startsWith(day) ? [`today ${time.slice(0, 5)}`] : [];
  }

  #removable(): readonly Choice[] {
    const context = this.#program.moment();
    const each = this.#held().map(({ register, block }, index): Choice => ({
      id: `remove.${register}`,
      title: `Remove: ${sayBlock(block, context)}`,
      hint: '',
      ...(index === 0 ? { heading: 'Planned' } : {}),
      value: JSON.stringify({ remove: register } satisfies PlanChoice),
    }));
    return each.length > 1 ? [...each, this.#none()] : each;
  }

  #choice(plan: Plan): Choice {
    const said = sayWhen(whenOf({ ...plan, minutes: 1, occ: 0 }), this.#program.moment());
    const planned = this.#planned(plan);
    const minutes = plan.minutes ?? planned?.block.minutes;
    const length = minutes === undefined ? '' : ` for ${sayDuration(minutes)}`;
    const title = `${said.text}${length}`;
    const { book } = this.#program.part(timeBlocks);
    const clash = planned === null || book === null ? '' : sayClash(this.#program, book, planned);
    const distance = said.isPast ? `${said.distance} · has passed` : said.distance;
    return {
      id: `plan.${plan.start}.${plan.minutes ?? ''}`,
      title,
      words: title,
      hint: clash === '' ? distance : `${distance} · ${clash}`,
      value: JSON.stringify({ plan } satisfies PlanChoice),
    };
  }

  /** The block that the plan comes to; null: of several tasks, or where it may be one that is moved, it isn't known. */
  #planned(plan: Plan): TaskBlock | null {
    const [task, ...rest] = pickedRows(this.#program);
    if (task === undefined || rest.length > 0) return null;
    if (plan.minutes === null && this.#held().length > 0) return null;
    return { task, register: 'block:', block: blockFor(task, plan) };
  }

  #none(): Choice {
    return { id: 'none', title: 'No time blocks', hint: 'or type “none”', value: 'none' };
  }
}
