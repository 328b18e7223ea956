// Adopting into an account what a profile without one held.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { completionId, createIdSource, inboxId, listsRoot, mineId, type Id } from '#core/ids.ts';
import { adoptActions } from './adopt.ts';
import { createEngine } from '../exchange/engine.ts';
import type { Action } from '../rows/operation.ts';
import { createMemoryStorage } from './memory-storage.ts';
import type { Engine } from './replica-types.ts';
import { fieldOf } from '../rows/row.ts';

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
      fieldOf(row, 'title') ?? fieldOf(row, 'name') ?? '',
      fieldOf(row, 'del') !== undefined,
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
    assert.equal(fieldOf(account.replica.row(mineId(to, inboxId(to))), 'collapsed'), true);
    assert.equal(fieldOf(account.replica.row(child), 'title'), 'dig');
    assert.ok(fieldOf(account.replica.row(trashed), 'del') !== undefined);
  });

  it('makes everything anew for another account: tree, marks, records of completions and links in notes name the new ids', async () => {
    let next = 0;
    const newId = createIdSource({ now: () => 5, random: (bytes) => bytes.fill((next += 1)) });
    const [from, to, list, first, second] = [newId(), newId(), newId(), newId(), newId()];
    const old = await localEngine(from);
    const task = (id: Id, fields: Readonly<Record<string, unknown>>): Action => ({
      a: 'create',
      id,
      type: 'task',
      fields,
      place: { parent: list },
    });
    old.replica.issue([
      {
        a: 'create',
        id: list,
        type: 'list',
        fields: { listType: 'list', name: 'L' },
        place: { parent: listsRoot(from) },
      },
      task(first, { title: 'First' }),
      task(second, { title: 'Second', notes: `See posthaste:///task/${first} and ${to}.` }),
      { a: 'create', id: mineId(from, first), type: 'mine', fields: { of: first } },
      {
        a: 'create',
        id: completionId(first, 0),
        type: 'completion',
        fields: { task: first, occ: 0, at: 5, title: 'First' },
      },
    ]);
    const actions = adoptActions(old.replica, from, to, true);
    const text = JSON.stringify(actions);
    assert.deepEqual(
      [from, list, first, second].filter((id) => text.includes(id)),
      [],
      text,
    );
    assert.deepEqual(adoptActions(old.replica, from, to, true), actions, 'the same ones whenever it is done');
    const account = await localEngine(to);
    account.replica.issue(actions);
    account.replica.issue(actions);
    assert.deepEqual(outline(account, listsRoot(to)), outline(old, listsRoot(from)));
    const all = [...account.replica.all()];
    const renamed = all.find((row) => fieldOf(row, 'title') === 'First')?.id as Id;
    const notes = fieldOf(
      all.find((row) => fieldOf(row, 'title') === 'Second'),
      'notes',
    );
    assert.equal(notes, `See posthaste:///task/${renamed} and ${to}.`);
    assert.ok(account.replica.row(mineId(to, renamed)));
    assert.equal(fieldOf(account.replica.row(completionId(renamed, 0)), 'task'), renamed);
  });
});
