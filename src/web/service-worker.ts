// Keeps the app's own files on the device, so that it opens without a network. Knows only /app and what lies below it,
// never the API, and never data: that is in IndexedDB. Built into one file at the fixed address /app/sw.js.

import { listenToPush, type PushScope } from './service-worker-push.ts';

interface Precache {
  /** Changes with the content of any file. */
  readonly version: string;
  readonly files: readonly string[];
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface WorkerScope extends PushScope {
  /** Written in front of this program by the build. */
  readonly precache: Precache;
  readonly clients: PushScope['clients'] & { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  readonly addEventListener: PushScope['addEventListener'] & {
    (type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
    (type: 'fetch', listener: (event: FetchEvent) => void): void;
    (type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  };
}

const worker = globalThis as unknown as WorkerScope;
const { version, files } = worker.precache;
const PREFIX = 'posthaste-app-';
const CACHE = PREFIX + version;
const PAGE = '/app/index.html';
const HASHED = /^\/app\/assets\//;

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Hashed files may come from the browser's own cache; the others must be of this very version.
  await cache.addAll(
    files.map((file) => new Request(file, { cache: HASHED.test(file) ? 'default' : 'reload' })),
  );
}

/** Pages of the version before may still be open and want their lazy parts: that cache stays one version longer. */
async function activate(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

function isOurs(url: URL): boolean {
  if (url.origin !== location.origin) return false;
  if (url.pathname === '/app') return true;
  return url.pathname.startsWith('/app/') && !url.pathname.startsWith('/app/api/');
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const isPage = request.mode === 'navigate';
  const own = await cache.match(isPage ? PAGE : request, { ignoreSearch: isPage, ignoreVary: true });
  if (own) return own;
  const older = await caches.match(request, { ignoreVary: true });
  return older ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', (event) => {
  if (event.data === 'activate') void worker.skipWaiting();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && isOurs(new URL(request.url))) event.respondWith(answer(request));
});
listenToPush(worker);
