// Contract of the Store port, part one: scopes and transactions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ReminderMarks, Store, WriteTransaction } from '#server/data/store.ts';
import {
  emptyBatch,
  lookUp,
  newScope,
  placed,
  rowOf,
  someAccount,
  someId,
  titleEntry,
} from './store-samples.ts';

export function scopeTests(at: () => Store): void {
  test('a new scope is empty and its owner is its member', async () => {
    const owner = someAccount();
    const id = someId();
    await at().createScope({ id, kind: 'list', owner });
    const { generation, ...head } = (await at().scope(id))!;
    assert.deepEqual(head, {
      id,
      kind: 'list',
      owner,
      version: 0,
      horizon: 0,
      digest: '0000000000000000',
      updatedClock: 0,
      healingUntil: 0,
      minSchema: 1,
    });
    assert.ok(Number.isSafeInteger(generation));
    assert.deepEqual(await at().scopesOf(owner), [{ scope: id, role: 'owner' }]);
    assert.deepEqual(await at().membersOf(id), [owner]);
    assert.equal(await at().versionAtEndOf(id, generation), null);
  });

  test('creating a scope twice fails and leaves the first', async () => {
    const id = await newScope(at());
    const members = await at().membersOf(id);
    await assert.rejects(at().createScope({ id, kind: 'list', owner: someAccount() }));
    assert.equal((await at().scope(id))?.kind, 'personal');
    assert.deepEqual(await at().membersOf(id), members);
  });

  test('what does not exist is null, empty or absent', async () => {
    assert.equal(await at().scope(someId()), null);
    assert.deepEqual(await at().scopesOf(someAccount()), []);
    assert.deepEqual(await at().membersOf(someId()), []);
    assert.deepEqual(await at().snapshot(someId(), null, 10), []);
    assert.equal(await at().versionAtEndOf(someId(), 1), null);
    const locked = await at().write((tx) => tx.lockScopes([someId()]));
    assert.equal(locked.size, 0);
  });

  test('changes of an unknown scope are refused', async () => {
    await assert.rejects(at().changes(someId(), 0, 10));
  });

  test('every part of a scope record is kept', async () => {
    const scope = await newScope(at());
    const record = {
      ...(await at().scope(scope))!,
      version: Number.MAX_SAFE_INTEGER,
      horizon: 12,
      digest: 'fedcba9876543210',
      generation: 4,
      updatedClock: 1_760_000_000_123,
      healingUntil: 1_760_000_000_456,
    };
    await at().write(async (tx) => {
      await tx.lockScopes([scope]);
      await tx.save({ ...emptyBatch, scopes: [record] });
      assert.deepEqual(
        (await tx.lockScopes([scope])).get(scope),
        record,
        'a transaction sees its own writes',
      );
    });
    assert.deepEqual(await at().scope(scope), record);
  });

  test('[SYNC-74] the protocol that a scope asks for only grows, whatever else is written', async () => {
    const [scope, other] = [await newScope(at()), await newScope(at())];
    const before = (await at().scope(scope))!;
    await at().write(async (tx) => {
      await tx.lockScopes([scope]);
      await tx.raiseMinSchema(scope, 5);
      assert.equal((await tx.lockScopes([scope])).get(scope)?.minSchema, 5);
    });
    await at().write(async (tx) => {
      await tx.lockScopes([scope]);
      await tx.raiseMinSchema(scope, 4);
      await tx.save({ ...emptyBatch, scopes: [{ ...before, version: 1 }] });
    });
    assert.deepEqual(await at().scope(scope), { ...before, version: 1, minSchema: 5 });
    assert.equal((await at().scope(other))?.minSchema, 1);
  });

  test('[SYNC-74] a protocol is asked for together with what needs it, or not at all', async () => {
    const scope = await newScope(at());
    const failure = new Error('changed my mind');
    const raised = at().write(async (tx) => {
      await tx.lockScopes([scope]);
      await tx.raiseMinSchema(scope, 5);
      throw failure;
    });
    await assert.rejects(raised, failure);
    await assert.rejects(
      at().write((tx) => tx.raiseMinSchema(scope, 5)),
      'it was not locked',
    );
    assert.equal((await at().scope(scope))?.minSchema, 1);
  });

  test('a scope that was not locked is not written', async () => {
    const scope = await newScope(at());
    const head = (await at().scope(scope))!;
    await assert.rejects(at().write((tx) => tx.save({ ...emptyBatch, scopes: [{ ...head, version: 9 }] })));
    assert.equal((await at().scope(scope))?.version, 0);
  });

  test('the probe writes', async () => {
    await at().probe();
    await at().probe();
  });
}

