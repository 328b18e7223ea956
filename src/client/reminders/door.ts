// The door to reminders: what rings is brought when the app is idle (bell.ts, acts.ts); only this is part of the first load.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';
import { createSignal } from '../signal.ts';
import type { ReminderBannerView } from '../view.ts';
import type { Bell } from './bell.ts';

export const remindersDoor = door('Reminders', () => import('./acts.ts'));

type Acts = Awaited<ReturnType<typeof remindersDoor.load>>;

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
    if (remindersDoor.now) begin(remindersDoor.now);
    // Whoever does something about reminders tries again, and hears of it.
    else
      remindersDoor.load().then(
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
    return this.#program.held.enter(remindersDoor, (acts) => {
      this.wake();
      return this.#bell ? work(acts, this.#bell, this.#bell.first) : done;
    });
  }

  /** The person set a reminder. */
  offer(): void {
    this.run((_acts, bell) => {
      bell.offer();
      return done;
    });
  }
}
