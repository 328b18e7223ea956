// Which file of the built app an address of the page means, and how it is answered. Everything else is the server's.
import { appPolicy, importWorkerPolicy, scriptWorkerPolicy } from '#core/page-policies.ts';
import type { Headers } from './shell.ts';

/** The scheme at which the shells serve the app: its pages have storage of their own, whatever server they work with. */
export const appScheme = 'posthaste-app';
/** Its origin for one profile, by the host of that. */
export const originOf = (host: string): string => `${appScheme}://${host}`;
/** The page of the app. */
export const appPage = '/app/';
/** The page that asks for the server. */
export const serverPage = '/app/server';
/** The page that takes away everything that its profile stored. */
export const erasePage = '/app/erase';
/** What the program has besides the built app: its own pages and scripts. */
export const ownFiles: ReadonlySet<string> = new Set([
  'desktop-bridge.js',
  'server.html',
  'server.css',
  'server.js',
  'erase.html',
  'erase.js',
  'custom-code.js',
  'build.json',
]);
/** The version of this copy, and the key of who built it. */
export const buildFile = 'build.json';
/** The person's own code, in the folder that the program has of its own. */
export const customFile = 'custom.js';
/** Where pages find it. */
export const customPath = `/app/${customFile}`;
/** The script that stands before all others in the page; page/bridge.ts is its source. */
export const bridgeFile = 'desktop-bridge.js';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};

const ADDRESS = new RegExp(`^${appScheme}://([a-z\\d-]+)(/[^#]*)?`);

/** The profile and the path, with its query, of an address of ours; null: it is none. */
export function readAddress(address: string): { readonly host: string; readonly path: string } | null {
  const [, host, path = '/'] = ADDRESS.exec(address) ?? [];
  return host === undefined ? null : { host, path };
}

/** Whether a page of this profile may go there by itself. */
export function staysInApp(host: string, address: string): boolean {
  const read = readAddress(address.replace(/^blob:/, ''));
  if (read?.host !== host) return false;
  return address.startsWith('blob:') || /^\/app(?:\/|$)/.test(read.path);
}

const PAGE = 'index.html';
const FILE = /^(?:[\w-]+(?:\.[\w-]+)*\/)*[\w-]+(?:\.[\w-]+)+$/;

/** The path in the built app; null: it is for the server. `path`: of the request, without its query. */
export function fileOf(path: string): string | null {
  if (path === '/app' || path === '/app/' || path === '/app/open' || path.startsWith('/app/open/'))
    return PAGE;
  if (path === serverPage) return 'server.html';
  if (path === erasePage) return 'erase.html';
  if (!path.startsWith('/app/') || path.startsWith('/app/api/')) return null;
  const file = path.slice('/app/'.length);
  return FILE.test(file) ? file : null;
}

const WORKERS: readonly (readonly [pattern: RegExp, policy: string])[] = [
  [/^assets\/script-worker-[\w-]+\.js$/, scriptWorkerPolicy],
  [/^assets\/import-worker-[\w-]+\.js$/, importWorkerPolicy],
];

/** How a file is answered. */
export function headersOf(file: string): Headers {
  const ending = file.slice(file.lastIndexOf('.') + 1);
  const [, policy = appPolicy({})] = WORKERS.find(([pattern]) => pattern.test(file)) ?? [];
  return {
    'content-type': TYPES[ending] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

/** The page with the script before all others. `server`: its origin, for links to its pages; null: none yet. */
export function withBridge(page: string, server: string | null): string {
  const named = server === null ? '' : `<meta name="posthaste-server" content="${server}" />`;
  return page.replace('<head>', `<head>${named}<script src="/app/${bridgeFile}"></script>`);
}
