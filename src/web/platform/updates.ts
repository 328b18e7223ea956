// New versions of the app: has the service worker registered (worker-registration.ts), and offers a version that waits. It is taken only when
// the person asks, or at a cold start; a page in use is never exchanged under their hands.
import { createSignal, type WritableSignal } from '#client/app/signal.ts';

/** A page that was asked to reload is on its way by then. */
const AGAIN_MS = 250;

/** WebKit forgets it when the page is asked to go back right after, as it is when the palette closes: it is asked again until it leaves. */
export function reloadPage(): void {
  const again = setInterval(() => location.reload(), AGAIN_MS);
  addEventListener('beforeunload', () => clearInterval(again));
  location.reload();
}

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
  let taking: Promise<() => void> | null = null;
  return {
    ready,
    start() {
      if (import.meta.env.DEV || !('serviceWorker' in navigator) || taking) return;
      // A page that cannot load it has no network, and asks at the next start.
      taking = import('./worker-registration.ts').then(
        ({ register }) => register(ready, reloadPage),
        () => reloadPage,
      );
    },
    async reload() {
      const take = (await taking) ?? reloadPage;
      take();
    },
  };
}

/** Of this page: there is one service worker, whichever profile runs. */
export const updates = createUpdates();
