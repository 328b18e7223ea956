// The mark of a time block in a row: "planned 14:00" beside when the task starts. Loaded later, so that the first screen doesn't pay for it.
import { endIn, wallOf, whenOf } from '#core/calendar/blocks.ts';
import type { Program } from '../app/program.ts';
import type { Row } from '#sync/rows/row.ts';
import { DueDates } from '../clock/dates.ts';
import type { BlockBook } from './book.ts';
import { isUndone, nextBlock } from './task-blocks.ts';

/** Adds the marks to what is drawn from here on, until `close`. */
export class RowMarks {
  readonly #program: Program;
  readonly #book: BlockBook;
  #dates: DueDates | null = null;
  readonly close: () => void;

  constructor(program: Program, book: BlockBook) {
    this.#program = program;
    this.#book = book;
    const { rowFacts } = program;
    const before = rowFacts.planned;
    rowFacts.planned = (row) => this.#said(row);
    this.close = () => {
      rowFacts.planned = before;
    };
  }

  #said(task: Row): string | null {
    if (task.type !== 'task' || this.#program.workspace.isTrash || !this.#book.has(task.id)) return null;
    const context = this.#program.moment();
    const now = wallOf(context.now, context.zone);
    const held = nextBlock(this.#program, task, now, context.zone);
    if (held === undefined) return null;
    const shown = this.#shown().show(whenOf(held.block));
    const text = shown.ahead === 0 ? shown.time : shown.text;
    if (!isUndone(held)) return `was planned ${text}`;
    return `${endIn(held.block, context.zone) > now ? 'planned' : 'was planned'} ${text}`;
  }

  /** Formats are kept for a minute. */
  #shown(): DueDates {
    const context = this.#program.moment();
    const known = this.#dates?.context;
    const isSame =
      known !== undefined &&
      known.zone === context.zone &&
      known.locale === context.locale &&
      known.dayStart === context.dayStart &&
      Math.floor(known.now / 60_000) === Math.floor(context.now / 60_000);
    this.#dates = isSame && this.#dates !== null ? this.#dates : new DueDates(context);
    return this.#dates;
  }
}
