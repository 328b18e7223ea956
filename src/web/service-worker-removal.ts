// What the server gives browsers at /app/sw.js in place of service-worker.ts while its operator has switched that off: takes
// itself and the files that were kept away, and reloads open pages, which from then on come from the network. Data is in
// IndexedDB and stays. Imports nothing: it must work when something else does not.

interface ActivateEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: {
      type: 'window';
    }): Promise<readonly { readonly url: string; navigate(url: string): Promise<unknown> }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ActivateEvent) => void): void;
}

const worker = globalThis as unknown as WorkerScope;
/** How service-worker.ts names its caches. */
const PREFIX = 'posthaste-app-';

async function remove(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
  await worker.registration.unregister();
  // Pages of the worker before. A page that loads afterwards has none, so it is not reloaded again.
  const pages = await worker.clients.matchAll({ type: 'window' });
  // To an address with a fragment a page would only scroll. One that is closed meanwhile has nothing to reload.
  await Promise.allSettled(pages.map((page) => page.navigate(page.url.replace(/#.*/, ''))));
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(remove()));
