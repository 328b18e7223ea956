// Copies of the app that do not know some types of rows, as those of an earlier version would not: on their network these
// types have another name. They have to keep such rows and hand them on, and nobody is shown them.
import type { EntityType, UnknownType } from '#core/model.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { PartPage, Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { ScopeChanges, SyncRequest } from '#wire/sync.ts';

export type Unknown = ReadonlySet<EntityType>;
export const knowsAll: Unknown = new Set();

/** What the copies of one history do not know, by seed. */
const CHOICES: readonly Unknown[] = [
  knowsAll,
  new Set(['label']),
  new Set(['setting']),
  new Set(['label', 'setting']),
];

export function unknownIn(seed: number): Unknown {
  return CHOICES[seed % CHOICES.length] ?? knowsAll;
}

const MARK = '_of_tomorrow';

type Typed = { readonly type: EntityType | UnknownType };

/** As such a copy hears and keeps it. */
export function heardBy<T extends Typed>(unknown: Unknown, row: T): T {
  if (!(unknown as ReadonlySet<string>).has(row.type)) return row;
  return { ...row, type: `${row.type}${MARK}` as UnknownType };
}

/** As the server knows it. */
function told<T extends Typed>(row: T): T {
  return row.type.endsWith(MARK) ? { ...row, type: row.type.slice(0, -MARK.length) as EntityType } : row;
}

function asked(request: SyncRequest): SyncRequest {
  const ops = (request.ops as readonly Action[]).map((operation) =>
    operation.a === 'reoffer' ? told(operation) : operation,
  );
  return { ...request, ops };
}

/** The network of a copy that does not know these types. */
export function unknowing(transport: Transport, unknown: Unknown): Transport {
  if (unknown.size === 0) return transport;
  const heard = (changes: ScopeChanges): ScopeChanges => ({
    ...changes,
    rows: changes.rows.map((row) => heardBy(unknown, row)),
  });
  return {
    sync: async (request) => {
      const answer = await transport.sync(asked(request));
      if (!answer.ok) return answer;
      return { ok: true, value: { ...answer.value, changes: answer.value.changes.map(heard) } };
    },
    snapshot: async (scope, place): Promise<TransportAnswer<PartPage>> => {
      const page = await transport.snapshot(scope, place);
      if (!page.ok) return page;
      return {
        ok: true,
        value: { ...page.value, rows: page.value.rows.map((row) => heardBy(unknown, row)) },
      };
    },
    listen: (on) => transport.listen({ ...on, delta: (changes) => on.delta(heard(changes)) }),
  };
}
