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
const LINK = /^\/app\/open(?:\/|$)/;
/** Where the server does not answer by then, the app opens without. */
const FROM_MS = 1_500;
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

/** What the browser has told the server of where the navigation came from; null: it cannot be asked. */
async function whereFrom(request: Request): Promise<string | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), FROM_MS);
  });
  const asked = fetch(request).then(
    (said) => said.headers.get('server-timing'),
    () => null,
  );
  return Promise.race([asked, late]);
}

/** A link that may add something: the page is our own, with what only the server hears about the navigation. */
async function answerLink(request: Request): Promise<Response> {
  const isOwn = request.referrer.startsWith(`${location.origin}/`);
  const [page, from] = await Promise.all([answer(request), isOwn ? null : whereFrom(request)]);
  if (from === null) return page;
  const headers = new Headers(page.headers);
  headers.set('server-timing', from);
  return new Response(page.body, { status: page.status, headers });
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', (event) => {
  if (event.data === 'activate') void worker.skipWaiting();
  if (event.data === 'claim') void worker.clients.claim();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !isOurs(url)) return;
  const isLink = request.mode === 'navigate' && LINK.test(url.pathname);
  event.respondWith(isLink ? answerLink(request) : answer(request));
});
listenToPush(worker);
