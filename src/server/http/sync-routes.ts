// Endpoints of replication: `POST /sync/v1`, `GET /snapshot/v1/:scope`, and the answer to plain HTTP at the address of the
// live socket. Their logic is in sync/; the socket itself is in live/.
import { type Id, parseId } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { alongLimits } from '#wire/sync.ts';
import { authorise } from '../access/authorise.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { SyncProblem } from '../sync/push-types.ts';
import { readPlace } from '../sync/snapshot.ts';
import { plainJson, refusal } from './answer.ts';
import type { Route, RouteCall } from './route.ts';
import type { TextAnswer } from './text-answer.ts';

/** A push contains its cursors besides the operations. */
const HEAD_BYTES = 64 * 1024;
const BUSY_RETRY_MS = 2_000;
const FULL_RETRY_MS = 10_000;

const failureAnswer = ({ code, message }: SyncProblem): Response =>
  refusal(code, message, code === 'busy' ? { retryAfterMs: BUSY_RETRY_MS } : {});

/** Only operations need space; a device that only reads is answered on a full disk as well. */
function hasOperations(body: unknown): boolean {
  const ops = typeof body === 'object' && body !== null && 'ops' in body ? body.ops : [];
  return Array.isArray(ops) && ops.length > 0;
}

async function partAnswer(call: RouteCall, scope: Id, exchange: Exchange): Promise<Response | TextAnswer> {
  const { searchParams } = call.url;
  const place = readPlace(searchParams.get('part'), searchParams.get('after'));
  if ('wrong' in place) {
    const message =
      place.wrong === 'part'
        ? '"part" must be frame, hot, or cold.'
        : '"after" must be the "next" of an earlier page.';
    return refusal('invalid', message, { field: place.wrong });
  }
  const result = await exchange.part(call.account(), scope, place);
  return result.ok ? plainJson(result.value) : failureAnswer(result.problem);
}

export interface SyncRoutePorts {
  readonly exchange: Exchange;
  /** Whether the disk has space for more. */
  readonly hasRoom: () => boolean;
}

/** The routes of replication. */
export function syncRoutes({ exchange, hasRoom }: SyncRoutePorts): readonly Route[] {
  async function sync(call: RouteCall): Promise<Response | TextAnswer> {
    if (hasOperations(call.body) && !hasRoom())
      return refusal('storage_full', "The server's disk is full. Your changes stay on this device.", {
        retryAfterMs: FULL_RETRY_MS,
      });
    const result = await exchange.sync(call.account(), call.body, call.waitedMs());
    return result.ok ? plainJson(result.value) : failureAnswer(result.problem);
  }

  async function snapshot(call: RouteCall): Promise<Response | TextAnswer> {
    const actor = call.account();
    const scope = parseId(call.params['scope'] ?? '');
    if (scope === null || !authorise(actor, { type: 'scope.read', scope }).allowed)
      return refusal('not_found', "That scope doesn't exist.");
    const { searchParams } = call.url;
    if (searchParams.has('part')) return partAnswer(call, scope, exchange);
    const from = searchParams.get('after');
    const after = from === null ? null : parseId(from);
    if (from !== null && after === null)
      return refusal('invalid', '"after" isn\'t an id.', { field: 'after' });
    const result = await exchange.snapshot(actor, scope, after);
    return result.ok ? plainJson(result.value) : failureAnswer(result.problem);
  }

  const access = { carrier: 'cookie', rule: { type: 'account', kind: 'web' } } as const;
  return [
    {
      method: 'POST',
      path: '/sync/v1',
      access,
      site: 'app',
      limit: null,
      body: { type: 'json', maxBytes: limits.pushBytes + alongLimits.bytes + HEAD_BYTES, gzip: true },
      compress: true,
      handle: sync,
    },
    {
      method: 'GET',
      path: '/snapshot/v1/:scope',
      access,
      site: 'app',
      limit: null,
      body: { type: 'none' },
      compress: true,
      handle: snapshot,
    },
    {
      method: 'GET',
      path: '/live',
      access,
      site: 'app',
      limit: null,
      body: { type: 'none' },
      compress: false,
      handle: () =>
        refusal('upgrade_required', 'Connect to this address with a WebSocket.', {
          headers: { upgrade: 'websocket', connection: 'upgrade' },
        }),
    },
  ];
}
