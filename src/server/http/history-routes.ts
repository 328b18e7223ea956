// The endpoint for the server's history of operations, per scope, per entity or per subtree, for anyone who may read the
// scope.
import type { Kysely } from 'kysely';
import { parseId, type Id } from '#core/ids.ts';
import { historyLimits, type HistoryPage } from '#wire/history.ts';
import { authorise } from '../access/authorise.ts';
import type { HistoryEntry, Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import { refusal, success } from './answer.ts';
import type { Route, RouteCall } from './route.ts';

/** Undefined: absent; null: not a whole number from `least` on. */
function numberOf(url: URL, name: string, least: number): number | null | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) && value >= least ? value : null;
}

const wrong = (field: string) => refusal('invalid', `"${field}" is invalid here.`, { field });

interface Ports {
  readonly store: Pick<Store, 'history'>;
  readonly db: Kysely<Tables>;
}

/** What was before an account joined a list of others is not for it to see. 0: it may see all there is. */
async function readableSince(db: Kysely<Tables>, scope: Id, account: number): Promise<number> {
  const joined = await db
    .selectFrom('member')
    .innerJoin('shared_list', 'shared_list.scope', 'member.scope')
    .select('member.joined_at')
    .where('member.scope', '=', scope)
    .where('member.account', '=', account)
    // Who shared it had it before.
    .where('shared_list.author', '<>', account)
    .executeTakeFirst();
  return joined?.joined_at ?? 0;
}

/** Without what is older; true: there is nothing more for this reader. Work that was offline then came in between, and stays. */
function readable(
  entries: readonly HistoryEntry[],
  since: number,
): readonly [readonly HistoryEntry[], boolean] {
  const end = entries.findLastIndex(({ at }) => at > since) + 1;
  return [entries.slice(0, end), end < entries.length];
}

/** The route that reads history in pages, newest first. */
export function historyRoutes({ store, db }: Ports): readonly Route[] {
  async function history(call: RouteCall): Promise<Response> {
    const scope = parseId(call.params['scope'] ?? '');
    if (scope === null || !authorise(call.account(), { type: 'scope.read', scope }).allowed)
      return refusal('not_found', "That scope doesn't exist.");
    const tree = call.url.searchParams.get('under');
    const wanted = call.url.searchParams.get('id') ?? tree;
    const id = wanted === null ? undefined : parseId(wanted);
    if (id === null) return wrong(tree === wanted ? 'under' : 'id');
    const before = numberOf(call.url, 'before', 0);
    if (before === null) return wrong('before');
    const asked = numberOf(call.url, 'limit', 1);
    if (asked === null) return wrong('limit');
    const limit = Math.min(asked ?? historyLimits.defaultEntries, historyLimits.mostEntries);
    const found = await store.history(scope, {
      limit,
      ...(id === undefined ? {} : { id, isTree: tree === id }),
      ...(before === undefined ? {} : { before }),
    });
    // A page contains whole versions, so the next one starts below its last.
    const account = call.account();
    const since = account.type === 'account' ? await readableSince(db, scope, account.account) : 0;
    const [entries, isOver] = readable(found, since);
    const next = isOver || found.length < limit ? null : (entries.at(-1)?.version ?? null);
    return success({
      entries: entries.map(({ version, account, device, at, operation, before: replaced }) => ({
        version,
        account,
        device,
        at,
        operation: { ...operation },
        before: replaced.map(({ id: entity, fields }) => ({ id: entity, fields: fields && { ...fields } })),
      })),
      next,
    } satisfies Omit<HistoryPage, 'success'>);
  }

  return [
    {
      method: 'GET',
      path: '/app/api/history/:scope',
      access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
      site: 'app',
      limit: null,
      body: { type: 'none' },
      compress: true,
      handle: history,
    },
  ];
}
