// The calendar beside the outline: its commands and keys. What it shows and does is pane.ts, loaded later.
import type { RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { timeBlocks } from '../blocks/part.ts';
import { openAgenda } from '../calendar/lazy.ts';
import type { CommandResult } from '../commands/command.ts';
import { type Command, define, done, passed } from '../commands/define.ts';
import type { Binding } from '../keys/keymap.ts';
import { lazyWeek } from './lazy.ts';
import type { WeekPane } from './pane.ts';
import type { WeekMode } from './week-view.ts';

type WeekModule = Awaited<ReturnType<typeof lazyWeek.load>>;

class Week implements PartHooks {
  readonly #program: Program;
  #pane: WeekPane | null = null;
  #isClosed = false;

  constructor(program: Program) {
    this.#program = program;
  }

  /** It was open when the app was last closed. */
  idle(): void {
    const program = this.#program;
    if (program.platform.preferences.get('calendar') !== 'shown') return;
    program.engine
      .loaded()
      .then(() => lazyWeek.load())
      .then((module) =>
        program.act(() => {
          if (!this.#isClosed) this.#begin(module).open();
        }),
      )
      // The command tries again, and reports the failure.
      .catch(() => undefined);
  }

  apply(changes: readonly RowChange[]): void {
    this.#pane?.apply(changes);
  }

  tick(): void {
    this.#pane?.tick();
  }

  settle(): void {
    const { sidebar, pane } = this.#program;
    if (pane === 'calendar' && (this.#pane?.isOpen !== true || sidebar.isDrawer))
      this.#program.pane = 'outline';
  }

  draw(): void {
    this.#pane?.draw();
  }

  close(): void {
    this.#isClosed = true;
    this.#pane?.end();
  }

  /**
   * Opens it with the keys in it; closes it where it has them. Where there is no room the agenda comes instead. `mode`: only
   * opens.
   */
  show(mode: WeekMode | null): CommandResult {
    const program = this.#program;
    if (program.sidebar.isDrawer) return openAgenda(program);
    return program.inputQueue.enter(lazyWeek, (module) =>
      program.part(timeBlocks).run(() => {
        program.leaveText();
        program.editor.flush();
        const pane = this.#begin(module);
        if (mode === null && pane.isOpen && program.pane === 'calendar') {
          pane.close();
          program.pane = 'outline';
          return done;
        }
        if (mode !== null) pane.show(mode);
        pane.open();
        program.pane = 'calendar';
        return done;
      }),
    );
  }

  /** Runs `work` where the calendar has the keys. */
  run(work: (pane: WeekPane) => CommandResult): CommandResult {
    return this.#pane?.isOpen === true ? work(this.#pane) : passed;
  }

  #begin({ WeekPane }: WeekModule): WeekPane {
    this.#pane ??= new WeekPane(this.#program);
    return this.#pane;
  }
}

/** A command for the slot: keys alone run it. */
const ofSlot = (
  id: string,
  title: string,
  work: (pane: WeekPane) => CommandResult,
  repeats = false,
): Command =>
  define({
    id,
    title,
    group: 'Tasks',
    isAboutTask: false,
    inPalette: false,
    repeats,
    run: (program) => program.part(weekPane).run(work),
  });

const shows = (id: string, title: string, aliases: readonly string[], mode: WeekMode | null): Command =>
  define({
    id,
    title,
    aliases,
    group: 'View',
    run: (program) => program.part(weekPane).show(mode),
  });

const commands: readonly Command[] = [
  shows(
    'calendar.show',
    'Show or hide the calendar',
    ['week view', 'calendar pane', 'time blocks beside tasks'],
    null,
  ),
  shows('calendar.day', 'Calendar: one day', ['day view', 'hours of a day'], 1),
  shows('calendar.threeDays', 'Calendar: three days', ['three-day view', '3 days'], 3),
  shows('calendar.week', 'Calendar: a week', ['week view', 'seven days'], 7),
  ofSlot('slot.earlier', 'Slot: 15 minutes earlier', (pane) => pane.step(-1), true),
  ofSlot('slot.later', 'Slot: 15 minutes later', (pane) => pane.step(1), true),
  ofSlot('slot.dayBefore', 'Slot: a day earlier', (pane) => pane.stepDays(-1), true),
  ofSlot('slot.dayAfter', 'Slot: a day later', (pane) => pane.stepDays(1), true),
  ofSlot('slot.pageBefore', 'Slot: the days before', (pane) => pane.page(-1), true),
  ofSlot('slot.pageAfter', 'Slot: the days after', (pane) => pane.page(1), true),
  ofSlot('slot.now', 'Slot: now', (pane) => pane.toNow()),
  define({
    id: 'slot.goTo',
    title: 'Slot: go to a day…',
    group: 'Tasks',
    isAboutTask: false,
    inPalette: false,
    args: [{ name: 'day', kind: 'text', prompt: 'Which day? “dec 24”, “next monday”, “fri 14:00”' }],
    run: (program, { day = '' }) => program.part(weekPane).run((pane) => pane.goTo(day)),
  }),
  ofSlot('slot.next', 'Slot: next block or event', (pane) => pane.toThing(1), true),
  ofSlot('slot.previous', 'Slot: previous block or event', (pane) => pane.toThing(-1), true),
  ofSlot('slot.other', 'Slot: another one at this time', (pane) => pane.other()),
  ofSlot('slot.open', 'Open the event, or go to the task', (pane) => pane.enter()),
  ofSlot('slot.plan', 'Plan time for the task here', (pane) => pane.plan()),
  ofSlot('slot.complete', 'Complete the task of this block, or reopen it', (pane) => pane.complete()),
  ofSlot('slot.longer', 'Make this block longer', (pane) => pane.stretchHere(1), true),
  ofSlot('slot.shorter', 'Make this block shorter', (pane) => pane.stretchHere(-1), true),
  ofSlot('slot.moveEarlier', 'Move this block earlier', (pane) => pane.shift(-15), true),
  ofSlot('slot.moveLater', 'Move this block later', (pane) => pane.shift(15), true),
  ofSlot('slot.moveDayBefore', 'Move this block a day earlier', (pane) => pane.shift(-1_440), true),
  ofSlot('slot.moveDayAfter', 'Move this block a day later', (pane) => pane.shift(1_440), true),
  ofSlot('slot.remove', 'Remove this block', (pane) => pane.remove()),
];

const IN_GRID: readonly (readonly [keys: string, command: string])[] = [
  ['Down', 'slot.later'],
  ['Up', 'slot.earlier'],
  ['Left', 'slot.dayBefore'],
  ['Right', 'slot.dayAfter'],
  ['j', 'slot.later'],
  ['k', 'slot.earlier'],
  ['h', 'slot.dayBefore'],
  ['l', 'slot.dayAfter'],
  ['PageUp', 'slot.pageBefore'],
  ['PageDown', 'slot.pageAfter'],
  ['t', 'slot.now'],
  ['m', 'slot.goTo'],
  ['n', 'slot.next'],
  ['p', 'slot.previous'],
  ['o', 'slot.other'],
  ['Space', 'slot.complete'],
  ['Enter', 'slot.open'],
  ['b', 'slot.plan'],
  ['+', 'slot.longer'],
  ['=', 'slot.longer'],
  ['Shift+Down', 'slot.longer'],
  ['-', 'slot.shorter'],
  ['Shift+Up', 'slot.shorter'],
  ['Alt+Up', 'slot.moveEarlier'],
  ['Alt+Down', 'slot.moveLater'],
  ['Alt+Left', 'slot.moveDayBefore'],
  ['Alt+Right', 'slot.moveDayAfter'],
  ['Delete', 'slot.remove'],
  ['Backspace', 'slot.remove'],
  ['1', 'calendar.day'],
  ['3', 'calendar.threeDays'],
  ['7', 'calendar.week'],
  ['?', 'help.keys'],
  ['Tab', 'pane.outline'],
  ['Escape', 'pane.outline'],
];

const keys: readonly Binding[] = [
  ...(['navigate', 'sidebar', 'calendar'] as const).map((context): Binding => ({
    context,
    keys: 'g w',
    command: 'calendar.show',
  })),
  ...IN_GRID.map(([strokes, command]): Binding => ({ context: 'calendar', keys: strokes, command })),
];

/** The calendar beside the outline. */
export const weekPane: Part<Week> = definePart({
  name: 'The calendar beside the outline',
  create: (program) => new Week(program),
  commands,
  keys,
});
