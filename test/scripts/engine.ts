// The JavaScript engine of macros in Node: its file, and a thread in which scripts run as they do in a browser's worker.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { failed, ok, type Result } from '#core/result.ts';
import type { ScriptPort } from '#client/macros/script/port.ts';
import { packed } from '#web/platform/scripts/packing.ts';
import { complaint, type Complaint } from '#client/macros/script/returned.ts';
import { sentences } from '#web/platform/scripts/thrown.ts';
import { createGuest, type GuestJob } from '#web/platform/scripts/guest.ts';

const FILE = new URL(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));

/** Longer than in a browser: how busy the machine is does not change what a script comes to. */
const END_MS = 2_000;

/** The content of the engine's file, in memory of its own. */
export function engineBytes(): ArrayBuffer {
  return new Uint8Array(readFileSync(FILE)).buffer;
}

export interface ThreadEnd {
  readonly answer: Result<Readonly<Record<string, string>>, Complaint>;
  readonly isSpent: boolean;
  readonly log: readonly string[];
  /** From the beginning of the script's own code. */
  readonly ms: number;
}

/** What a thread tells: the script's code begins, or it has ended. */
export type ThreadNews = 'begun' | Omit<ThreadEnd, 'ms'>;

/** Ends a thread from outside like runner.ts does, and goes on in a new one. */
export class ScriptThreads {
  #thread: Worker | null = null;
  readonly #speed: number;
  /** How many were thrown away. */
  thrownAway = 0;

  /** `speed`: how many times faster a script's time runs out than it does for people. */
  constructor(speed = 1) {
    this.#speed = speed;
  }

  async run(job: GuestJob): Promise<ThreadEnd> {
    const file = new URL('./engine-thread.ts', import.meta.url);
    const thread = (this.#thread ??= new Worker(file, { workerData: this.#speed }));
    let beganAt = 0;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadEnd>();
    let timer: NodeJS.Timeout | undefined;
    const hear = (news: ThreadNews): void => {
      if (news !== 'begun') return resolve({ ...news, ms: performance.now() - beganAt });
      beganAt = performance.now();
      timer = setTimeout(() => {
        const answer = failed(complaint('slow', sentences.slow));
        resolve({ answer, isSpent: true, log: [], ms: performance.now() - beganAt });
      }, END_MS / this.#speed);
    };
    thread.on('message', hear);
    thread.once('error', reject);
    thread.postMessage(job);
    try {
      const end = await promise;
      if (end.isSpent) {
        this.thrownAway += 1;
        await this.close();
      }
      return end;
    } finally {
      clearTimeout(timer);
      thread.off('message', hear);
      thread.off('error', reject);
    }
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = null;
  }
}

/** The state with one task in an open list, as runner.ts sends it. */
export const SMALL_STATE = JSON.stringify({
  tasks: [{ id: 't', title: 'Buy milk', notes: '', labels: [], metadata: {} }],
  selected: [0],
  list: { id: 'l', name: 'Errands', listType: 'list' },
  listTasks: [0],
  now: '2026-11-28T08:00:00.000Z',
  zone: 'Europe/Paris',
  today: '2026-11-28',
});

/** The engine without a worker, for scripts that end: time stands still for them. */
export async function plainScripts(): Promise<ScriptPort> {
  const guest = await createGuest(engineBytes());
  return {
    async run({ source, variables, state }) {
      const log: string[] = [];
      const job = { source, variables: JSON.stringify(variables), state: packed(state) };
      const { answer } = await guest.run(job, {
        now: () => 0,
        begun: () => undefined,
        wrote: (line) => void log.push(line),
      });
      return answer.ok ? ok({ variables: answer.value, log }) : failed({ ...answer.problem, log });
    },
  };
}
