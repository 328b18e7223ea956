// Trees that are too large to move at once, and what must be true of all scopes when none is on its way: for contracts.
import assert from 'node:assert/strict';
import { labelsRoot, type Id } from '#core/ids.ts';
import { createMover, type Mover } from '#server/moving/mover.ts';
import type { CarryRequest, TimedCarried } from '#server/moving/carrying.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { House } from './house.ts';
import { rowsOf, type Member, type Said } from './scopes-world.ts';
import { someId } from './store-samples.ts';

/** The process ended in the middle. */
export class Killed extends Error {}

export interface MovingOptions {
  readonly rows?: number;
  readonly id?: Id;
  /** What happens between two steps. A throw is the end of the process. */
  readonly between?: (step: number) => Promise<void> | void;
}

/** Carries out moves on a house, as a server does. Its `run` rejects where the process is killed. */
export function moverOf(house: House, options: MovingOptions = {}): Mover {
  const { rows = 10, id = someId(), between = () => undefined } = options;
  let step = 0;
  let failure: Error | null = null;
  const carry = async (request: CarryRequest): Promise<TimedCarried> => {
    if (failure !== null) throw failure;
    await between((step += 1));
    return await house.exchange.carry(request);
  };
  const mover = createMover({
    store: house.database.store,
    carry,
    end: (request) => house.exchange.endCarrying(request),
    id,
    rows,
    rest: () => new Promise((resolve) => void setImmediate(resolve)),
    onError: (error) => {
      assert.ok(error instanceof Error);
      failure ??= error;
    },
  });
  const run = async () => {
    await mover.run();
    if (failure !== null) throw failure;
  };
  return { run, stop: () => mover.stop() };
}

const create = (id: Id, parent: Id, scope: Id, at: number): Said => ({
  a: 'create',
  scope,
  id,
  type: 'task',
  fields: { title: `Task ${at}` },
  place: { parent },
});

/** Makes a task with so many rows beneath it, each of which has `wide` children. Returns all ids, parents first. */
export async function grow(
  member: Member,
  parent: Id,
  of: { readonly count: number; readonly wide?: number; readonly scope?: Id },
): Promise<readonly Id[]> {
  const { count, wide = 4, scope = member.scope } = of;
  const ids = Array.from({ length: count }, someId);
  const said = ids.map((id, at) =>
    create(id, at === 0 ? parent : (ids[Math.floor((at - 1) / wide)] ?? parent), scope, at),
  );
  for (let from = 0; from < said.length; from += 400) await member.act(...said.slice(from, from + 400));
  return ids;
}

/** All rows of these scopes, after checking that no row is in two of them, and each where its parent is. */
export async function settledRows(house: House, scopes: readonly Id[]): Promise<ReadonlyMap<Id, Row>> {
  const all = new Map<Id, Row>();
  for (const scope of scopes)
    for (const [id, row] of await rowsOf(house, scope)) {
      assert.ok(!all.has(id), 'a row is in one scope');
      all.set(id, row);
    }
  const keys = new Set<string>();
  for (const row of all.values()) {
    const place = placeOf(row);
    if (row.type === 'completion') assert.equal(all.get(row.fields.task)?.scope, row.scope);
    if (place === undefined) continue;
    assert.ok(!keys.has(`${place.parent}${place.key}`), 'siblings have distinct keys');
    keys.add(`${place.parent}${place.key}`);
    if (place.parent === row.scope || place.parent === labelsRoot(row.scope)) continue;
    assert.equal(all.get(place.parent)?.scope, row.scope, 'a row is where its parent is');
  }
  assert.deepEqual(await house.database.store.transfers(), []);
  return all;
}
