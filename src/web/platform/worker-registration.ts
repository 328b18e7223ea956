// The service worker of this page: registered once, watched for a version that waits. Loaded when the app runs.
import type { WritableSignal } from '#client/app/signal.ts';
import { scriptUrl, SERVICE_WORKER } from './script-url.ts';

const SCOPE = '/app';
const CHECK_AFTER_MS = 3_600_000;
/** A first installation that failed is tried again after this. */
const AGAIN_AFTER_MS = 5_000;
/** A worker whose requests hang isn't exchanged before this page, which asked for them, is gone. */
const PATIENCE_MS = 5_000;

function follow(registration: ServiceWorkerRegistration, ready: WritableSignal<string>): void {
  const consider = () => {
    const { waiting, active } = registration;
    // With nothing else active this is the first installation, not an update. WebKit may name one worker as both for a
    // moment, hence its own word about its state.
    const isUpdate = active !== null && active !== waiting && waiting?.state === 'installed';
    if (isUpdate && navigator.serviceWorker.controller) ready.set('Reload for new version');
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

/** `failed` is called when a first installation ends without a worker, as it does when one of its files doesn’t arrive. */
function watchFirst({ active, installing }: ServiceWorkerRegistration, failed: () => void): void {
  if (active || !installing) return;
  installing.addEventListener('statechange', () => {
    if (installing.state === 'redundant') failed();
  });
}

/** Who was on its way here while the worker took over all open pages was left out: it asks to be taken over as well. */
function join({ active }: ServiceWorkerRegistration): void {
  const ask = () => {
    if (active?.state === 'activated' && !navigator.serviceWorker.controller) active.postMessage('claim');
  };
  ask();
  active?.addEventListener('statechange', ask);
}

/** Has a version that waits take over, and reloads into it. */
function take({ waiting }: ServiceWorkerRegistration, reload: () => void): void {
  if (!waiting) {
    reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', reload);
  setTimeout(reload, PATIENCE_MS);
  waiting.postMessage('activate');
}

/**
 * Resolves, after the first try, with what reloads the page into the version that waits, if one does. Where the browser refuses,
 * or the script doesn’t arrive, that is `reload`. An installation that fails is tried again, later each time, until one stands.
 * `ready` is told when a new version waits.
 */
export async function register(
  ready: WritableSignal<string>,
  reload: () => void,
  againAfterMs = AGAIN_AFTER_MS,
): Promise<() => void> {
  // The desktop client has the files of the app with it.
  if (!location.protocol.startsWith('http')) return reload;
  const again = () => {
    const nextMs = Math.min(2 * againAfterMs, CHECK_AFTER_MS);
    setTimeout(() => void register(ready, reload, nextMs), againAfterMs);
  };
  try {
    const found = await navigator.serviceWorker.register(scriptUrl(SERVICE_WORKER), { scope: SCOPE });
    follow(found, ready);
    watchFirst(found, again);
    join(found);
    return () => take(found, reload);
  } catch (error) {
    console.warn('Working offline won’t survive a reload here.', error);
    // Anything else is the browser’s own refusal, which stays.
    if (error instanceof TypeError) again();
    return reload;
  }
}
