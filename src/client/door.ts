// A part of the app behind a command: loaded when idle or first wanted. A command goes through it with `Held.enter`
// (held.ts), which keeps the keys that follow. All of them stand in doors.ts.
import { type Lazy, lazy } from './lazy.ts';

export interface Door<T> extends Lazy<T> {
  /** As a sentence about it begins: “Settings” could not be loaded. */
  readonly name: string;
  /** What is typed into it is a task. */
  readonly takesTasks: boolean;
}

export function door<T>(
  name: string,
  bring: () => Promise<T>,
  { takesTasks = false }: { readonly takesTasks?: boolean } = {},
): Door<T> {
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
