// The one way components read the app: a signal's value, re-rendering when it differs.
import { useSyncExternalStore } from 'react';
import type { Signal } from '#client/app/signal.ts';

/** The current value of a signal. The component draws again whenever that changes. */
export function useSignal<T>(signal: Signal<T>): T {
  return useSyncExternalStore(signal.subscribe, signal.get);
}
