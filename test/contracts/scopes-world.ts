// People with scopes of their own and scopes that they share, on one database: for contracts of several scopes.
import assert from 'node:assert/strict';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { AccountActor, Role } from '#server/access/authorise.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Verdict } from '#sync/rows/operation.ts';
import type { ScopeChanges, SyncRequest, SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { DAY, type House } from './house.ts';
import { emptyBatch, someAccount, someId, stored } from './store-samples.ts';

/** An action, with what its device believes where it says so. */
export type Said = Record<string, unknown> & {
  readonly scope?: Id;
  readonly b?: number;
  readonly t?: number;
};

/** A shared list, whose scope has one list. */
export interface Shared {
  readonly scope: Id;
  readonly list: Id;
}

export const listIn = (scope: Id, id: Id, fields: Record<string, unknown>): Said => ({
  a: 'create',
  scope,
  id,
  type: 'list',
  fields,
  place: { parent: listsRoot(scope) },
});

export const place = (id: Id, parent: Id, scope?: Id) => ({
  a: 'place',
  id,
  place: { parent },
  ...(scope === undefined ? {} : { scope }),
});
export const title = (id: Id, value: string, more: Record<string, unknown> = {}) => ({
  a: 'set',
  id,
  field: 'title',
  value,
  ...more,
});

/** A person with one device. */
export class Member {
  readonly account = someAccount();
  readonly scope = someId();
  readonly inbox = inboxId(this.scope);
  readonly roles = new Map<Id, Role>([[this.scope, 'owner']]);
  readonly house: House;
  device = someId();
  seq = 0;
  isServer = false;

  constructor(house: House) {
    this.house = house;
  }

  async settle(): Promise<this> {
    await this.house.database.store.createScope({ id: this.scope, kind: 'personal', owner: this.account });
    await this.act(listIn(this.scope, this.inbox, { listType: 'inbox' }));
    return this;
  }

  /** Makes a list that all of these people share. */
  async share(...others: readonly Member[]): Promise<Shared> {
    const [scope, list] = [someId(), someId()];
    await this.house.database.store.createScope({ id: scope, kind: 'list', owner: this.account });
    this.roles.set(scope, 'owner');
    for (const { roles } of others) roles.set(scope, 'member');
    // The list of a shared scope comes there by the server alone.
    this.isServer = true;
    await this.act(listIn(scope, list, { listType: 'list', name: 'Shared' }));
    this.isServer = false;
    return { scope, list };
  }

  get actor(): AccountActor {
    const { account, scope: personalScope, roles } = this;
    const actor = { type: 'account', account, session: someId(), kind: 'web', personalScope, roles } as const;
    return this.isServer ? { ...actor, isServer: true } : actor;
  }

  /** Operations as its device sends them, a minute after the last ones: of its own scope, having seen nothing, made just now. */
  ops(said: readonly Said[]): Record<string, unknown>[] {
    this.house.now += 60_000;
    return said.map((action) => {
      this.seq += 1;
      return { q: this.seq, u: someId(), scope: this.scope, t: this.house.now, b: 0, ...action };
    });
  }

  async sync(ops: readonly unknown[], request: Partial<SyncRequest> = {}): Promise<SyncResponse> {
    const head = { schema: protocolVersion, device: this.device, clientNow: this.house.now, ack: 0 };
    const body = { ...head, cursors: {}, ops, ...request };
    const result = await this.house.exchange.sync(this.actor, body);
    if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
    return result.value;
  }

  async verdicts(...said: readonly Said[]): Promise<readonly Verdict[]> {
    return (await this.sync(this.ops(said))).results.map(([, verdict]) => verdict as Verdict);
  }

  /** Sends operations; all must be applied. */
  async act(...said: readonly Said[]): Promise<void> {
    assert.deepEqual(
      await this.verdicts(...said),
      said.map(() => 'ok'),
    );
  }

  async task(parent: Id, fields: Record<string, unknown> = {}, scope = this.scope): Promise<Id> {
    const id = someId();
    await this.act({ a: 'create', scope, id, type: 'task', fields, place: { parent } });
    return id;
  }

  /** What it hears of a scope since a version. */
  async changes(scope: Id, version: number, schema = protocolVersion): Promise<ScopeChanges | undefined> {
    const cursors = { [scope]: { generation: this.house.generation, version } };
    return (await this.sync([], { cursors, schema })).changes.find((change) => change.scope === scope);
  }
}

export const headOf = async ({ database }: House, scope: Id) => {
  const head = await database.store.scope(scope);
  assert.ok(head);
  return head;
};

/** The rows of a scope, after checking that they add up to its sum and hang in it. */
export async function rowsOf(house: House, scope: Id): Promise<ReadonlyMap<Id, Row>> {
  const rows = await house.database.store.snapshot(scope, null, 100_000);
  const sum = new DigestSum();
  for (const { id, version } of rows) sum.add(id, version);
  assert.equal((await headOf(house, scope)).digest, sum.value);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const whereabouts = await house.database.store.write((tx) => tx.whereabouts([...byId.keys()]));
  for (const id of byId.keys()) assert.equal(whereabouts.get(id), scope);
  return byId;
}

export const rowIn = ({ database }: House, scope: Id, id: Id): Promise<Row> =>
  stored(database.store, scope, id);

/** Lets a scope take back what a restore has lost, for a day. */
export const heal = ({ database: { store }, now }: House, scope: Id): Promise<void> =>
  store.write(async (tx) => {
    const head = (await tx.lockScopes([scope])).get(scope)!;
    await tx.save({ ...emptyBatch, scopes: [{ ...head, healingUntil: now + DAY }] });
  });
