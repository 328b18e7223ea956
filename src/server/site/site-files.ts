// The built public site, from its folder: pages cached in memory with the origin inserted and without parts that do not
// apply to this server, each compressed once, and the files beside them. Without a build there is no site, and everything
// is 404.
import { DAY_MS } from '#core/time.ts';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as z from 'zod';
import { resolveConditions, type SiteCondition, siteConditions } from '#wire/site-conditions.ts';
import type { ReleaseManifest } from '#wire/releases/release.ts';
import type { Config } from '../config.ts';
import { acceptedEncoding } from '../http/compress.ts';
import { isHeld } from '../http/etag.ts';
import { rangeAnswer } from '../http/range.ts';

const tableSchema = z.object({
  pages: z.record(
    z.string(),
    z.object({ file: z.string(), isSecret: z.boolean(), outcomes: z.record(z.string(), z.string()) }),
  ),
  guides: z.array(z.string()),
  redirects: z.record(z.string(), z.string()),
  /** Style sheet and script that stand in each page; absent in builds that have files of them. */
  inline: z.optional(z.object({ style: z.string(), script: z.string() })),
  /** What the page of a public link is made with; absent in builds that have none. */
  publicList: z.optional(
    z.object({
      script: z.string(),
      imports: z.array(z.string()),
      start: z.string(),
      fonts: z.array(z.string()),
      style: z.string(),
    }),
  ),
});
export type SiteTable = z.infer<typeof tableSchema>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.zip': 'application/zip',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.avif': 'image/avif',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.vtt': 'text/vtt; charset=utf-8',
};
/** File types in which the origin is inserted. */
const WITH_ORIGIN = new Set(['.html', '.txt', '.xml', '.md']);
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.md', '.txt', '.xml', '.svg']);
const SMALLEST_WORTH_COMPRESSING = 1_024;
const BROTLI_QUALITY = 9;
/** Texts are cached for so many origins; without PUBLIC_URL a visitor's Host header determines the origin. */
const MOST_ORIGINS = 4;
const KEPT_BYTES = 64 * 1024 * 1024;
const SECURITY_TEXT_MS = 180 * DAY_MS;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

interface Kept {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly type: string;
  readonly isCompressible: boolean;
  readonly isSeekable: boolean;
  /** The inserted content. Other content means rendering again. */
  readonly filledWith: string;
  br?: Promise<Uint8Array<ArrayBuffer>>;
  gzip?: Promise<Uint8Array<ArrayBuffer>>;
}

export interface Asked {
  readonly request: Request;
  readonly origin: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Dynamic content for `<span data-fill>` in the text: markup by name. */
  readonly fills?: Readonly<Record<string, string>>;
}

/** The files of the built site. */
export interface SiteFiles {
  /** Null: the site has not been built here. */
  table(): Promise<SiteTable | null>;
  /** A file by its path inside the folder; null: there is none. */
  answer(path: string, asked: Asked): Promise<Response | null>;
}

const isPlain = (path: string) =>
  !path.includes('\0') &&
  !path.includes('\\') &&
  path
    .split('/')
    .every((part) => part !== '' && part !== '..' && (!part.startsWith('.') || part === '.well-known'));

