// Has calendar files, and answers of CalDAV servers, read one after another in a thread, which is ended when one takes too much time or memory; the next file gets a new one.
import { Worker } from 'node:worker_threads';
import type { ReadCalendar } from '#core/calendar/events.ts';
import type { Result } from '#core/result.ts';
import type { SourceProblem } from './problems.ts';
import type { Asked, AskedDav, ReadAnswer, Said, SaidOfDav } from './reading-worker.ts';

const HEAP_MB = 512;
/** A thread takes a moment to start. */
const START_MS = 10_000;

/** Reads files of calendars. */
export interface CalendarReader {
  /** Never rejects. Takes the bytes away. */
  read(asked: Asked): Promise<Result<ReadCalendar, SourceProblem>>;
  /** An answer of a CalDAV server, likewise. */
  readDav(asked: Asked): Promise<Result<ReadAnswer, SourceProblem>>;
  /** Ends what is under way: it counts as unreadable. */
  close(): Promise<void>;
}

type Unreadable = { readonly ok: false; readonly problem: 'unreadable' };

class ThreadReader implements CalendarReader {
  readonly #deadlineMs: number;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  read(asked: Asked): Promise<Result<ReadCalendar, SourceProblem>> {
    return this.#queue<Said>(asked);
  }

  readDav(asked: Asked): Promise<Result<ReadAnswer, SourceProblem>> {
    return this.#queue<SaidOfDav>({ ...asked, isDav: true });
  }

  #queue<S extends Said | SaidOfDav>(asked: Asked | AskedDav): Promise<S | Unreadable> {
    const next = this.#last.then(() => this.#readOne<S>(asked));
    this.#last = next;
    return next;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #readOne<S>(asked: Asked | AskedDav): Promise<S | Unreadable> {
    return new Promise((resolve) => {
      const isNew = this.#worker === null;
      const worker = (this.#worker ??= this.#start());
      const end = (result: S | Unreadable) => {
        clearTimeout(late);
        worker.off('message', end).off('error', giveUp).off('exit', giveUp);
        resolve(result);
      };
      const giveUp = () => {
        if (this.#worker === worker) this.#worker = null;
        end({ ok: false, problem: 'unreadable' });
        void worker.terminate();
      };
      const late = setTimeout(giveUp, this.#deadlineMs + (isNew ? START_MS : 0));
      worker.on('message', end);
      worker.on('error', giveUp).on('exit', giveUp);
      worker.postMessage(asked, [asked.bytes.buffer]);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stdin: false,
    });
    // Between two files: the next one gets a new thread.
    const gone = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on('error', gone).on('exit', gone);
    // An idle thread keeps no process alive.
    worker.unref();
    return worker;
  }
}

/** Reads each file within a deadline, in milliseconds. */
export const createCalendarReader = (deadlineMs: number): CalendarReader => new ThreadReader(deadlineMs);
