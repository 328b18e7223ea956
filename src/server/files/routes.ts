// Endpoints of attached files: content is uploaded to a scope, and downloaded through an attachment in it, by the web app
// with its cookie and by programs with a link. Anyone who may read the scope may read its files; each request is checked.
// The browser itself never displays what is sent.
import type { Kysely } from 'kysely';
import { parseId, type Id } from '#core/ids.ts';
import { pictureType, safeFileName, SIGNATURE_BYTES } from '#core/file-types.ts';
import { fileLimits } from '#wire/files.ts';
import { actorOf, type ActorPorts } from '../access/actor.ts';
import { authorise } from '../access/authorise.ts';
import type { Tables } from '../data/tables.ts';
import { refusal, success } from '../http/answer.ts';
import { rangeAnswer } from '../http/range.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Blobs } from './blobs.ts';
import type { Limiter } from '../limits/rates.ts';
import type { FileLedger } from './ledger.ts';
import type { FileLinks } from './links.ts';
import { lookedAt, MOST_SENT_BYTES, mostSentBytes, sealingOf } from './sealed-upload.ts';
import type { Sharing } from '../sharing/sharing.ts';

/** What the file endpoints need. */
export interface FileRoutePorts extends ActorPorts {
  readonly blobs: Blobs;
  readonly fileLedger: FileLedger;
  readonly fileLinks: FileLinks;
  readonly limiter: Limiter;
  readonly db: Kysely<Tables>;
  readonly sharing: Pick<Sharing, 'profiles'>;
  /** Whether files are accepted: they are refused long before the disk is full, which is kept for smaller data. */
  readonly hasRoomForFiles: () => boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const nothing = () => refusal('not_found', "That file doesn't exist.");
const MB = 1_048_576;
const FULL_RETRY_MS = 60_000;

/** RFC 6266 with RFC 8187: the name in UTF-8, percent-encoded. */
export function disposition(name: string): string {
  const encoded = encodeURIComponent(safeFileName(name)).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
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
    const scope = parseId(call.params['scope'] ?? '');
    const hash = call.params['name'] ?? '';
    if (
      scope === null ||
      !HASH.test(hash) ||
      !authorise(call.account(), { type: 'scope.write', scope }).allowed
    )
      return nothing();
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
    const state = await sealingOf(this.#ports.db, scope);
    const looked = await lookedAt(state, content);
    if (!looked.isTaken)
      return refusal(
        'encrypted',
        'This account is encrypted, so its files have to be encrypted by the app before they are sent. Attach it there.',
      );
    const put = await blobs.put(hash, looked.content, mostSentBytes(state));
    if (!put.ok) {
      if (put.problem === 'too_large')
        return refusal('too_large', `Files can't be larger than ${fileLimits.fileBytes / MB} MB.`);
      return refusal('invalid', 'The file was damaged on the way. Send it again.');
    }
    const refused = await call.refusedNow();
    if (refused !== null) return refused;
    const { account, roles } = call.account();
    const scopes = [...roles.keys()].filter(
      (other) => authorise(call.account(), { type: 'scope.write', scope: other }).allowed,
    );
    const file = { scope, hash, bytes: put.value };
    if (!(await fileLedger.add(file, fileLimits.accountBytes, { account, scopes })))
      return refusal('quota_reached', await this.#full(scope, call.account().account));
    return success({ bytes: put.value });
  }

  /** Whose room is used up: files in a shared list take that of its owner. */
  async #full(scope: Id, account: number): Promise<string> {
    const { fileLedger, sharing } = this.#ports;
    const all = `all ${fileLimits.accountBytes / MB / 1_024} GB for files`;
    const owner = await fileLedger.ownerOf(scope);
    if (owner === null || owner === account) return `You've used ${all}. Remove some first.`;
    const name = (await sharing.profiles.all([owner])).get(owner)?.name ?? 'Somebody';
    return `${name} owns this list, and has used ${all}. Ask ${name} to remove some, or move the task to a list of your own.`;
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
    const taken = await limiter.take('reading', String(account.id), account.rates);
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
    const { hash, name } = JSON.parse(row.fields) as { readonly hash?: string; readonly name?: unknown };
    if (hash === undefined || !(await fileLedger.holds(row.scope, hash))) return nothing();
    const size = await blobs.size(hash);
    if (size === null) return nothing();
    const headers: Record<string, string> = {
      // The type comes from the content, not from the uploader; only pictures are ever shown, and only by the app itself.
      'content-type': pictureType(await signature(blobs, hash, size)) ?? 'application/octet-stream',
      'content-disposition': disposition(typeof name === 'string' ? name : ''),
      'cache-control': 'private, no-store',
    };
    return rangeAnswer(request.headers.get('range'), size, headers, async (range) => {
      const content = range === null ? blobs.read(hash) : blobs.read(hash, range);
      return (await content) as ReadableStream<Uint8Array<ArrayBuffer>>;
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
      body: { type: 'stream', maxBytes: MOST_SENT_BYTES },
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
