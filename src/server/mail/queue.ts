// Accepted mail on its way to becoming tasks: a few messages at a time, those of one list in order, with retries until the
// storage accepts them. Everything in here is also in the spool, from which a start refills it.
import type { Clock } from '#sync/replica/ports.ts';
import type { Id } from '#core/ids.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Delivered } from './delivery.ts';
import type { Spool, Spooled } from './spool.ts';

const AT_ONCE = 6;
/** Total size of messages in memory at once, unless a single one is larger. */
const BYTES_AT_ONCE = 32 * 1_048_576;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 60_000;

export interface MailQueue {
  add(arrival: Spooled): void;
  /** Waiting messages of an account, or of all. */
  waiting(account?: number): { readonly messages: number; readonly bytes: number };
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  /** Ends after the running deliveries. */
  stop(): Promise<void>;
}

export interface QueuePorts {
  readonly deliver: (arrival: Spooled) => Promise<Delivered>;
  /** Called when a message is delivered, before the spool deletes it; again after a crash. */
  readonly delivered: (arrival: Spooled, as: Delivered) => Promise<void>;
  readonly spool: Pick<Spool, 'done' | 'putAside'>;
  readonly clock: Clock;
  readonly log: Logger;
}

class RunningQueue implements MailQueue {
  readonly #ports: QueuePorts;
  readonly #lists = new Map<Id, Spooled[]>();
  readonly #byAccount = new Map<number, { messages: number; bytes: number }>();
  readonly #all = { messages: 0, bytes: 0 };
  readonly #running = new Set<Id>();
  #bytes = 0;
  #isStopped = false;
  #idle: (() => void)[] = [];
  /** Wakes messages that wait for a retry. */
  readonly #sleepers = new Set<() => void>();

  constructor(ports: QueuePorts) {
    this.#ports = ports;
  }

  add(arrival: Spooled): void {
    const list = this.#lists.get(arrival.list);
    if (list) list.push(arrival);
    else this.#lists.set(arrival.list, [arrival]);
    this.#count(arrival, 1);
    this.#go();
  }

  waiting(account?: number): { readonly messages: number; readonly bytes: number } {
    if (account === undefined) return this.#all;
    return this.#byAccount.get(account) ?? { messages: 0, bytes: 0 };
  }

  idle(): Promise<void> {
    if (this.#all.messages === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const wake of this.#sleepers) wake();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #count({ account, bytes }: Spooled, sign: 1 | -1): void {
    const own = this.#byAccount.get(account) ?? { messages: 0, bytes: 0 };
    for (const sum of [own, this.#all]) {
      sum.messages += sign;
      sum.bytes += sign * bytes;
    }
    if (own.messages === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, own);
  }

  #go(): void {
    if (this.#isStopped) return;
    for (const [list, waiting] of this.#lists) {
      if (this.#running.size >= AT_ONCE) return;
      const next = waiting[0];
      if (next === undefined || this.#running.has(list)) continue;
      if (this.#bytes > 0 && this.#bytes + next.bytes > BYTES_AT_ONCE) continue;
      this.#running.add(list);
      this.#bytes += next.bytes;
      void this.#run(next);
    }
  }

  async #run(arrival: Spooled): Promise<void> {
    const isDone = await this.#untilDone(arrival);
    this.#running.delete(arrival.list);
    this.#bytes -= arrival.bytes;
    if (isDone) {
      const waiting = this.#lists.get(arrival.list);
      waiting?.shift();
      // Moved behind the other lists: none has to wait for one that receives very much.
      this.#lists.delete(arrival.list);
      if (waiting && waiting.length > 0) this.#lists.set(arrival.list, waiting);
      this.#count(arrival, -1);
    }
    if (this.#isStopped ? this.#running.size === 0 : this.#all.messages === 0)
      for (const resolve of this.#idle.splice(0)) resolve();
    this.#go();
  }

  /** False: the queue was stopped before it was done. */
  async #untilDone(arrival: Spooled): Promise<boolean> {
    const { deliver, delivered, spool, log } = this.#ports;
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        const as = await deliver(arrival);
        await delivered(arrival, as);
        if (as === 'refused') await spool.putAside(arrival.id);
        else await spool.done(arrival.id);
        if (as === 'refused') log.error('mail_put_aside', { row: arrival.id });
        else log.info(`mail_${as}`, { row: arrival.list });
        return true;
      } catch (error) {
        log.error('mail_waits', errorDetail(error));
      }
      if (!(await this.#pause(retryMs))) return false;
    }
  }

  #pause(ms: number): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        resolve(!this.#isStopped);
      };
      const timer = setTimeout(wake, ms);
      timer.unref();
      this.#sleepers.add(wake);
    });
  }
}

export function createMailQueue(ports: QueuePorts): MailQueue {
  return new RunningQueue(ports);
}
