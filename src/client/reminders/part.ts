// Lazy part of reminders: only this file is in the first load. Alerts (alerts.ts, acts.ts) are loaded when the app is
// idle.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { createSignal } from '../app/signal.ts';
import type { ReminderBannerView } from '../app/view.ts';
import type { Bell } from './alerts.ts';

/** Alerts and the actions on them. Loaded when idle or first needed. */
export const lazyReminders = lazyPart('Reminders', () => import('./acts.ts'));

type Acts = Awaited<ReturnType<typeof lazyReminders.load>>;

function isSame(a: ReminderBannerView | null, b: ReminderBannerView | null): boolean {
  return a?.id === b?.id && a?.title === b?.title && a?.text === b?.text && a?.more === b?.more;
}

class Reminders implements PartHooks {
  readonly view = createSignal<ReminderBannerView | null>(null, isSame);
  readonly #program: Program;
  #bell: Bell | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  idle(): void {
    this.#begin();
  }

  /** Starts watching, once, when there is time. */
  #begin(): void {
    const begin = ({ Bell }: Acts) => {
      this.#bell ??= new Bell(this.#program);
    };
    if (lazyReminders.now) begin(lazyReminders.now);
    // A command on reminders tries again, and reports the failure.
    else
      lazyReminders.load().then(
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

  draw(): void {
    if (this.#bell) this.view.set(this.#bell.settle());
  }

  /** Runs `work` now, or once the part is loaded. `id`: the task of the banner. */
  run(work: (acts: Acts, bell: Bell, id: Id | null) => CommandResult): CommandResult {
    return this.#program.inputQueue.enter(lazyReminders, (acts) => {
      this.#begin();
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

/** Rings reminders while the app is open, and runs the commands on them. Starts when idle. */
export const reminders = definePart({ name: 'Reminders', create: (program) => new Reminders(program) });
