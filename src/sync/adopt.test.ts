// Adopting into an account what a profile without one held.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, inboxId, mineId, type Id } from '#core/ids.ts';
import { adoptActions } from './adopt.ts';
import { createEngine } from './engine.ts';
import { createMemoryStorage } from './memory-storage.ts';
import type { Engine } from './replica-types.ts';

function ports() {
  let now = 1_000_000;
  const bytes = { next: 1 };
  const random = {
    fill(array: Uint8Array) {
      for (let index = 0; index < array.length; index += 1)
        array[index] = (bytes.next = (bytes.next * 48_271) % 2_147_483_647) & 255;
    },
    fraction: () => 0.5,
  };
  const clock = { now: () => (now += 1), monotonic: () => now };
  const timers = {
    after(_delayMs: number, work: () => void) {
      queueMicrotask(work);
      return () => undefined;
    },
  };
  return { clock, timers, random };
}

async function localEngine(scope: Id): Promise<Engine> {
  const engine = createEngine(
    { storage: createMemoryStorage(), transport: null, checks: registerChecks, ...ports() },
    { scope, account: 0 },
  );
  await engine.open();
  await engine.loaded();
  return engine;
}

function outline(engine: Engine, parent: Id): unknown {
  return engine.replica
    .children(parent)
    .map((row) => [
      row.fields.title ?? row.fields.name ?? '',
      row.fields.del !== undefined,
      outline(engine, row.id),
    ]);
}

describe('adopting a local profile', () => {
  it('creates the same tree with the same ids in the new scope, twice as well as once', async () => {
    const newId = createIdSource({ now: () => 5, random: (bytes) => bytes.fill(7) });
    const [from, to, list, parent, child, trashed] = [newId(), newId(), newId(), newId(), newId(), newId()];
    const local = await localEngine(from);
    local.replica.issue([
      {
        a: 'create',
        id: list,
        type: 'list',
        fields: { listType: 'list', name: 'Garden' },
        place: { parent: from },
      },
      { a: 'create', id: parent, type: 'task', fields: { title: 'plant' }, place: { parent: inboxId(from) } },
      { a: 'create', id: child, type: 'task', fields: { title: 'dig' }, place: { parent } },
      { a: 'create', id: trashed, type: 'task', fields: { title: 'old' }, place: { parent: list } },
      { a: 'delete', id: trashed },
      {
        a: 'create',
        id: mineId(from, inboxId(from)),
        type: 'mine',
        fields: { of: inboxId(from), collapsed: true },
      },
    ]);
    const account = await localEngine(to);
    for (let round = 0; round < 2; round += 1) account.replica.issue(adoptActions(local.replica, from, to));
    assert.deepEqual(outline(account, to), outline(local, from));
    assert.equal(account.replica.row(mineId(to, inboxId(to)))?.fields.collapsed, true);
    assert.equal(account.replica.row(child)?.fields.title, 'dig');
    assert.ok(account.replica.row(trashed)?.fields.del !== undefined);
  });
});
