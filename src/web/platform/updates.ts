// New versions of the app: has the service worker registered (worker-registration.ts), and offers a version that waits. It is taken only when
// the person asks, or at a cold start; a page in use is never exchanged under their hands.
import { createSignal, type WritableSignal } from '#client/app/signal.ts';

/** A worker whose requests hang isn't exchanged before this page, which asked for them, is gone. */
const PATIENCE_MS = 5_000;

export interface Updates {
  /** What the button says that takes a new version; empty: none waits. */
  readonly ready: WritableSignal<string>;
  /** Registers once, after the app runs. */
  start(): void;
  /** Reloads into the waiting version if there is one. */
  reload(): Promise<void>;
}

function createUpdates(): Updates {
  const ready = createSignal('');
  let registration: Promise<ServiceWorkerRegistration | undefined> | null = null;
  return {
    ready,
    start() {
      if (import.meta.env.DEV || !('serviceWorker' in navigator) || registration) return;
      // A page that cannot load it has no network, and asks at the next start.
      registration = import('./worker-registration.ts').then(
        ({ register }) => register(ready),
        () => undefined,
      );
    },
    async reload() {
      const found = await registration;
      if (!found?.waiting) {
        location.reload();
        return;
      }
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
      setTimeout(() => location.reload(), PATIENCE_MS);
      found.waiting.postMessage('activate');
    },
  };
}

/** Of this page: there is one service worker, whichever profile runs. */
export const updates = createUpdates();
