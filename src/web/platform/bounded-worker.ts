// A worker for code that may never end: a job that takes longer than it may ends the worker. Who uses one makes a new one
// then.
import { scriptUrl } from './script-url.ts';
import type { WorkerNews } from './worker-news.ts';
import { timers } from './world.ts';

/** Until the worker's script has come, and until it takes up a job. */
const LOADING_MS = 10_000;

/** How a job ended without an answer. */
export type Unanswered = 'slow' | 'broken';

/** One worker, as long as nothing has gone wrong with it. Jobs come one after the other. */
export class BoundedWorker<Job, Answer, Note = never> {
  readonly #worker: Worker;
  /** False: it could not be had. */
  readonly ready: Promise<boolean>;

  /** `url` is one of those in script-url.ts. */
  constructor(url: string, name: string) {
    this.#worker = new Worker(scriptUrl(url), { type: 'module', name });
    this.ready = new Promise((resolve) => {
      const cancel = timers.after(LOADING_MS, () => resolve(false));
      const settle = (isReady: boolean) => {
        cancel();
        resolve(isReady);
      };
      this.#worker.addEventListener('message', () => settle(true), { once: true });
      this.#worker.addEventListener('error', () => settle(false), { once: true });
    });
  }

  /** The limit is for the work itself: a busy machine may let it wait before. */
  run(
    job: Job,
    limitMs: number,
    hearNote: (note: Note) => void = () => undefined,
  ): Promise<{ readonly answer: Answer } | Unanswered> {
    return new Promise((resolve) => {
      const listening = new AbortController();
      const { signal } = listening;
      const settle = (end: { readonly answer: Answer } | Unanswered) => {
        cancel();
        listening.abort();
        resolve(end);
      };
      let cancel = timers.after(LOADING_MS, () => settle('broken'));
      const hear = ({ data }: MessageEvent<WorkerNews<Answer, Note>>) => {
        if (data === 'ready') return;
        if (data === 'begun') {
          cancel();
          cancel = timers.after(limitMs, () => settle('slow'));
        } else if ('note' in data) hearNote(data.note);
        else settle(data);
      };
      this.#worker.addEventListener('message', hear, { signal });
      this.#worker.addEventListener('error', () => settle('broken'), { signal });
      this.#worker.postMessage(job);
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}
