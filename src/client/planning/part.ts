// Planning a day: its command and keys, the settings of working hours, and how full today is in its header. The rest is loaded later.
import type { RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { needsBlocks, timeBlocks } from '../blocks/part.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, define, done, refused } from '../commands/define.ts';
import { ofDialog } from '../commands/options.ts';
import type { KeptCalendars } from '../calendar/port.ts';
import type { DialogFrame } from '../dialogs/dialog-view.ts';
import type { Binding } from '../keys/keymap.ts';
import type { Span } from './day.ts';
import { workDays, workFrom, workTo } from './hours.ts';
import { lazyPlanning } from './lazy.ts';
import type { Capacity } from './words.ts';
import type { Today } from './today.ts';

type PlanningModule = Awaited<ReturnType<typeof lazyPlanning.load>>;

/** How old the events may be that the header reckons with. */
const FRESH_MS = 600_000;

class Planning implements PartHooks {
  readonly #program: Program;
  #module: PlanningModule | null = null;
  #today: Today | null = null;
  #readAt = 0;
  /** Null: something changed since it was said. */
  #said: string | null = null;
  #isClosed = false;
  #unfollow: () => void = () => undefined;

  constructor(program: Program) {
    this.#program = program;
    const { rowFacts } = program;
    const before = rowFacts.today;
    rowFacts.today = () => [before(), this.#capacity()].filter(Boolean).join(' · ');
  }

  idle(): void {
    this.#program.engine
      .loaded()
      .then(() => lazyPlanning.load())
      .then((module) => {
        this.#module = module;
        this.#unfollow = module.followKept(this.#program, (kept) => this.#took(kept));
        return this.#read();
      })
      // The command tries again, and reports the failure.
      .catch(() => undefined);
  }

  apply(_changes: readonly RowChange[]): void {
    this.#said = null;
  }

  tick(): void {
    this.#said = null;
    if (this.#today !== null && this.#program.replica.now() - this.#readAt > FRESH_MS) void this.#read();
  }

  close(): void {
    this.#isClosed = true;
    this.#unfollow();
  }

  /** Runs `work` now, or once all of it is loaded. */
  run(work: (module: PlanningModule, today: Today) => CommandResult): CommandResult {
    const { inputQueue } = this.#program;
    return inputQueue.enter(lazyPlanning, (module) => {
      this.#module = module;
      return this.#program.part(timeBlocks).run(() => {
        const today = this.#ready();
        void this.#read();
        return today === null ? refused('The app is still loading. Try again.') : work(module, today);
      });
    });
  }

  /** How full today is; null until that is known. */
  get capacity(): Capacity | null {
    return this.#ready()?.capacity() ?? null;
  }

  /** Where something of this length fits first today, in minutes of the day; null: nowhere, or it isn't known yet. */
  gap(minutes: number, also: readonly Span[] = []): number | null {
    return this.#ready()?.gap(minutes, also) ?? null;
  }

  /** How full today is, in words; empty until that is known. */
  #capacity(): string {
    const today = this.#ready();
    if (today === null) return '';
    this.#said ??= this.#module?.sayCapacity(today.capacity()) ?? '';
    return this.#said;
  }

  #ready(): Today | null {
    const { book } = this.#program.part(timeBlocks);
    if (book !== null && this.#module !== null) this.#today ??= this.#module.todayWith(this.#program, book);
    return this.#today;
  }

  /** Takes what the device keeps of the calendars. */
  async #read(): Promise<void> {
    this.#readAt = this.#program.replica.now();
    const kept = await this.#program.platform.account.live().then(
      (live) => live.calendars().kept(),
      (): KeptCalendars | null => null,
    );
    this.#program.act(() => this.#took(kept));
  }

  #took(kept: KeptCalendars | null): void {
    if (this.#isClosed) return;
    const today = this.#ready();
    if (today !== null) today.kept = kept;
    this.#said = null;
    const { controller } = this.#program.dialog;
    if (controller?.type === 'planDay') controller.refresh();
  }
}

const frames = {
  planDay: { name: 'Plan my day', isWide: true },
} as const satisfies Readonly<Record<string, DialogFrame>>;

const KEYS: readonly (readonly [context: Binding['context'], keys: string, command: string])[] = [
  ['navigate', 'g y', 'day.plan'],
  ['sidebar', 'g y', 'day.plan'],
  ['dialog.planDay', 'Enter', 'planning.plan'],
  ['dialog.planDay', 'b', 'planning.plan'],
  ['dialog.planDay', 'a', 'planning.at'],
  ['dialog.planDay', 't', 'planning.tomorrow'],
  ['dialog.planDay', 's', 'planning.later'],
  ['dialog.planDay', 'e', 'planning.estimate'],
  ['dialog.planDay', 'Space', 'planning.complete'],
  ['dialog.planDay', 'Right', 'planning.skip'],
  ['dialog.planDay', 'Down', 'planning.skip'],
  ['dialog.planDay', 'Left', 'planning.back'],
  ['dialog.planDay', 'Up', 'planning.back'],
];

/** Planning a day. */
export const planning: Part<Planning> = definePart({
  name: 'Planning a day',
  create: (program) => new Planning(program),
  commands: [
    define({
      id: 'day.plan',
      title: 'Plan my day',
      aliases: ['plan today', 'daily planning', 'morning planning', 'timebox the day'],
      group: 'Tasks',
      icon: 'clock',
      isAboutTask: false,
      when: needsBlocks,
      run: (program) =>
        program
          .part(planning)
          .run(({ openPlanDay }, today) =>
            openPlanDay(program, today) ? done : refused('Nothing is left to plan today.', 'info'),
          ),
    }),
    define({
      id: 'day.capacity',
      title: 'How full is today?',
      aliases: ['capacity', 'workload', 'time left today', 'free time'],
      group: 'Tasks',
      icon: 'clock',
      isAboutTask: false,
      run: (program) =>
        program
          .part(planning)
          .run(({ sayCapacity }, today) =>
            announced(`Today: ${sayCapacity(today.capacity()) || 'no working time is left'}.`),
          ),
    }),
    ofDialog('planning.plan', 'Plan my day: into the next gap'),
    ofDialog('planning.at', 'Plan my day: at a time'),
    ofDialog('planning.tomorrow', 'Plan my day: tomorrow'),
    ofDialog('planning.later', 'Plan my day: later'),
    ofDialog('planning.estimate', 'Plan my day: how long it takes'),
    ofDialog('planning.complete', 'Plan my day: complete the task'),
    ofDialog('planning.skip', 'Plan my day: next task', { repeats: true }),
    ofDialog('planning.back', 'Plan my day: task before', { repeats: true }),
  ],
  keys: KEYS.map(([context, keys, command]) => ({ context, keys, command })),
  dialogs: frames,
  settings: [workFrom, workTo, workDays],
});
