// The endpoint for the server's history of operations, per scope, per entity or per subtree, for anyone who may read the
// scope.
import { parseId } from '#core/ids.ts';
import { historyLimits, type HistoryPage } from '#wire/history.ts';
import { authorise } from '../access/authorise.ts';
import type { Store } from '../data/store.ts';
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

/** The route that reads history in pages, newest first. */
export function historyRoutes({ store }: { readonly store: Pick<Store, 'history'> }): readonly Route[] {
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
    const entries = await store.history(scope, {
      limit,
      ...(id === undefined ? {} : { id, isTree: tree === id }),
      ...(before === undefined ? {} : { before }),
    });
    // A page contains whole versions, so the next one starts below its last.
    const next = entries.length < limit ? null : (entries.at(-1)?.version ?? null);
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
