// Parses messages one after another in a thread that is terminated when one takes too much time or memory.
import { Worker } from 'node:worker_threads';
import type { Draft } from './draft.ts';
import type { Said } from './reading-worker.ts';
import type { Scan } from './scan.ts';

export interface ReadMessage {
  /** Null: even scanning failed. */
  readonly scan: Scan | null;
  /** Null: unreadable. */
  readonly draft: Draft | null;
}

export interface Reader {
  /** Never rejects because of the message. Transfers the bytes away. */
  read(raw: Uint8Array<ArrayBuffer>): Promise<ReadMessage>;
  close(): Promise<void>;
}

/**
 * For a small message; a large one has the same again for every few megabytes, so that its files are read on a busy
 * machine.
 */
const DEADLINE_MS = 5_000;
const BYTES_PER_DEADLINE = 4 * 1_048_576;
/** A thread takes a moment to start. */
const START_MS = 10_000;
const HEAP_MB = 256;

interface Waiting {
  readonly raw: Uint8Array<ArrayBuffer>;
  readonly resolve: (read: ReadMessage) => void;
}

class ThreadReader implements Reader {
  readonly #deadlineMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | null = null;
  #isReady = false;
  #current: Waiting | null = null;
  #scan: Scan | null = null;
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  read(raw: Uint8Array<ArrayBuffer>): Promise<ReadMessage> {
    return new Promise((resolve) => {
      this.#queue.push({ raw, resolve });
      this.#next();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#late);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#current = next;
    this.#scan = null;
    const worker = (this.#worker ??= this.#start());
    const size = 1 + next.raw.length / BYTES_PER_DEADLINE;
    const patience = size * this.#deadlineMs + (this.#isReady ? 0 : START_MS);
    this.#late = setTimeout(() => this.#giveUp(worker), patience);
    worker.postMessage(next.raw, [next.raw.buffer]);
  }

  #start(): Worker {
    this.#isReady = false;
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // An idle thread keeps no process alive.
      stdin: false,
    });
    worker.on('message', (said: Said) => {
      if (worker !== this.#worker) return;
      this.#isReady = true;
      if (said.type === 'scanned') this.#scan = said.scan;
      else this.#answer(said.draft);
    });
    // Out of memory, or a defect: this message counts as unreadable, the next one gets a new thread.
    worker.on('error', () => this.#giveUp(worker));
    worker.on('exit', () => this.#giveUp(worker));
    worker.unref();
    return worker;
  }

  #giveUp(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    void worker.terminate();
    this.#answer(null);
  }

  #answer(draft: Draft | null): void {
    clearTimeout(this.#late);
    const current = this.#current;
    this.#current = null;
    current?.resolve({ scan: this.#scan, draft });
    this.#next();
  }
}

export function createReader(deadlineMs = DEADLINE_MS): Reader {
  return new ThreadReader(deadlineMs);
}
