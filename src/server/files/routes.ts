// Endpoints of attached files: content is uploaded to a scope, and downloaded through an attachment in it, by the web app
// with its cookie and by programs with a link. Anyone who may read the scope may read its files; each request is checked.
// The browser itself never displays what is sent.
import type { Kysely } from 'kysely';
import { parseId, type Id } from '#core/ids.ts';
import { pictureType, safeFileName, SIGNATURE_BYTES } from '#core/file-types.ts';
import { fileLimits } from '#wire/files.ts';
import { actorOf, type ActorPorts } from '../access/actor.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { Tables } from '../data/tables.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Blobs, Range } from './blobs.ts';
import type { Limiter } from '../limits/rates.ts';
import type { FileLedger } from './ledger.ts';
import type { FileLinks } from './links.ts';

/** What the file endpoints need. */
export interface FileRoutePorts extends ActorPorts {
  readonly blobs: Blobs;
  readonly fileLedger: FileLedger;
  readonly fileLinks: FileLinks;
  readonly limiter: Limiter;
  readonly db: Kysely<Tables>;
  /** Whether files are accepted: they are refused long before the disk is full, which is kept for smaller data. */
  readonly hasRoomForFiles: () => boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const nothing = () => refusal('not_found', "That file doesn't exist.");
const MB = 1_048_576;
const FULL_RETRY_MS = 60_000;
/** Of those that are named with a file. */
const MOST_TASKS = 50;

/** RFC 6266 with RFC 8187: the name in UTF-8, percent-encoded. */
export function disposition(name: string): string {
  const encoded = encodeURIComponent(safeFileName(name)).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

/** One range (RFC 9110, section 14.2). `null`: none requested; 'unsatisfiable': it is outside the content. */
function readRange(header: string | null, size: number): Range | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from > to || from >= size ? 'unsatisfiable' : { from, to };
}

async function signature(blobs: Blobs, hash: string, size: number): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array();
  const stream = await blobs.read(hash, { from: 0, to: Math.min(size, SIGNATURE_BYTES) - 1 });
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

class FileHandlers {
  readonly #ports: FileRoutePorts;

  constructor(ports: FileRoutePorts) {
    this.#ports = ports;
  }

  async take(call: RouteCall): Promise<Response> {
    const { blobs, fileLedger } = this.#ports;
    const stated = parseId(call.params['scope'] ?? '');
    const hash = call.params['name'] ?? '';
    if (stated === null || !HASH.test(hash)) return nothing();
    const holders = await this.#holders(call.account(), { stated, hash, url: call.url });
    if (holders.size === 0) return nothing();
    if (!this.#ports.hasRoomForFiles())
      return refusal(
        'storage_full',
        "The server's disk is almost full, so it can't take files right now. Try again later.",
        {
          retryAfterMs: FULL_RETRY_MS,
        },
      );
    const stream = call.body as ReadableStream<Uint8Array> | undefined;
    const content = stream ?? new ReadableStream<Uint8Array>({ start: (control) => control.close() });
    const put = await blobs.put(hash, content, fileLimits.fileBytes);
    if (!put.ok) {
      if (put.problem === 'too_large')
        return refusal('too_large', `Files can't be larger than ${fileLimits.fileBytes / MB} MB.`);
      return refusal('invalid', 'The file was damaged on the way. Send it again.');
    }
    const refused = await call.refusedNow();
    if (refused !== null) return refused;
    for (const scope of holders)
      if (!(await fileLedger.add({ scope, hash, bytes: put.value }, fileLimits.accountBytes)))
        return this.#full(call.account(), scope);
    return success({ bytes: put.value });
  }

  /**
   * The scopes that are to hold the content. A device names the one in which it was attached, and the tasks; these may be in another
   * one by now, or the person may not write there anymore.
   */
  async #holders(
    actor: AccountActor,
    { stated, hash, url }: { readonly stated: Id; readonly hash: string; readonly url: URL },
  ): Promise<ReadonlySet<Id>> {
    const { db } = this.#ports;
    const named = url.searchParams.getAll('task').flatMap((text) => parseId(text) ?? []);
    const tasks = named.slice(0, MOST_TASKS);
    const found = new Set([stated]);
    if (tasks.length > 0) {
      const known = await db.selectFrom('directory').select('scope').where('id', 'in', tasks).execute();
      if (known.length > 0) found.delete(stated);
      // A file may be on its way to where its task is.
      const attached = await db
        .selectFrom('entity')
        .select('scope')
        .where('scope', 'in', [...actor.roles.keys()])
        .where('parent', 'in', tasks)
        .where('type', '=', 'attachment')
        .where('fields', 'like', `%"hash":"${hash}"%`)
        .execute();
      for (const { scope } of [...known, ...attached]) found.add(scope);
    }
    const mayWrite = (scope: Id) => authorise(actor, { type: 'scope.write', scope }).allowed;
    const holders = [...found].filter(mayWrite);
    return new Set(holders.length > 0 || !mayWrite(stated) ? holders : [stated]);
  }