const bytesOf = (buffer: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** Uncompressed, whole or the requested range: players seek that way. */
function plainly(
  { plain, isSeekable }: Kept,
  {
    request,
    status,
    headers,
  }: {
    readonly request: Request;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  },
): Response | Promise<Response> {
  if (!isSeekable) return new Response(plain, { status, headers });
  // A range of an older version would not fit what the player has.
  const isSame = [null, headers['etag']].includes(request.headers.get('if-range'));
  return rangeAnswer(isSame ? request.headers.get('range') : null, plain.length, headers, (range) =>
    range === null ? plain : plain.subarray(range.from, range.to + 1),
  );
}

const NO_CONDITIONS: ReadonlySet<SiteCondition> = new Set();

/** What is put into a text. */
interface Filling {
  readonly origin: string;
  readonly fills: Readonly<Record<string, string>>;
  readonly holding: ReadonlySet<SiteCondition>;
}

class FolderSite implements SiteFiles {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #holding: () => Promise<ReadonlySet<SiteCondition>>;
  readonly #kept = new Map<string, Kept>();
  readonly #origins = new Set<string>();
  #keptBytes = 0;
  #table: { readonly modifiedMs: number; readonly table: SiteTable } | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, now: () => number, holding: () => Promise<ReadonlySet<SiteCondition>>) {
    this.#folder = folder;
    this.#now = now;
    this.#holding = holding;
  }

  async table(): Promise<SiteTable | null> {
    // A new build is noticed within a second.
    if (this.#table && this.#now() - this.#checkedAt < 1_000) return this.#table.table;
    this.#checkedAt = this.#now();
    const path = join(this.#folder, 'site.json');
    const found = await stat(path).catch(() => null);
    if (!found) return this.#table?.table ?? null;
    if (this.#table?.modifiedMs !== found.mtimeMs) {
      this.#forget();
      const table = tableSchema.parse(JSON.parse(await readFile(path, 'utf8')));
      this.#table = { modifiedMs: found.mtimeMs, table };
    }
    return this.#table.table;
  }

  async answer(
    path: string,
    { request, origin, headers = {}, status = 200, fills = {} }: Asked,
  ): Promise<Response | null> {
    const kept = await this.#load(path, origin, fills);
    if (!kept) return null;
    const encoding = kept.isCompressible
      ? acceptedEncoding(request.headers.get('accept-encoding'), ['br', 'gzip'])
      : null;
    const etag = encoding === null ? `"${kept.etag}"` : `"${kept.etag}-${encoding}"`;
    const isForever = path.startsWith('files/assets/');
    const all: Record<string, string> = {
      'content-type': kept.type,
      'cache-control': isForever ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      etag,
      ...(kept.isCompressible ? { vary: 'Accept-Encoding' } : {}),
      ...headers,
    };
    if (status === 200 && isHeld(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: all });
    if (encoding === null) return plainly(kept, { request, status, headers: all });
    const body = await this.#compressed(kept, encoding === 'br' ? 'br' : 'gzip');
    return new Response(body, { status, headers: { ...all, 'content-encoding': encoding } });
  }

  #forget(): void {
    this.#kept.clear();
    this.#origins.clear();
    this.#keptBytes = 0;
  }

  async #load(path: string, origin: string, fills: Readonly<Record<string, string>>): Promise<Kept | null> {
    const extension = extname(path);
    const type = TYPES[extension];
    if (type === undefined || !isPlain(path)) return null;
    const hasOrigin = WITH_ORIGIN.has(extension);
    const key = hasOrigin ? `${origin} ${path}` : path;
    const holding = hasOrigin ? await this.#holding() : NO_CONDITIONS;
    const filledWith = [...holding, ...Object.values(fills)].join('\n');
    const known = this.#kept.get(key);
    if (known?.filledWith === filledWith) return known;
    // A missing file is an ordinary answer.
    const raw = await readFile(join(this.#folder, path)).catch(() => null);
    if (!raw) return null;
    const plain = bytesOf(
      hasOrigin ? Buffer.from(this.#filled(raw.toString('utf8'), { origin, fills, holding })) : raw,
    );
    const kept: Kept = {
      plain,
      etag: createHash('sha256').update(plain).digest('base64url').slice(0, 16),
      type: path.endsWith('speculation-rules.json') ? 'application/speculationrules+json' : type,
      isSeekable: type.startsWith('video/'),
      filledWith,
      isCompressible: COMPRESSIBLE.has(extension) && plain.length >= SMALLEST_WORTH_COMPRESSING,
    };
    this.#origins.add(origin);
    if (this.#origins.size > MOST_ORIGINS || this.#keptBytes + plain.length > KEPT_BYTES) this.#forget();
    this.#keptBytes += plain.length - (this.#kept.get(key)?.plain.length ?? 0);
    this.#kept.set(key, kept);
    return kept;
  }

  #filled(text: string, { origin, fills, holding }: Filling): string {
    const expires = new Date(this.#now() + SECURITY_TEXT_MS).toISOString();
    // Filled in last, so that nothing in foreign text is replaced.
    return resolveConditions(text, holding)
      .replaceAll('%ORIGIN%', origin)
      .replaceAll('%EXPIRES%', expires)
      .replaceAll(/<span data-fill="([a-z]+)"><\/span>/g, (place, name: string) => fills[name] ?? place);
  }

  #compressed(kept: Kept, encoding: 'br' | 'gzip'): Promise<Uint8Array<ArrayBuffer>> {
    if (encoding === 'br')
      return (kept.br ??= brotli(kept.plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: kept.plain.length,
        },
      }).then(bytesOf));
    return (kept.gzip ??= gzipped(kept.plain, { level: 9 }).then(bytesOf));
  }
}

/** `now` in wall milliseconds; `holding`: the conditions under which parts of pages are shown. */
export function createSiteFiles(
  folder: string,
  now: () => number,
  holding: () => Promise<ReadonlySet<SiteCondition>>,
): SiteFiles {
  return new FolderSite(folder, now, holding);
}

/** The conditions that hold on this server. `release`: the newest files of the desktop client. */
export function conditionsOf(config: Config, release: ReleaseManifest | null): ReadonlySet<SiteCondition> {
  const hasMac =
    config.downloadUrl !== null || release?.files.some(({ platform }) => platform === 'mac') === true;
  const holds: Readonly<Record<SiteCondition, boolean>> = {
    installer: hasMac,
    desktop: release !== null,
    phone: config.downloadUrl !== null || config.appStoreUrl !== null,
    store: config.appStoreUrl !== null,
    social: config.socialUrl !== null,
    community: config.communityUrl !== null,
    mail: config.smtpUrl !== null,
    inbox: config.mailDomain !== null,
    billing: config.billing !== null,
  };
  return new Set(siteConditions.filter((condition) => holds[condition]));
}
