// Contract of the Store port: operations that wait for what a restored database has lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '#sync/rows/operation.ts';
import type { ParkedOperation, Store } from '#server/data/store.ts';
import { emptyBatch, someAccount, someId } from './store-samples.ts';

export function parkedTests(at: () => Store): void {
  test('what is parked comes back in the order it came, with the role of its author at present', async () => {
    const [scope, owner, stranger] = [someId(), someAccount(), someAccount()];
    await at().createScope({ id: scope, kind: 'list', owner });
    const parkedBy = (account: number, q: number): ParkedOperation => {
      const target = someId();
      const head = { q, u: someId(), scope, t: 5, b: 0 };
      const operation: Operation = { ...head, a: 'set', id: target, field: 'title', value: `ü ${q} \u0000` };
      return { scope, target, account, role: 'member', device: 3, at: 7, until: 9, operation };
    };
    const parked = [parkedBy(owner, 2), parkedBy(stranger, 1), parkedBy(owner, 3)];
    const read = () => at().write((tx) => tx.parked(scope));
    await at().write((tx) => tx.save({ ...emptyBatch, parked }));
    const found = await read();
    assert.deepEqual(
      found.map(({ number: _number, ...rest }) => rest),
      parked.map((item) => ({ ...item, role: item.account === owner ? 'owner' : null })),
    );
    const roles = [owner, stranger].map((account) => at().write((tx) => tx.roleIn(scope, account)));
    assert.deepEqual(await Promise.all(roles), ['owner', null]);
    const numbers = found.map(({ number }) => number ?? 0);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    await at().write((tx) => tx.save({ ...emptyBatch, unparked: numbers.slice(0, 2) }));
    assert.deepEqual(
      (await read()).map(({ number }) => number),
      numbers.slice(2),
    );
    assert.deepEqual(await at().write((tx) => tx.parked(someId())), []);
  });
}
