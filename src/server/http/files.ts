// Serves the built web app from its folder: copies compressed at build time, hashed files cached for ever, pages
// revalidated. Only files in the folder, and no source maps.
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { acceptedEncoding } from './compress.ts';
import { isHeld } from './etag.ts';
import { refusal } from './answer.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.vtt': 'text/vtt; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Files named by their content: `name-<hash>.js` under assets/. */
const HASHED = /^assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

const OWN_POLICY = /^assets\/(script-worker|import-worker)-[\w-]+\.js$/;

/** The kind of headers for the file of a worker that has a policy of its own; null: it is no such file. */
export function workerHeaders(path: string): 'script-worker' | 'import-worker' | null {
  const [, name] = OWN_POLICY.exec(path) ?? [];
  return name === 'script-worker' || name === 'import-worker' ? name : null;
}

interface KeptFile {
  readonly modifiedMs: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const WORKER = 'sw.js';
/** Replaces the worker to remove it; made by the build. */
const WORKER_REMOVAL = 'sw-removal.js';

const KEPT_BYTES = 64 * 1024 * 1024;

export interface AppFiles {
  /** A file by its decoded path inside the folder, `assets/x.js`. Null: there is none. */
  file(path: string, request: Request): Promise<Response | null>;
  /** The app's page. */
  page(request: Request): Promise<Response>;
}

/** True for a relative path of plain names. */
function isInside(path: string): boolean {
  if (path.includes('\0') || path.includes('\\')) return false;
  return path.split('/').every((part) => part !== '' && !part.startsWith('.'));
}

const LINK = /^\/app\/open(?:\/|$)/;
const SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site', 'same-origin', 'none']);

/**
 * Tells the page where a navigation came from: scripts cannot see that if the earlier page withholds the referrer, and a
 * link that adds something must know.
 */
function sayWhereFrom({ headers }: Response, request: Request): void {
  const site = request.headers.get('sec-fetch-site') ?? '';
  if (!SITES.has(site) || !LINK.test(new URL(request.url).pathname)) return;
  headers.set('server-timing', `from;desc="${site}"`);
  // Valid for this navigation only.
  headers.set('cache-control', 'no-store');
}

/** `workerIsOff`: browsers get a script that removes the service worker instead of it. */
export function createAppFiles(folder: string, workerIsOff = false): AppFiles {
  const kept = new Map<string, KeptFile>();
  let keptBytes = 0;

  async function load(path: string): Promise<KeptFile | null> {
    const full = join(folder, path);
    // A missing file is an ordinary answer.
    const found = await stat(full).catch(() => null);
    if (!found?.isFile()) return null;
    const known = kept.get(path);
    if (known?.modifiedMs === found.mtimeMs && known.bytes.length === found.size) return known;
    const bytes = new Uint8Array(await readFile(full));
    const file: KeptFile = { modifiedMs: found.mtimeMs, bytes };
    keptBytes += bytes.length - (known?.bytes.length ?? 0);
    if (keptBytes > KEPT_BYTES) {
      kept.clear();
      keptBytes = bytes.length;
    }
    kept.set(path, file);
    return file;
  }

  async function file(path: string, request: Request): Promise<Response | null> {
    const type = TYPES[extname(path)];
    if (type === undefined || !isInside(path)) return null;
    const encoding = acceptedEncoding(request.headers.get('accept-encoding'), ['br', 'gzip']);
    const source = path === WORKER && workerIsOff ? WORKER_REMOVAL : path;
    const plain = await load(source);
    if (!plain) return null;
    const small = encoding === null ? null : await load(`${source}.${encoding === 'br' ? 'br' : 'gz'}`);
    const tag = `"${plain.modifiedMs.toString(36)}-${plain.bytes.length.toString(36)}${small && encoding ? `-${encoding}` : ''}"`;
    const headers: Record<string, string> = {
      'content-type': type,
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: tag,
      vary: 'Accept-Encoding',
      // A worker script may serve the whole app only with this header.
      ...(path === WORKER ? { 'service-worker-allowed': '/app' } : {}),
    };
    if (isHeld(request.headers.get('if-none-match'), tag))
      return new Response(null, { status: 304, headers });
    if (small && encoding) headers['content-encoding'] = encoding;
    return new Response((small ?? plain).bytes, { headers });
  }

  return {
    file,
    async page(request) {
      const page = await file('index.html', request);
      if (page) sayWhereFrom(page, request);
      return (
        page ??
        refusal('busy', 'The web app isn\'t built yet. Run "npm start" to build it.', {
          retryAfterMs: 60_000,
        })
      );
    },
  };
}
