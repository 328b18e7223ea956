// Wakes for reminders: at the next moment in the index, soon after a relevant change, and now and then for changes by
// another process or a restored clock. One round at a time; a round ends when nothing is due.
import type { Deliveries } from './deliveries.ts';
import type { DueIndex } from './due-index.ts';
import type { Notices } from './notices.ts';

const SOON_MS = 25;
/** Other processes of the same database write too. */
const LONGEST_WAIT_MS = 30_000;
const AFTER_FAILURE_MS = 10_000;
const TIDY_MS = 3_600_000;

export interface SchedulerPorts {
  readonly due: DueIndex;
  readonly notices: Pick<Notices, 'look' | 'nextAt' | 'tidy'>;
  readonly deliveries: Deliveries;
  readonly now: () => number;
  after(delayMs: number, work: () => void): () => void;
  onError(error: unknown): void;
}

export interface ReminderScheduler {
  start(): void;
  /** A change may affect reminders. */
  poke(): void;
  /** Does everything that is due now. */
  round(): Promise<void>;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

export function createReminderScheduler(ports: SchedulerPorts): ReminderScheduler {
  return new Scheduler(ports);
}

class Scheduler implements ReminderScheduler {
  readonly #ports: SchedulerPorts;
  #cancel: (() => void) | null = null;
  #running: Promise<void> | null = null;
  #isStarted = false;
  #isPoked = false;
  #tidiedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: SchedulerPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#isStarted = true;
    this.poke();
  }

  poke(): void {
    this.#isPoked = true;
    if (this.#isStarted && this.#running === null) this.#wait(SOON_MS);
  }

  async round(): Promise<void> {
    const { due, notices, deliveries, now } = this.#ports;
    if (now() - this.#tidiedAt > TIDY_MS) {
      this.#tidiedAt = now();
      await deliveries.tidy();
      await notices.tidy(now());
    }
    // Alternating: one account with very many due tasks delays nobody else's messages.
    for (let left = 1; left > 0;)
      left = (await due.look(now())) + (await notices.look(now())) + (await deliveries.send());
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#cancel?.();
    await this.#running;
  }

  #wait(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#ports.after(ms, () => {
      this.#cancel = null;
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
    });
  }

  async #run(): Promise<void> {
    let wait = AFTER_FAILURE_MS;
    try {
      this.#isPoked = false;
      await this.round();
      wait = this.#isPoked ? SOON_MS : await this.#untilNext();
    } catch (error) {
      // The database may be away: due tasks stay due.
      this.#ports.onError(error);
    }
    if (this.#isStarted) this.#wait(wait);
  }

  async #untilNext(): Promise<number> {
    const { due, notices, deliveries, now } = this.#ports;
    const moments = [await due.nextAt(), await notices.nextAt(), await deliveries.nextAt()];
    const next = Math.min(...moments.map((at) => at ?? Number.POSITIVE_INFINITY));
    return Math.min(Math.max(0, next - now()), LONGEST_WAIT_MS);
  }
}