export function transactionTests(at: () => Store): void {
  test('a rejected write leaves nothing of any kind', async () => {
    const scope = await newScope(at());
    const device = someId();
    const task = someId();
    const failure = new Error('changed my mind');
    const work = async (tx: WriteTransaction) => {
      const head = (await tx.lockScopes([scope])).get(scope)!;
      await tx.devices([{ id: device, account: 1 }]);
      await tx.save({
        ...emptyBatch,
        scopes: [{ ...head, version: 1 }],
        scopeGenerations: [{ scope, generation: 0, maxVersion: 1 }],
        rows: [rowOf(scope, { id: task })],
        tombstones: [{ scope, id: someId(), version: 1 }],
        results: [{ device, seq: 1, operation: someId(), verdict: 'ok' }],
        history: [titleEntry(scope, 1, task)],
      });
      throw failure;
    };
    await assert.rejects(at().write(work), failure);
    const { head, rows, gone } = await at().changes(scope, 0, 10);
    assert.deepEqual([head.version, rows, gone], [0, [], []]);
    assert.deepEqual(await at().history(scope, { limit: 10 }), []);
    assert.equal((await lookUp(at(), scope, task))?.type, 'unknown');
    await at().write(async (tx) => {
      assert.deepEqual(await tx.results(device, [1]), []);
      // Account 2 gets the id: the device of account 1 never came to be.
      assert.equal((await tx.devices([{ id: device, account: 2 }])).get(device)?.account, 2);
    });
  });

  test('a write in which a save failed is not committed, even when work goes on', async () => {
    const scope = await newScope(at());
    const [first, second] = [placed(scope, scope, 'a0'), placed(scope, scope, 'a0')];
    const work = async (tx: WriteTransaction) => {
      const head = (await tx.lockScopes([scope])).get(scope)!;
      await assert.rejects(
        tx.save({ ...emptyBatch, scopes: [{ ...head, version: 1 }], rows: [first, second] }),
      );
    };
    await assert.rejects(at().write(work));
    assert.equal((await at().scope(scope))?.version, 0);
    assert.equal((await lookUp(at(), scope, first.id))?.type, 'unknown');
  });

  test('a transaction cannot be used after its end', async () => {
    const scope = await newScope(at());
    const escaped = await at().write((tx) => Promise.resolve({ tx }));
    await assert.rejects(escaped.tx.lockScopes([scope]), /ended/);
    await assert.rejects(escaped.tx.save(emptyBatch), /ended/);
  });

  test('reads do not see an open transaction', async () => {
    const scope = await newScope(at());
    const row = placed(scope, scope, 'a0');
    let reads: Promise<unknown>[] = [];
    await at()
      .write(async (tx) => {
        const head = (await tx.lockScopes([scope])).get(scope)!;
        await tx.save({ ...emptyBatch, scopes: [{ ...head, version: 1 }], rows: [row] });
        reads = [at().scope(scope), at().snapshot(scope, null, 10), at().changes(scope, 0, 10)];
        // An engine may answer now with what was before, or wait for the end: never with what may still be taken back.
        const answer = await Promise.race([
          reads[0],
          new Promise((resolve) => setImmediate(resolve, 'waits')),
        ]);
        if (answer !== undefined && answer !== 'waits')
          assert.equal((answer as { version: number }).version, 0);
        throw new Error('roll back');
      })
      .catch((error: Error) => assert.equal(error.message, 'roll back'));
    const [head, rows, changes] = (await Promise.all(reads)) as [{ version: number }, Row[], { rows: Row[] }];
    assert.equal(head.version, 0);
    assert.deepEqual(rows, []);
    assert.deepEqual(changes.rows, []);
  });

  test('concurrent writes on one scope run one after another', async () => {
    const scope = await newScope(at());
    const bump = () =>
      at().write(async (tx) => {
        const head = (await tx.lockScopes([scope])).get(scope)!;
        // Room for others to run, if nothing keeps them out.
        await new Promise((resolve) => setImmediate(resolve));
        await tx.save({ ...emptyBatch, scopes: [{ ...head, version: head.version + 1 }] });
        return head.version + 1;
      });
    const versions = await Promise.all(Array.from({ length: 25 }, bump));
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
    assert.equal((await at().scope(scope))?.version, 25);
  });

  test('writes that lock the same scopes in opposite orders all end', async () => {
    const scopes = [await newScope(at()), await newScope(at())];
    const bump = (ids: readonly Id[]) =>
      at().write(async (tx) => {
        const heads = [...(await tx.lockScopes(ids)).values()];
        await tx.save({
          ...emptyBatch,
          scopes: heads.map((head) => ({ ...head, version: head.version + 1 })),
        });
      });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => bump(index % 2 ? scopes : scopes.toReversed())),
    );
    for (const id of scopes) assert.equal((await at().scope(id))?.version, 20);
  });

  test('a batch says whether a reminder has to be computed again', async () => {
    const scope = await newScope(at());
    const task = someId();
    const none = { held: [], tasks: [], scopes: [], told: [] };
    const said = (marks: Partial<ReminderMarks>) =>
      at().write(
        async (tx) => (await tx.save({ ...emptyBatch, reminding: { ...none, ...marks } })).isReminding,
      );
    assert.equal(await said({ tasks: [task] }), false, 'nobody wants to be reminded of it');
    assert.equal(await said({ scopes: [scope] }), false);
    assert.equal(await said({ held: [{ scope, task }] }), true);
    assert.equal(await said({ tasks: [task] }), true);
    assert.equal(await said({ scopes: [scope] }), true);
    assert.equal(await at().write(async (tx) => (await tx.save(emptyBatch)).isReminding), false);
  });
}
