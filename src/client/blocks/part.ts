// Time blocks: planning when a task is done. Its commands and keys; what they do is changing.ts, loaded later.
import { blocksIn } from '#core/calendar/blocks.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { keepsBlocks } from '#wire/features.ts';
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { type Command, define } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { mineOf } from '../outline/personal-fields.ts';
import type { BlockBook } from './book.ts';
import { blockReminder } from '../reminders/block-reminder.ts';
import { type BlocksModule, lazyBlocks } from './lazy.ts';

class Blocks implements PartHooks {
  readonly #program: Program;
  #book: BlockBook | null = null;
  #marks: { close(): void } | null = null;
  #isClosed = false;

  constructor(program: Program) {
    this.#program = program;
  }

  idle(): void {
    this.#program.engine
      .loaded()
      .then(() => lazyBlocks.load())
      .then((module) => this.#program.act(() => void this.#begin(module)))
      // The first command tries again, and reports the failure.
      .catch(() => undefined);
  }

  /** All blocks of the person; null until they are loaded. */
  get book(): BlockBook | null {
    return this.#book;
  }

  apply(changes: readonly RowChange[]): void {
    this.#book?.apply(changes);
  }

  close(): void {
    this.#isClosed = true;
    this.#marks?.close();
  }

  /** Runs `work` now, or once the part is loaded. */
  run(work: (module: BlocksModule, book: BlockBook) => CommandResult): CommandResult {
    return this.#program.inputQueue.enter(lazyBlocks, (module) => work(module, this.#begin(module)));
  }

  #begin({ BlockBook, RowMarks }: BlocksModule): BlockBook {
    this.#book ??= new BlockBook(this.#program.replica);
    if (!this.#isClosed) this.#marks ??= new RowMarks(this.#program, this.#book);
    return this.#book;
  }
}

/** Only the type is imported: the list of features would come into the first load with it. */
const BLOCKS: typeof keepsBlocks = 'blocks';

/** The server takes blocks, or there is none. Its last answer decides. */
export function needsBlocks({ replica, engine }: Program): Availability {
  return replica.account === 0 || engine.facts().features.includes(BLOCKS)
    ? null
    : 'The server has to be updated first.';
}

function needsPlan(program: Program): Availability {
  return needsLiving(program) ?? needsBlocks(program);
}

function needsBlock(program: Program): Availability {
  const { replica, workspace } = program;
  const has = workspace.targets().some((id) => blocksIn(mineOf(replica, id)).length > 0);
  return needsPlan(program) ?? (has ? null : 'Plan time for this task first.');
}

const value = { name: 'value', kind: 'block' } as const;

const commands: readonly Command[] = [
  define({
    id: 'task.planTime',
    title: 'Plan time for this task…',
    aliases: ['time block', 'time blocking', 'timebox', 'block time', 'put it in the calendar'],
    group: 'Tasks',
    icon: 'clock',
    args: [{ ...value, prompt: 'When, and how long? “today 14:00 45m”, “tomorrow 9-10:30”' }],
    when: needsPlan,
    run: (program, { value: said = '' }) =>
      program.part(timeBlocks).run(({ planTime }, book) => planTime(program, book, said)),
  }),
  define({
    id: 'block.move',
    title: 'Move block…',
    aliases: ['move time block', 'plan another time', 'replan'],
    group: 'Tasks',
    icon: 'clock',
    args: [{ ...value, prompt: 'Move it to when? “today 16:00”, “mon 9-10:30”' }],
    when: needsBlock,
    run: (program, { value: said = '' }) =>
      program.part(timeBlocks).run(({ moveBlock }, book) => moveBlock(program, book, said)),
  }),
  define({
    id: 'block.longer',
    title: 'Make block longer',
    aliases: ['longer time block', '15 minutes more'],
    group: 'Tasks',
    icon: 'clock',
    when: needsBlock,
    run: (program) =>
      program.part(timeBlocks).run(({ stretchBlock }, book) => stretchBlock(program, book, 1)),
  }),
  define({
    id: 'block.shorter',
    title: 'Make block shorter',
    aliases: ['shorter time block', '15 minutes less'],
    group: 'Tasks',
    icon: 'clock',
    when: needsBlock,
    run: (program) =>
      program.part(timeBlocks).run(({ stretchBlock }, book) => stretchBlock(program, book, -1)),
  }),
  define({
    id: 'block.remove',
    title: 'Remove block',
    aliases: ['remove time block', 'delete time block', 'unplan'],
    group: 'Tasks',
    icon: 'clock',
    when: needsBlock,
    run: (program) => program.part(timeBlocks).run(({ removeBlock }) => removeBlock(program)),
  }),
  define({
    id: 'block.rollForward',
    title: 'Move undone blocks to today',
    aliases: ['roll time blocks forward', 'missed time blocks', 'plan again today'],
    group: 'Tasks',
    icon: 'clock',
    isAboutTask: false,
    when: needsBlocks,
    run: (program) => program.part(timeBlocks).run(({ rollForward }, book) => rollForward(program, book)),
  }),
  define({
    id: 'block.save',
    title: 'Save time blocks as a calendar file',
    icon: 'export',
    aliases: ['export time blocks', 'ics file'],
    group: 'Application',
    isAboutTask: false,
    run: (program) => program.part(timeBlocks).run(({ saveBlocks }, book) => saveBlocks(program, book)),
  }),
];

/** Time blocks of tasks. */
export const timeBlocks: Part<Blocks> = definePart({
  name: 'Time blocks',
  create: (program) => new Blocks(program),
  commands,
  keys: [
    { context: 'navigate', keys: 'b', command: 'task.planTime' },
    { context: 'navigate', keys: 'Shift+B', command: 'block.rollForward' },
  ],
  settings: [blockReminder],
});
