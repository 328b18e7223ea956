// The door to reminders: what rings is brought when the app is idle (bell.ts, acts.ts); only this is part of the first load.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazy } from '../lazy.ts';
import type { Program } from '../program.ts';
import { createSignal } from '../signal.ts';
import type { ReminderBannerView } from '../view.ts';
import type { Bell } from './bell.ts';

const part = lazy(() => import('./acts.ts'));

/** For whoever needs them at once. */
export const loadReminders = () => part.load();

type Acts = Awaited<ReturnType<typeof loadReminders>>;

const FAILED = 'Reminders could not be loaded. Check the connection and try again.';

function isSame(a: ReminderBannerView | null, b: ReminderBannerView | null): boolean {
  return a?.id === b?.id && a?.title === b?.title && a?.text === b?.text && a?.more === b?.more;
}

export class Reminders {
  readonly view = createSignal<ReminderBannerView | null>(null, isSame);
  readonly #program: Program;
  #bell: Bell | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Begins to watch: once, when there is time. */
  wake(): void {
    const begin = ({ Bell }: Acts) => {
      this.#bell ??= new Bell(this.#program);
    };
    if (part.now) begin(part.now);
    // Whoever does something about reminders tries again, and hears of it.
    else
      part.load().then(
        (acts) => this.#program.act(() => begin(acts)),
        () => undefined,
      );
  }

  apply(changes: readonly RowChange[]): void {
    this.#bell?.apply(changes);
  }

  tick(): void {
    this.#bell?.tick();
  }

  settle(): void {
    if (this.#bell) this.view.set(this.#bell.settle());
  }

  /** Does it now, or says what came of it once it is loaded. `id`: the task that the banner is about. */
  run(work: (acts: Acts, bell: Bell, id: Id | null) => CommandResult): CommandResult {
    const program = this.#program;
    if (part.now) {
      this.wake();
      return this.#bell ? work(part.now, this.#bell, this.#bell.first) : done;
    }
    part.load().then(
      () =>
        program.act(() => {
          const result = this.run(work);
          if (result.type === 'done' && result.announce) program.say(result.announce, { undo: true });
          else if (result.type === 'refused') program.say(result.reason, { error: true });
        }),
      () => program.act(() => program.say(FAILED, { error: true })),
    );
    return done;
  }

  /** The person set a reminder. */
  offer(): void {
    this.run((_acts, bell) => {
      bell.offer();
      return done;
    });
  }
}
