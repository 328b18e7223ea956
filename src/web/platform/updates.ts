// New versions of the app: registers the service worker, notices a waiting version and offers it. It is taken only when
// the person asks, or at a cold start; a page in use is never exchanged under their hands.
import { createSignal, type Signal, type WritableSignal } from '#client/signal.ts';

const WORKER = '/app/sw.js';
const SCOPE = '/app';
const CHECK_AFTER_MS = 3_600_000;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/** The policy lets exactly one address become a script. */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return WORKER;
  const policy = trustedTypes.createPolicy('app', {
    createScriptURL(url) {
      if (url !== WORKER) throw new TypeError('Only the service worker may be loaded as a script.');
      return url;
    },
  });
  return policy.createScriptURL(WORKER);
}

function watch(registration: ServiceWorkerRegistration, ready: WritableSignal<boolean>): void {
  const consider = () => {
    const { waiting, active } = registration;
    // With nothing else active this is the first installation, not an update. WebKit may name one worker as both for a
    // moment, hence its own word about its state.
    const isUpdate = active !== null && active !== waiting && waiting?.state === 'installed';
    if (isUpdate && navigator.serviceWorker.controller) ready.set(true);
  };
  consider();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', consider);
  });
  let checkedAt = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - checkedAt < CHECK_AFTER_MS) return;
    checkedAt = performance.now();
    // Offline: the next time will do.
    registration.update().catch(() => {});
  });
}

export interface Updates {
  /** True when a new version waits for a reload. */
  readonly ready: Signal<boolean>;
  /** Registers once, after the app runs. */
  start(): void;
  /** Reloads into the waiting version if there is one. */
  reload(): Promise<void>;
}

function createUpdates(): Updates {
  const ready = createSignal(false);
  let registration: Promise<ServiceWorkerRegistration | undefined> | null = null;
  return {
    ready,
    start() {
      if (import.meta.env.DEV || !('serviceWorker' in navigator) || registration) return;
      registration = navigator.serviceWorker
        .register(workerUrl(), { scope: SCOPE })
        .then((found) => {
          watch(found, ready);
          return found;
        })
        .catch((error: unknown) => {
          console.warn('Working without a network will not survive a reload here.', error);
          return undefined;
        });
    },
    async reload() {
      const found = await registration;
      if (!found?.waiting) {
        location.reload();
        return;
      }
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      found.waiting.postMessage('activate');
    },
  };
}

/** Of this page: there is one service worker, whichever profile runs. */
export const updates = createUpdates();
