// New versions of the app: registers the service worker, notices a waiting version and offers it. It is taken only when
// the person asks, or at a cold start; a page in use is never exchanged under their hands.
import { createSignal, type Signal } from '#client/signal.ts';

const WORKER = '/app/sw.js';
const SCOPE = '/app';
const CHECK_AFTER_MS = 3_600_000;

const ready = createSignal(false);

/** True when a new version waits for a reload. */
export const updateReady: Signal<boolean> = ready;

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

function watch(registration: ServiceWorkerRegistration): void {
  const consider = () => {
    // Without a controller this is the first installation, not an update.
    if (registration.waiting && navigator.serviceWorker.controller) ready.set(true);
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

let registration: Promise<ServiceWorkerRegistration | undefined> | null = null;

/** Registers once per page, after the app runs. */
export function startUpdates(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator) || registration) return;
  registration = navigator.serviceWorker
    .register(workerUrl(), { scope: SCOPE })
    .then((found) => {
      watch(found);
      return found;
    })
    .catch((error: unknown) => {
      console.warn('Working without a network will not survive a reload here.', error);
      return undefined;
    });
}

/** Reloads into the waiting version if there is one. */
export async function reloadApp(): Promise<void> {
  const found = await registration;
  if (!found?.waiting) {
    location.reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  found.waiting.postMessage('activate');
}
