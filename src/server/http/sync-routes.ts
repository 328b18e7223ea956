// The doors of replication: `POST /sync/v1`, `GET /snapshot/v1/:scope`, and the address of the live socket as plain HTTP
// meets it. What they mean is in sync/; the socket itself is in live/.
import { type Id, parseId } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { authorise } from '../access/authorise.ts';
import type { Exchange, ExchangeError } from '../sync/exchange.ts';
import { readPlace } from '../sync/snapshot.ts';
import { plainJson, refusal } from './answer.ts';
import type { Route, RouteCall } from './route.ts';

/** Besides the operations a push names its cursors. */
const HEAD_BYTES = 64 * 1024;
const BUSY_RETRY_MS = 2_000;
const FULL_RETRY_MS = 10_000;

const failureAnswer = ({ code, message }: ExchangeError): Response =>
  refusal(code, message, code === 'busy' ? { retryAfterMs: BUSY_RETRY_MS } : {});

/** Only operations need room; a device that asks what is new is answered on a full disk as well. */
function hasOperations(body: unknown): boolean {
  const ops = typeof body === 'object' && body !== null && 'ops' in body ? body.ops : [];
  return Array.isArray(ops) && ops.length > 0;
}

async function partAnswer(call: RouteCall, scope: Id, exchange: Exchange): Promise<Response> {
  const { searchParams } = call.url;
  const place = readPlace(searchParams.get('part'), searchParams.get('after'));
  if ('wrong' in place) {
    const message =
      place.wrong === 'part'
        ? '"part" is one of frame, hot and cold.'
        : '"after" is not what an earlier page answered as "next".';
    return refusal('invalid', message, { field: place.wrong });
  }
  const result = await exchange.part(call.account(), scope, place);
  return result.ok ? plainJson(result.page) : failureAnswer(result);
}

export interface SyncRoutePorts {
  readonly exchange: Exchange;
  /** Whether the disk has room for more. */
  readonly hasRoom: () => boolean;
}

export function syncRoutes({ exchange, hasRoom }: SyncRoutePorts): readonly Route[] {
  async function sync(call: RouteCall): Promise<Response> {
    if (hasOperations(call.body) && !hasRoom())
      return refusal('storage_full', 'The disk of the server is full. What you do stays on this device.', {
        retryAfterMs: FULL_RETRY_MS,
      });
    const result = await exchange.sync(call.account(), call.body);
    return result.ok ? plainJson(result.response) : failureAnswer(result);
  }

  async function snapshot(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const scope = parseId(call.params['scope'] ?? '');
    if (scope === null || !authorise(actor, { type: 'scope.read', scope }).allowed)
      return refusal('not_found', 'There is no such scope.');
    const { searchParams } = call.url;
    if (searchParams.has('part')) return partAnswer(call, scope, exchange);
    const from = searchParams.get('after');
    const after = from === null ? null : parseId(from);
    if (from !== null && after === null)
      return refusal('invalid', '"after" is not an id.', { field: 'after' });
    const result = await exchange.snapshot(actor, scope, after);
    return result.ok ? plainJson(result.page) : failureAnswer(result);
  }

  const access = { carrier: 'cookie', rule: { type: 'account', kind: 'web' } } as const;
  return [
    {
      method: 'POST',
      path: '/sync/v1',
      access,
      site: 'app',
      limit: null,
      body: { type: 'json', maxBytes: limits.pushBytes + HEAD_BYTES, gzip: true },
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
        refusal('upgrade_required', 'This address speaks WebSocket.', {
          headers: { upgrade: 'websocket', connection: 'upgrade' },
        }),
    },
  ];
}
