// What holds several scopes together, taken away piece by piece: noticed by the histories of scopes.ts.
import { altered, type Edit } from './mutants.ts';
import type { ScopesSubject } from './scope-bench.ts';

const TAKING_IN = 'src/sync/exchange/taking-in.ts';
const ARRIVED = 'src/sync/rows/arrived.ts';

export const scopeMutants = {
  'versions compared across scopes': [
    {
      file: 'src/sync/rows/row.ts',
      from: 'return hops > 0 || (hops === 0 && (row.version > held.version || row.scope !== held.scope));',
      to: 'return hops > 99 || row.version > held.version;',
    },
  ],
  'hops not counted': [
    {
      file: 'src/server/sync/transfer.ts',
      from: 'hops: (each.hops ?? 0) + 1',
      to: 'hops: each.hops ?? 0',
    },
  ],
  'hops ignored where a row moved': [
    {
      file: TAKING_IN,
      from: 'if (held === null || (held.hops ?? 0) >= hops) return false;',
      to: 'if (held === null || (held.hops ?? 0) > hops + 99) return false;',
    },
  ],
  'only stated scopes locked': [
    {
      file: 'src/server/sync/routing.ts',
      from: 'const scopes = [operation.scope, way.home, way.target, ...held];',
      to: 'const scopes = [operation.scope, ...held.slice(0, 0)];',
    },
    {
      file: 'src/server/sync/routing.ts',
      from: 'if (missing.length > 0) throw new MissingLock(missing);',
      to: 'if (missing.length > 99) throw new MissingLock(missing);',
    },
  ],
  'gone whatever scope says so': [
    {
      file: TAKING_IN,
      from: 'if (this.#held(id)?.scope === scope) this.incoming.set(id, null);',
      to: 'this.incoming.set(id, null);',
    },
  ],
  'counted in the scope that it left': [
    {
      file: 'src/sync/replica/confirmed-rows.ts',
      from: 'if (this.stored(row.id)?.scope !== row.scope) this.delete(row.id);',
      to: '',
    },
  ],
  'counted by the server in the scope that it left': [
    {
      file: 'src/server/sync/open-scope.ts',
      from: 'if (stored !== undefined) digest.remove(id, stored.version);',
      to: '',
    },
  ],
  'moved told as gone': [
    {
      file: 'src/server/sync/readership.ts',
      from: 'const named = moved.filter(([, to]) => mayRead(to as Id));',
      to: 'const named = moved.slice(0, 0);',
    },
    {
      file: 'src/server/sync/readership.ts',
      from: 'const gone = moved.filter(([, to]) => !mayRead(to as Id)).map(([id]) => id);',
      to: 'const gone = moved.filter(([, to]) => to || mayRead(to as Id)).map(([id]) => id);',
    },
  ],
  'what arrived taken for what is held': [
    { file: TAKING_IN, from: '|| (isSame && row.updatedAt !== held.updatedAt)', to: '' },
  ],
  'what was seen of one scope taken for another': [
    {
      file: 'src/server/sync/push.ts',
      from: 'const b = isStated ? operation.b : await this.#router.baseIn(scope, operation);',
      to: 'const { b } = operation;',
    },
  ],
  'writes keep their versions of the scope that was left': [
    {
      file: ARRIVED,
      from: 'const stampThere = ([, time, device, seq]: Stamp): Stamp => [version, time, device, seq];',
      to: 'const stampThere = ([was, time, device, seq]: Stamp): Stamp => [version > 0 ? was : 0, time, device, seq];',
    },
  ],
  'writes that arrive told from no others': [
    {
      file: ARRIVED,
      from: 'export const writtenBefore = (arrival: number): number => arrival - 1;',
      to: 'export const writtenBefore = (arrival: number): number => arrival;',
    },
  ],
  'writes get new numbers': [
    { file: ARRIVED, from: '[version, time, device, seq]', to: '[version, time, device, seq + 1]' },
  ],
  'history erased by a move': [
    {
      file: 'src/server/data/sqlite/sqlite-transaction.ts',
      from: 'for (const way of departuresByWay(batch.departures ?? [])) saveDepartures(this.#db, way);',
      to: 'for (const way of departuresByWay(batch.departures ?? [])) { for (const { scope, id } of way) eraseHistory(this.#db, scope, id); saveDepartures(this.#db, way); }',
    },
  ],
  'directory not told of a move': [
    {
      file: 'src/server/data/sqlite/sqlite-transfers.ts',
      from: 'WHERE true ON CONFLICT DO UPDATE SET scope = excluded.scope',
      to: 'WHERE true ON CONFLICT DO NOTHING',
    },
  ],
  'not looked up again under the lock': [
    {
      file: 'src/server/sync/routing.ts',
      from: 'for (let at = this.#where.get(id) ?? stated; !seen.has(at);) {',
      to: 'for (let at = this.#where.get(id) ?? stated; seen.size > 99;) {',
    },
  ],
  'what was left is kept': [
    {
      file: TAKING_IN,
      from: 'delete trails[scope]; arrivals.removeAll(scope);',
      to: 'delete trails[scope];',
    },
  ],
  'unknown told as left': [
    {
      file: 'src/server/sync/exchange.ts',
      from: 'const left = scopes.filter((scope) => known.has(scope));',
      to: 'const left = [...scopes];',
    },
  ],
  'the move of a large tree not written down': [
    {
      file: 'src/server/sync/push.ts',
      from: 'if (!tree.isWhole) this.#transfers.push(',
      to: 'if (!tree.isWhole && tree.height < 0) this.#transfers.push(',
    },
  ],
  'what is left behind looked for beneath the root alone': [
    {
      file: 'src/server/moving/mover.ts',
      from: 'while (await this.#sweep(transfer));',
      to: '',
    },
  ],
  'rows follow to where their parents were before the lock': [
    {
      file: 'src/server/moving/carrying.ts',
      from: 'for (const [id, scope] of await this.#tx.living(parents)) this.#where.set(id, scope);',
      to: 'for (const [id] of await this.#tx.living(parents)) this.#where.set(id, expected.get(id) ?? from);',
    },
  ],
  'labels stay those of the scope that was left': [
    {
      file: 'src/server/sync/transfer.ts',
      from: 'const there = arrived(labels.there(transfer.anew?.get(each.id) ?? each), {',
      to: 'const there = arrived(transfer.anew?.get(each.id) ?? each, {',
    },
  ],
  'labels of what follows its root stay': [
    {
      file: 'src/server/moving/carrying.ts',
      from: 'const moved = arrived(labels.there(row), {',
      to: 'const moved = arrived(row, {',
    },
  ],
  'labels of operations stay those that were named': [
    {
      file: 'src/server/labels/transaction-labels.ts',
      from: 'if (byScope.size === 0) return null;',
      to: 'if (byScope.size < 99) return null;',
    },
  ],
  'that a label was taken off is lost on the way': [
    {
      file: 'src/sync/rows/label-mapping.ts',
      from: 'if (label !== undefined && fields[register] === undefined) found.push({ label, isOn: false });',
      to: '',
    },
  ],
  'that a label was taken off before counts only under its new name': [
    {
      file: 'src/server/labels/named-labels.ts',
      from: "if (!isUndone && stamps.some((stamp) => stampOver(stamp, writer) === null)) return 'superseded';",
      to: '',
    },
  ],
} satisfies Readonly<Record<string, readonly Edit[]>>;
export type ScopeMutantName = keyof typeof scopeMutants;

/** Loads what histories of scopes drive, altered. */
export async function loadScopeMutant(name: ScopeMutantName): Promise<ScopesSubject> {
  const load = altered({ name, edits: scopeMutants[name] });
  const takingIn = (await load(TAKING_IN)) as ScopesSubject['takingIn'];
  const unknownScopes = (await load('src/sync/exchange/unknown-scopes.ts')) as ScopesSubject['unknownScopes'];
  const modules = {
    ...((await load('src/server/data/sqlite/sqlite-store.ts')) as Pick<ScopesSubject, 'SqliteStore'>),
    ...((await load('src/sync/replica/replica.ts')) as Pick<ScopesSubject, 'DeviceReplica'>),
    ...((await load('src/sync/replica/verdicts.ts')) as Pick<ScopesSubject, 'Verdicts'>),
    ...((await load('src/server/sync/exchange.ts')) as Pick<ScopesSubject, 'createExchange'>),
    ...((await load('src/server/moving/mover.ts')) as Pick<ScopesSubject, 'createMover'>),
  };
  return { ...modules, takingIn, unknownScopes };
}
