// The service worker of this page: registered once, watched for a version that waits. Loaded when the app runs.
import type { WritableSignal } from '#client/app/signal.ts';
import { scriptUrl, SERVICE_WORKER } from './script-url.ts';

const SCOPE = '/app';
const CHECK_AFTER_MS = 3_600_000;

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
    const found = await navigator.serviceWorker.register(scriptUrl(SERVICE_WORKER), { scope: SCOPE });
    follow(found, ready);
    return found;
  } catch (error) {
    console.warn('Working offline won’t survive a reload here.', error);
    return undefined;
  }
}
