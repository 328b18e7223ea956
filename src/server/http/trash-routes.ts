// The endpoint that empties the trash now: of the scopes that the account owns, and only the named items. What may really go is
// decided under the lock of the scope (sync/purge.ts), as for housekeeping.
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import { emptyTrashSchema, type EmptiedTrash } from '#wire/trash.ts';
import { authorise } from '../access/authorise.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import { createPace } from '../care/pace.ts';
import { removeFromTrash } from '../care/trash.ts';
import type { Tables } from '../data/tables.ts';
import type { Exchange } from '../sync/exchange.ts';
import { refusal, success } from './answer.ts';
import type { Route, RouteCall } from './route.ts';

const MOST_BYTES = 64 * 1024;
/** No further item is begun after this; one may be a whole list. */
const TIME_MS = 5_000;

/** What emptying the trash needs. */
export interface TrashRoutePorts {
  readonly db: Kysely<Tables>;
  readonly exchange: Pick<Exchange, 'purge'>;
  readonly events: Pick<SecurityEvents, 'record'>;
  readonly clock: Clock;
}

/** The route that empties the trash. */
export function trashRoutes({ db, exchange, events, clock }: TrashRoutePorts): readonly Route[] {
  async function empty(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const scopes = [...actor.roles.keys()].filter(
      (scope) => authorise(actor, { type: 'scope.purge', scope }).allowed,
    );
    if (!scopes.includes(actor.personalScope)) return refusal('not_found', "That scope doesn't exist.");
    const read = emptyTrashSchema.safeParse(call.body);
    if (!read.success) {
      const field = String(read.error.issues[0]?.path[0] ?? 'items');
      return refusal('invalid', `"${field}" isn't a list of items in the trash.`, { field });
    }
    const { items } = read.data;
    const until = clock.monotonic() + TIME_MS;
    const { removed, looked } = await removeFromTrash(
      {
        db,
        pace: createPace((work) => void setImmediate(work)),
        purge: (request) => exchange.purge(request),
      },
      { scopes, items, isLate: () => clock.monotonic() > until },
    );
    if (removed > 0)
      await events.record({ type: 'trash_emptied', account: actor.account, detail: { count: removed } });
    return success({ removed, left: items.length - looked } satisfies Omit<EmptiedTrash, 'success'>);
  }

  return [
    {
      method: 'POST',
      path: '/app/api/trash',
      access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
      site: 'app',
      limit: null,
      body: { type: 'json', maxBytes: MOST_BYTES },
      compress: false,
      handle: empty,
    },
  ];
}
