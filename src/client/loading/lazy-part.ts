// A part of the app behind a command: loaded when idle or first needed. Commands reach it through `InputQueue.enter`
// (input-queue.ts), which queues the keys that follow. All of them are listed in lazy-parts.ts.
import { type Lazy, lazy } from './lazy.ts';

/** A part of the app that is loaded when it is first needed. */
export interface LazyPart<T> extends Lazy<T> {
  /** Begins a sentence about it: “Settings” could not be loaded. */
  readonly name: string;
  /** Keys typed while it loads are a task. */
  readonly takesTasks: boolean;
}

/** Defines a lazy part. Name it in lazy-parts.ts too, so that it is loaded when idle. */
export function lazyPart<T>(
  name: string,
  bring: () => Promise<T>,
  { takesTasks = false }: { readonly takesTasks?: boolean } = {},
): LazyPart<T> {
  const part = lazy(bring);
  return {
    name,
    takesTasks,
    get now() {
      return part.now;
    },
    load: () => part.load(),
  };
}
