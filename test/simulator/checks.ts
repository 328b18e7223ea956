// What must hold when everybody has been heard: all copies equal, the tree sound, every accepted operation applied once,
// nothing lost without its author having it back.
import assert from 'node:assert/strict';
import { must } from '#core/assert.ts';
import { completionIds, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { fieldOf, type Row, type StoredRow } from '#sync/rows/row.ts';
import type { HistoryEntry } from '#server/data/store.ts';
import type { SimulatedDevice } from './device.ts';
import type { Hits } from './hits.ts';
import type { SimulatedServer } from './server.ts';
import { heardBy } from './unknown-types.ts';

interface Checked {
  readonly server: SimulatedServer;
  readonly devices: readonly SimulatedDevice[];
  readonly acknowledged: ReadonlySet<Id>;
  readonly hits: Hits;
}

/** Throws, saying what is wrong. */
export async function checkWorld({ server, devices, acknowledged, hits }: Checked): Promise<void> {
  for (const [scope, { model }] of server.oracle.scopes) {
    const rows = await server.rowsOf(scope);
    const history = await server.store.history(scope, { limit: 1_000_000 });
    await checkScope(server, scope, rows);
    checkTree(scope, rows);
    checkOccurrences({ scope, rows, history, purged: model.purged });
    const own = devices.filter(({ actor }) => actor.personalScope === scope);
    for (const device of own) {
      checkCopy(device, rows);
      hits.hit('opaque row kept', [...rows.values()].filter(({ type }) => device.unknown.has(type)).length);
    }
  }
  await checkHistory(server, acknowledged);
  for (const device of devices) checkNothingLost(device, server, hits);
}

async function checkScope(server: SimulatedServer, scope: Id, rows: ReadonlyMap<Id, Row>): Promise<void> {
  const head = await server.store.scope(scope);
  const digest = new DigestSum();
  for (const row of rows.values()) digest.add(row.id, row.version);
  assert.equal(head?.digest, digest.value, 'the digest of the scope is that of its rows');
  const model = server.oracle.scopes.get(scope)?.model;
  assert.deepEqual(
    [...rows.keys()].toSorted(),
    [...(model?.rows.keys() ?? [])].toSorted(),
    'the server holds the rows of the model',
  );
}

export function checkTree(scope: Id, rows: ReadonlyMap<Id, Row>): void {
  const roots = new Set([listsRoot(scope), labelsRoot(scope)]);
  const places = new Set<string>();
  for (const row of rows.values()) {
    assert.equal(row.scope, scope, 'a row lies in its scope');
    const place = fieldOf(row, 'place');
    if (place === undefined) continue;
    const spot = `${place.parent} ${place.key}`;
    assert.ok(!places.has(spot), `two siblings have the key ${place.key}`);
    places.add(spot);
    const seen = new Set<Id>([row.id]);
    for (let at = place.parent; !roots.has(at);) {
      assert.ok(!seen.has(at), `${row.id} is in a cycle`);
      seen.add(at);
      const parent = rows.get(at);
      assert.ok(parent, `${row.id} hangs under ${at}, which does not exist`);
      at = must(fieldOf(parent, 'place'), 'what holds a row has a place').parent;
    }
  }
}

interface Occurrences {
  readonly scope: Id;
  readonly rows: ReadonlyMap<Id, Row>;
  readonly history: readonly HistoryEntry[];
  readonly purged: ReadonlySet<Id>;
}

/** Every occurrence advanced at most once more than it was taken back, and its record says so. */
function checkOccurrences({ scope, rows, history, purged }: Occurrences): void {
  const balance = new Map<string, number>();
  for (const { operation } of history) {
    const slot = `${operation.id} ${'occ' in operation ? operation.occ : ''}`;
    if (operation.a === 'complete' && operation.next !== null)
      balance.set(slot, (balance.get(slot) ?? 0) + 1);
    if (operation.a === 'reopen' && operation.previous !== null)
      balance.set(slot, (balance.get(slot) ?? 0) - 1);
  }
  const completed = new Map<Id, number>();
  for (const [slot, times] of balance) {
    const [task, occ] = slot.split(' ') as [Id, string];
    if (purged.has(task)) continue;
    assert.ok(times === 0 || times === 1, `occurrence ${slot} was completed ${times} times`);
    completed.set(task, (completed.get(task) ?? 0) + times);
    const ids = completionIds(scope, task, Number(occ));
    const standing = ids.filter((id) => rows.has(id) && fieldOf(rows.get(id), 'del') === undefined).length;
    // Purged when its task was in the trash, which then came back.
    if (standing === 0 && ids.some((id) => purged.has(id))) continue;
    assert.equal(standing, times, `the records of occurrence ${slot}`);
  }
  for (const row of rows.values()) {
    if (row.type === 'task')
      assert.equal(row.fields['occ'] ?? 0, completed.get(row.id) ?? 0, `the occurrence number of ${row.id}`);
    if (row.type === 'completion')
      assert.ok(
        balance.has(`${String(row.fields['task'])} ${String(row.fields['occ'])}`) ||
          purged.has(row.fields['task'] as Id),
        'a record without a completion',
      );
  }
}

function sorted(rows: Iterable<StoredRow>): StoredRow[] {
  return [...rows]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => ({ ...row, stamps: row.stamps ?? {} }));
}

