// Endpoints for reminders outside the app: the server's key, subscribed browsers, and dismissing a notification while no
// app is open.
import { deriveId, mineId, parseId, type Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  dismissSchema,
  type PushKeyAnswer,
  pushLimits,
  type Subscribed,
  subscribeSchema,
} from '#wire/push.ts';
import { authorise } from '../access/authorise.ts';
import type { EndpointGuard } from '../push/guard.ts';
import type { PushKeys } from '../push/keys.ts';
import type { Subscriptions } from '../push/subscriptions.ts';
import type { Exchange } from '../sync/exchange.ts';
import { refusal, success } from './answer.ts';
import type { Route, RouteCall } from './route.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** What the endpoints for reminders need. */
export interface PushRoutePorts {
  readonly push: {
    readonly keys: () => Promise<PushKeys>;
    readonly guard: EndpointGuard;
    readonly subscriptions: Subscriptions;
    readonly poke: () => void;
    readonly newId: () => Id;
  };
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly clock: Clock;
}

type Body<T> = Omit<T, 'success'>;

const access = { carrier: 'cookie', rule: { type: 'account', kind: 'web' } } as const;
const common = { access, site: 'app', limit: null, compress: false } as const;
const form = { type: 'json', maxBytes: pushLimits.requestBytes } as const;

function invalid(field: string, problem: string): Response {
  return refusal('invalid', `"${field}" ${problem}.`, { field });
}

function isZone(text: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId.length > 0;
  } catch {
    // Unknown zone name: the answer is the boolean.
    return false;
  }
}

/** Routes for the public key, subscriptions, and dismissing. */
export function pushRoutes({ push, exchange, clock }: PushRoutePorts): readonly Route[] {
  async function key(): Promise<Response> {
    const { publicKey } = await push.keys();
    return success({ publicKey } satisfies Body<PushKeyAnswer>);
  }

  async function subscribe(call: RouteCall): Promise<Response> {
    const read = subscribeSchema.safeParse(call.body);
    if (!read.success) {
      const { path, message } = read.error.issues[0] ?? { path: [], message: 'is missing' };
      return invalid(String(path[0] ?? 'endpoint'), message.slice(0, 100));
    }
    const problem = push.guard.problem(read.data.endpoint);
    if (problem !== null) return invalid('endpoint', problem);
    if (!isZone(read.data.zone)) return invalid('zone', "isn't a time zone");
    const id = await push.subscriptions.put(call.account(), read.data);
    push.poke();
    return success({ id } satisfies Body<Subscribed>);
  }

  async function unsubscribe(call: RouteCall): Promise<Response> {
    const id = parseId(call.params['push'] ?? '');
    const owner = id === null ? undefined : await push.subscriptions.ownerOf(id);
    const isAllowed = authorise(call.account(), { type: 'push.subscription', owner }).allowed;
    if (id === null || !isAllowed) return refusal('not_found', "That subscription doesn't exist.");
    await push.subscriptions.remove(id);
    return success({});
  }

  /** As a device specific to the session: the one write path decides. */
  async function dismiss(call: RouteCall): Promise<Response> {
    const read = dismissSchema.safeParse(call.body);
    if (!read.success) return invalid(String(read.error.issues[0]?.path[0] ?? 'task'), 'is missing or wrong');
    const actor = call.account();
    const scope = actor.personalScope;
    const id = mineId(scope, read.data.task);
    const now = Math.round(clock.now());
    const refused = await exchange.carryOut(actor, deriveId('push', actor.session), {
      scopes: [scope],
      want: { rows: [{ scope, id }], ancestors: [], siblings: [] },
      decide(view) {
        const mine = view.row(scope, id);
        if (!mine) return null;
        const was = fieldOf(mine, 'reminded') ?? Number.NEGATIVE_INFINITY;
        if (was >= now) return [];
        const action = { a: 'set', id, field: 'reminded', value: now } as const;
        return [{ scope, action, u: push.newId(), x: push.newId(), g: push.newId() }];
      },
    });
    if (refused !== null) return refusal('not_found', "That reminder doesn't exist.");
    return success({});
  }

  return [
    { ...common, method: 'GET', path: '/app/api/push', body: { type: 'none' }, handle: key },
    { ...common, method: 'POST', path: '/app/api/push', body: form, handle: subscribe },
    { ...common, method: 'POST', path: '/app/api/push/dismiss', body: form, handle: dismiss },
    { ...common, method: 'DELETE', path: '/app/api/push/:push', body: { type: 'none' }, handle: unsubscribe },
  ];
}
