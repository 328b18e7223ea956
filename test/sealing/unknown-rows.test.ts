// Edits of what a copy doesn't have: they wait until an answer was heard that says nothing of it, and only then are gone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { failed, ok } from '#core/result.ts';
import type { SealingHost } from '#sync/sealing/ports.ts';
import { SealedTransport } from '#sync/sealing/sealed-transport.ts';
import { registerChecks } from '#wire/registers.ts';
import type { SyncRequest, SyncResponse } from '#wire/sync.ts';
import { mergeNote } from '#sync/notes/note-merging.ts';
import { owner } from './material.ts';
import { SealedDevice } from './sealed-device.ts';
import { SealedServer } from './sealed-server.ts';

const LIST = '00000000-03e8-7000-8000-000000000001' as Id;
const OTHER = '00000000-03e8-7000-8000-000000000002' as Id;

const rename = (q: number, id: Id) => {
  const head = { q, n: q, t: 1_000, b: 0, u: `00000000-03e8-7000-8000-00000000010${q}`, scope: owner.scope };
  return { ...head, a: 'set', id, field: 'name', value: 'canary' };
};

const request = (...ops: readonly unknown[]) =>
  ({ device: LIST, cursors: {}, ops }) as unknown as SyncRequest;

/** A transport with the key of a device, whose copy knows only what `known` says. */
async function world() {
  const server = new SealedServer(owner.scope, owner.account);
  const device = await new SealedDevice(server).start();
  await device.turnOn();
  const known = new Set<Id>();
  const facts = { isReading: false, isOnline: true };
  const host = {
    scope: owner.scope,
    account: owner.account,
    numberOf: () => 3,
    typeOf: (id: Id) => (known.has(id) ? 'list' : undefined),
    get isReading() {
      return facts.isReading;
    },
    confirmed: () => undefined,
    row: () => undefined,
    held: () => [],
    wasSealed: true,
    remember: () => undefined,
    standApart: () => undefined,
    isHeld: true,
    breathe: () => Promise.resolve(),
  } as unknown as SealingHost;
  const went: number[][] = [];
  const transport = new SealedTransport({
    transport: {
      sync: (sent) => {
        const ops = sent.ops as readonly { readonly q: number }[];
        if (!facts.isOnline) return Promise.resolve(failed({ type: 'offline' }));
        went.push(ops.map(({ q }) => q));
        const results = ops.map(({ q }) => [q, 'ok']);
        const sealing = { [owner.scope]: server.state };
        return Promise.resolve(ok({ results, changes: [], left: [], sealing } as unknown as SyncResponse));
      },
      snapshot: () => Promise.resolve(failed({ type: 'offline' })),
      listen: () => () => undefined,
    },
    platform: { checks: registerChecks },
    host,
    keys: device.keys,
    crossings: { outgoing: (operations) => Promise.resolve({ operations, refused: [] }) },
    merging: () => Promise.resolve(mergeNote),
    heard: () => undefined,
    coming: () => undefined,
  });
  const verdicts = async (...ops: readonly unknown[]) => {
    const answer = await transport.sync(request(...ops));
    return answer.ok ? answer.value.results : answer.problem.type;
  };
  return { device, known, facts, went, verdicts };
}

describe('an edit of what this copy does not have', () => {
  test('[SEAL-427] it waits with all that follows, and goes out once that has come', async () => {
    const { device, known, went, verdicts } = await world();
    known.add(OTHER);
    const ops = [rename(1, LIST), rename(2, OTHER)];
    assert.deepEqual(await verdicts(...ops), []);
    known.add(LIST);
    assert.deepEqual(await verdicts(...ops), [
      [1, 'ok'],
      [2, 'ok'],
    ]);
    assert.deepEqual(went, [[], [1, 2]]);
    await device.close();
  });

  test('[SEAL-427] after an answer that says nothing of it, it is gone, however much there is of it', async () => {
    const { device, known, verdicts } = await world();
    known.add(OTHER);
    const ops = [rename(1, LIST), rename(2, OTHER), rename(3, LIST)];
    assert.deepEqual(await verdicts(...ops), []);
    assert.deepEqual(await verdicts(...ops), [
      [1, 'gone'],
      [2, 'ok'],
      [3, 'gone'],
    ]);
    await device.close();
  });

  test('[SEAL-427] requests that nobody answered say nothing, nor do answers while a scope is being read', async () => {
    const { device, facts, verdicts } = await world();
    facts.isOnline = false;
    assert.equal(await verdicts(rename(1, LIST)), 'offline');
    facts.isOnline = true;
    assert.deepEqual(await verdicts(rename(1, LIST)), []);
    facts.isReading = true;
    assert.deepEqual(await verdicts(rename(1, LIST)), []);
    facts.isReading = false;
    assert.deepEqual(await verdicts(rename(1, LIST)), [[1, 'gone']]);
    await device.close();
  });
});
