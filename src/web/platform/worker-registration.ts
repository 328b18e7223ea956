// The service worker of this page: registered once, watched for a version that waits. Loaded when the app runs.
import type { WritableSignal } from '#client/signal.ts';

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

function follow(registration: ServiceWorkerRegistration, ready: WritableSignal<boolean>): void {
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

/** Undefined where the browser refuses. `ready` is told when a new version waits for a reload. */
export async function register(
  ready: WritableSignal<boolean>,
): Promise<ServiceWorkerRegistration | undefined> {
  try {
    const found = await navigator.serviceWorker.register(workerUrl(), { scope: SCOPE });
    follow(found, ready);
    return found;
  } catch (error) {
    console.warn('Working without a network will not survive a reload here.', error);
    return undefined;
  }
}