export function checkCopy(device: SimulatedDevice, rows: ReadonlyMap<Id, Row>): void {
  const { engine, unknown } = device;
  const known = [...rows.values()].filter(({ type }) => !unknown.has(type));
  assert.ok(engine, `${device.name} is running`);
  // Of shared lists mounts.ts says where they stand, and what is not shown of them.
  const isShown = ({ type, scope }: Row): boolean =>
    type !== 'mount' && type !== 'member' && (type !== 'list' || scope === device.actor.personalScope);
  assert.deepEqual(
    sorted([...engine.replica.all()].filter(isShown)),
    sorted(known.filter(isShown)),
    `${device.name} shows what the server holds, as far as it knows it`,
  );
  const ownOf = (parent: Id) => engine.replica.children(parent).filter(isShown);
  assert.deepEqual(
    sorted(device.contents.rows.values()),
    sorted([...rows.values()].map((row) => heardBy(unknown, row))),
    `${device.name} keeps on disk what the server holds`,
  );
  assert.notEqual(engine.facts().digest, 'different', `${device.name} has the server's sum`);
  assert.equal(device.contents.outbox.size, 0, `${device.name} has an empty queue on disk`);
  const parents = new Map<Id, { id: Id; key: string }[]>();
  for (const row of known) {
    const place = fieldOf(row, 'place');
    if (place === undefined || !isShown(row)) continue;
    const siblings = parents.get(place.parent) ?? [];
    siblings.push({ id: row.id, key: place.key });
    parents.set(place.parent, siblings);
  }
  for (const [parent, siblings] of parents) {
    const order = siblings.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ id }) => id);
    assert.deepEqual(
      ownOf(parent).map(({ id }) => id),
      order,
      `${device.name} shows siblings in the server's order`,
    );
  }
}

async function checkHistory(server: SimulatedServer, acknowledged: ReadonlySet<Id>): Promise<void> {
  const held = new Set<Id>();
  const purged = new Set<Id>();
  const twice = server.oracle.twice;
  for (const [scope, { model }] of server.oracle.scopes) {
    const history = await server.store.history(scope, { limit: 1_000_000 });
    for (const { operation } of history) {
      assert.ok(!held.has(operation.u) || twice.has(operation.u), 'an operation is in the history once');
      held.add(operation.u);
    }
    for (const id of model.purged) purged.add(id);
  }
  for (const [id, operation] of server.oracle.applied)
    assert.ok(held.has(id) || purged.has(operation.id), 'an applied operation is in the history');
  for (const id of acknowledged)
    assert.ok(server.oracle.applied.has(id), 'an acknowledged operation was applied');
}

/** Whatever reached the disk got a verdict, or was made pointless by a later write of the same device. */
function checkNothingLost(device: SimulatedDevice, server: SimulatedServer, hits: Hits): void {
  const { verdicts, applied } = server.oracle;
  const recovered = new Set([...device.contents.recovered.values()].map(({ operation }) => operation.u));
  for (const operation of device.disk.durable.values()) {
    const verdict = verdicts.get(operation.u);
    if (verdict === undefined) {
      assert.ok(
        operation.a === 'set' || ('only' in operation && operation.only !== undefined),
        `${operation.a} of ${device.name} never reached the server`,
      );
      hits.hit('operations compacted');
      continue;
    }
    // Of what two copies held, one may have been applied and then removed for good before the other was judged.
    if (operation.a !== 'create' || applied.has(operation.u) || verdict === 'exists') continue;
    assert.ok(
      recovered.has(operation.u),
      `a refused creation (${verdict}) is in Recovered of ${device.name}`,
    );
  }
}