  /** Files count for the owner of the list that they are in. */
  async #full({ account }: AccountActor, scope: Id): Promise<Response> {
    const size = `${fileLimits.accountBytes / MB / 1_024} GB`;
    const owner = await this.#ports.db
      .selectFrom('scope')
      .innerJoin('profile', 'profile.account', 'scope.owner')
      .select(['scope.owner', 'profile.name'])
      .where('scope.id', '=', scope)
      .executeTakeFirst();
    return refusal(
      'quota_reached',
      owner === undefined || owner.owner === account
        ? `You've used all ${size} for files. Remove some first.`
        : `${owner.name} owns this list and has used all ${size} for files. Ask them to remove some.`,
    );
  }

  async give(call: RouteCall): Promise<Response> {
    const scope = parseId(call.params['scope'] ?? '');
    const id = parseId(call.params['name'] ?? '');
    if (scope === null || id === null || !authorise(call.account(), { type: 'scope.read', scope }).allowed)
      return nothing();
    return this.#send([scope], id, call.request);
  }

  /** On behalf of the link's token, and counted as a read of it. */
  async giveByLink(call: RouteCall): Promise<Response> {
    const { fileLinks, sessions, limiter } = this.#ports;
    const link = fileLinks.read(call.params['id'] ?? '', call.url.searchParams);
    const found = link === null ? null : await sessions.good(link.session);
    if (link === null || found?.session.kind !== 'api') return nothing();
    const { account } = found;
    const taken = limiter.take('reading', String(account.id), account.rates);
    if (!taken.allowed)
      return refusal('rate_limited', 'Too many requests. Try again later.', {
        retryAfterMs: taken.retryAfterMs,
      });
    const actor = await actorOf(this.#ports, found);
    const scopes = [...actor.roles.keys()].filter(
      (scope) => authorise(actor, { type: 'scope.read', scope }).allowed,
    );
    return this.#send(scopes, link.attachment, call.request);
  }

  async #send(scopes: readonly Id[], id: Id, request: Request): Promise<Response> {
    const { blobs, fileLedger, db } = this.#ports;
    const row = await db
      .selectFrom('entity')
      .select(['fields', 'scope'])
      .where('scope', 'in', scopes)
      .where('id', '=', id)
      .where('type', '=', 'attachment')
      .executeTakeFirst();
    if (!row) return nothing();
    const { hash, name } = JSON.parse(row.fields) as { readonly hash?: string; readonly name?: string };
    if (hash === undefined || !(await fileLedger.holds(row.scope, hash))) return nothing();
    const size = await blobs.size(hash);
    if (size === null) return nothing();
    const range = readRange(request.headers.get('range'), size);
    const headers: Record<string, string> = {
      // The type comes from the content, not from the uploader; only pictures are ever shown, and only by the app itself.
      'content-type': pictureType(await signature(blobs, hash, size)) ?? 'application/octet-stream',
      'content-disposition': disposition(name ?? ''),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
    };
    if (range === 'unsatisfiable')
      return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } });
    if (range === null) {
      const body = size === 0 ? null : await blobs.read(hash);
      return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>> | null, {
        headers: { ...headers, 'content-length': String(size) },
      });
    }
    return new Response((await blobs.read(hash, range)) as ReadableStream<Uint8Array<ArrayBuffer>>, {
      status: 206,
      headers: {
        ...headers,
        'content-length': String(range.to - range.from + 1),
        'content-range': `bytes ${range.from}-${range.to}/${size}`,
      },
    });
  }
}

/** Routes to upload and download attached files. */
export function fileRoutes(ports: FileRoutePorts): readonly Route[] {
  const handlers = new FileHandlers(ports);
  const path = '/app/api/files/:scope/:name';
  const common = {
    access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
    site: 'app',
    compress: false,
  } as const;
  const byLink = (prefix: '' | '/api'): Route => ({
    method: 'GET',
    path: `${prefix}/attachments/:id`,
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'api',
    limit: null,
    body: { type: 'none' },
    compress: false,
    handle: (call) => handlers.giveByLink(call),
  });
  return [
    byLink(''),
    byLink('/api'),
    {
      ...common,
      method: 'POST',
      path,
      limit: 'uploading',
      body: { type: 'stream', maxBytes: fileLimits.fileBytes },
      handle: (call) => handlers.take(call),
    },
    {
      ...common,
      method: 'GET',
      path,
      limit: null,
      body: { type: 'none' },
      handle: (call) => handlers.give(call),
    },
  ];
}
