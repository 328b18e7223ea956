// Contract of the Store port, part three: what replication keeps — rows, devices, changes, generations, history.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import { isRefusal, type Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Store } from '#server/data/store.ts';
import {
  commit,
  emptyBatch,
  newScope,
  placed,
  rowOf,
  someAccount,
  someId,
  stored,
  titleEntry,
} from './store-samples.ts';

/** What a reader of changes has learnt of an id. */
type Seen = [id: Id, what: { version: number; type: 'row' | 'gone' }];

export function rowTests(at: () => Store): void {
  const roundTrip = async (fields: Record<string, unknown>) => {
    const scope = await newScope(at());
    const row = rowOf(scope, { fields });
    await commit(at(), scope, () => ({ rows: [row] }));
    assert.deepEqual(await stored(at(), scope, row.id), row);
    assert.deepEqual(await at().snapshot(scope, null, 2), [row]);
    assert.deepEqual((await at().changes(scope, 0, 2)).rows, [row]);
  };

  test('a row comes back as it was saved, with and without stamps of its own', async () => {
    const scope = await newScope(at());
    const rows = [
      placed(scope, scope, 'a0', {
        fields: { title: 'Buy milk', notes: null, status: { done: 5, cleared: 6 } },
      }),
      rowOf(scope, { type: 'setting', fields: { key: 'theme', value: { dark: [true, 1.5, 'x'] } } }),
      rowOf(scope, {
        fields: {},
        stamps: { title: [7, -8.64e15, 2, Number.MAX_SAFE_INTEGER], notes: [1, 8.64e15, 3, 4] },
      }),
    ];
    await commit(at(), scope, () => ({ rows }));
    for (const row of rows) assert.deepEqual(await stored(at(), scope, row.id), row);
    // A later save replaces the whole row: own stamps and registers that are absent now are gone.
    const replaced = rows.map((row) => rowOf(scope, { id: row.id, version: 2, fields: { title: 'New' } }));
    await commit(at(), scope, () => ({ rows: replaced }));
    for (const row of replaced) assert.deepEqual(await stored(at(), scope, row.id), row);
  });

  test('registers of unknown form are kept: sealed text where a place, status or deletion is expected', async () => {
    await roundTrip({ place: 'sealed', status: 'sealed', del: ['x'], later: { nested: { deeply: [null] } } });
  });

  test('text of every kind comes back byte for byte', async () => {
    const text = 'NUL \u0000, half \uD83D, emoji 👩‍🌾, combining e\u0301 é, \u2028, quotes \'"`\\ {}, $1 ?1 :a';
    await roundTrip({ title: text, [text]: text });
  });

  test('names that JavaScript objects treat specially are ordinary registers', async () => {
    const fields = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":1,"toString":null,"meta:__proto__":"x"}',
    ) as Record<string, unknown>;
    await roundTrip(fields);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  test('a value of a megabyte comes back', async () => {
    await roundTrip({ notes: 'ä"\\\n'.repeat(200_000), title: 'Long' });
  });

  test('any JSON comes back', async () => {
    const scope = await newScope(at());
    const id = someId();
    // Any code units, halves of pairs included.
    const name = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 8 });
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, json), async (fields) => {
        const plain = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
        const row = rowOf(scope, { id, fields: plain });
        await commit(at(), scope, () => ({ rows: [row] }));
        assert.deepEqual((await stored(at(), scope, id)).fields, plain);
      }),
      { numRuns: 30, seed: 24 },
    );
  });

  test('a snapshot goes through all rows in id order, page by page', async () => {
    const scope = await newScope(at());
    const rows = Array.from({ length: 25 }, () => rowOf(scope));
    const purged = rowOf(scope);
    await commit(at(), scope, () => ({ rows: [...rows, purged] }));
    await commit(at(), scope, (version) => ({ tombstones: [{ scope, id: purged.id, version }] }));
    const seen: Row[] = [];
    for (let after: Id | null = null; ; after = seen.at(-1)!.id) {
      const page = await at().snapshot(scope, after, 7);
      seen.push(...page);
      if (page.length < 7) break;
    }
    assert.deepEqual(
      seen,
      rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
}

export function deviceTests(at: () => Store): void {
  test('an unknown device is made with a number of its own and then found again', async () => {
    const [one, two] = [someId(), someId()];
    const account = someAccount();
    const wanted = [one, two].map((id) => ({ id, account }));
    const made = await at().write((tx) => tx.devices(wanted));
    const [first, second] = [made.get(one)!, made.get(two)!];
    assert.ok(first.number > 0 && second.number > 0 && first.number !== second.number);
    assert.deepEqual(first, {
      id: one,
      number: first.number,
      account,
      lastSeq: 0,
      ackedSeq: 0,
      lastStamp: 0,
    });
    assert.deepEqual(await at().write((tx) => tx.devices(wanted)), made);
    assert.equal((await at().write((tx) => tx.devices([]))).size, 0);
  });

  test('a device of another account is returned as it is', async () => {
    const id = someId();
    const own = await at().write((tx) => tx.devices([{ id, account: 1 }]));
    const foreign = await at().write((tx) => tx.devices([{ id, account: 2 }]));
    assert.deepEqual(foreign, own);
    assert.equal(foreign.get(id)?.account, 1);
  });

  test('what a device has done is kept', async () => {
    const id = someId();
    const record = await at().write(async (tx) => {
      const device = (await tx.devices([{ id, account: 1 }])).get(id)!;
      const next = { ...device, lastSeq: 2 ** 40, ackedSeq: 7, lastStamp: 1_760_000_000_123 };
      await tx.save({ ...emptyBatch, devices: [next] });
      return next;
    });
    assert.deepEqual((await at().write((tx) => tx.devices([{ id, account: 1 }]))).get(id), record);
  });

  test('devices made at the same time do not collide', async () => {
    const ids = Array.from({ length: 12 }, someId);
    const wanted = ids.map((id) => ({ id, account: 1 }));
    const made = await Promise.all([
      at().write((tx) => tx.devices(wanted)),
      at().write((tx) => tx.devices(wanted.toReversed())),
    ]);
    assert.deepEqual(made[0], made[1].size === 12 ? new Map(ids.map((id) => [id, made[1].get(id)!])) : null);
    assert.equal(new Set([...made[0].values()].map(({ number }) => number)).size, 12);
  });

  test('verdicts are kept by device and sequence number until they are forgotten', async () => {
    const [device, other] = [someId(), someId()];
    const verdicts: Verdict[] = ['ok', 'superseded', 'gone', 'limit', 'ok'];
    const results = verdicts.map((verdict, index) => ({
      device,
      seq: index + 1,
      operation: someId(),
      verdict,
    }));
    const foreign = { device: other, seq: 2, operation: someId(), verdict: 'ok' as const };
    await at().write((tx) => tx.save({ ...emptyBatch, results: [...results, foreign] }));
    const read = (of: Id, seqs: number[]) => at().write((tx) => tx.results(of, seqs));
    assert.deepEqual(await read(device, [1, 3, 99]), [results[0], results[2]]);
    assert.deepEqual(await read(device, []), []);
    await at().write((tx) =>
      tx.save({ ...emptyBatch, forgetResults: [{ device, afterSeq: 0, upToSeq: 3 }] }),
    );
    assert.deepEqual(await read(device, [1, 2, 3, 4, 5]), results.slice(3));
    assert.deepEqual(await read(other, [2]), [foreign]);
    assert.equal(results.filter(({ verdict }) => isRefusal(verdict)).length, 2);
  });
}

export function changesTests(at: () => Store): void {
  test('a delta holds what is newer, oldest first, with the head of the same snapshot', async () => {
    const scope = await newScope(at());
    const [one, two, three] = [rowOf(scope), rowOf(scope), rowOf(scope)];
    await commit(at(), scope, (version) => ({ rows: [{ ...one, version }] }));
    await commit(at(), scope, (version) => ({ rows: [two, three].map((row) => ({ ...row, version })) }));
    await commit(at(), scope, (version) => ({
      rows: [{ ...one, version }],
      tombstones: [{ scope, id: two.id, version }],
    }));
    const head = (await at().scope(scope))!;
    const all = await at().changes(scope, 0, 100);
    assert.deepEqual(
      { ...all, rows: all.rows.map(({ id, version }) => [id, version]) },
      {
        head,
        rows: [
          [three.id, 2],
          [one.id, 3],
        ],
        gone: [two.id],
        moved: [],
        to: 3,
        more: false,
      },
    );
    assert.deepEqual(
      (await at().changes(scope, 2, 100)).rows.map(({ id }) => id),
      [one.id],
    );
    assert.deepEqual(await at().changes(scope, 3, 100), {
      head,
      rows: [],
      gone: [],
      moved: [],
      to: 3,
      more: false,
    });
  });

  test('versions that left nothing behind are passed over', async () => {
    const scope = await newScope(at());
    const row = rowOf(scope);
    for (let n = 0; n < 5; n += 1) await commit(at(), scope, (version) => ({ rows: [{ ...row, version }] }));
    await commit(at(), scope, () => ({}));
    const page = await at().changes(scope, 0, 1);
    assert.deepEqual([page.rows.length, page.to, page.more], [1, 6, false]);
  });

  test('a version larger than a page comes whole', async () => {
    const scope = await newScope(at());
    await commit(at(), scope, () => ({ rows: [rowOf(scope)] }));
    await commit(at(), scope, (version) => ({
      rows: Array.from({ length: 30 }, () => rowOf(scope, { version })),
      tombstones: Array.from({ length: 12 }, () => ({ scope, id: someId(), version })),
    }));
    await commit(at(), scope, (version) => ({ rows: [rowOf(scope, { version })] }));
    const first = await at().changes(scope, 0, 10);
    assert.deepEqual([first.rows.length, first.gone.length, first.to, first.more], [1, 0, 1, true]);
    const second = await at().changes(scope, first.to, 10);
    assert.deepEqual([second.rows.length, second.gone.length, second.to, second.more], [30, 12, 2, true]);
    const third = await at().changes(scope, second.to, 10);
    assert.deepEqual([third.rows.length, third.to, third.more], [1, 3, false]);
  });

  test('[SYNC-32] a page also names what its rows hang under, as far as that is newer than the page', async () => {
    const scope = await newScope(at());
    const [root, old, p, q, r] = [someId(), someId(), someId(), someId(), someId()];
    await commit(at(), scope, () => ({ rows: [placed(scope, root, 'a0', { id: old })] }));
    const seen = (await at().scope(scope))!.version;
    await commit(at(), scope, (version) => ({ rows: [placed(scope, q, 'a0', { id: p, version })] }));
    await commit(at(), scope, (version) => ({ rows: [rowOf(scope, { version })] }));
    // Above the page: q is newer, old is not and is passed through, r is newer again.
    await commit(at(), scope, (version) => ({ rows: [placed(scope, old, 'a1', { id: q, version })] }));
    await commit(at(), scope, (version) => ({ rows: [placed(scope, root, 'a2', { id: r, version })] }));
    const first = await at().changes(scope, seen, 1);
    assert.deepEqual(
      [first.rows.map(({ id }) => id), first.above?.map(({ id }) => id), first.more],
      [[p], [q], true],
    );
    const second = await at().changes(scope, first.to, 1);
    assert.deepEqual([second.rows.length, second.above, second.more], [1, [], true]);
    const last = await at().changes(scope, second.to, 5);
    assert.deepEqual([last.rows.map(({ id }) => id), last.above, last.more], [[q, r], undefined, false]);
  });

  test('pages of any size hold everything once and never part of a version', async () => {
    const write = fc.record({
      rows: fc.array(fc.nat(20), { maxLength: 6 }),
      gone: fc.array(fc.nat(20), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        async (writes, maxRows) => {
          const scope = await newScope(at());
          const ids = Array.from({ length: 21 }, someId);
          const expected = new Map<Seen[0], Seen[1]>();
          for (const { rows, gone } of writes) {
            const purged = new Set(gone);
            await commit(at(), scope, (version) => {
              const saved = [...new Set(rows)].filter((n) => !purged.has(n)).map((n) => ids[n]!);
              for (const id of saved) expected.set(id, { version, type: 'row' });
              for (const n of purged) expected.set(ids[n]!, { version, type: 'gone' });
              return {
                rows: saved.map((id) => rowOf(scope, { id, version })),
                tombstones: [...purged].map((n) => ({ scope, id: ids[n]!, version })),
              };
            });
          }
          const seen = new Map<Seen[0], Seen[1]>();
          let from = 0;
          for (let more = true; more;) {
            const page = await at().changes(scope, from, maxRows);
            const due = [...expected].filter(([, { version }]) => version > from && version <= page.to);
            const found: Seen[] = [
              ...page.rows.map(({ id, version }) => [id, { version, type: 'row' }] satisfies Seen),
              ...page.gone.map(
                (id) => [id, { version: expected.get(id)!.version, type: 'gone' }] satisfies Seen,
              ),
            ];
            assert.deepEqual(new Map(found), new Map(due));
            assert.deepEqual(
              page.rows,
              page.rows.toSorted((a, b) => a.version - b.version),
            );
            assert.ok(!page.more || page.to > from, 'every page gets further');
            for (const [id, what] of found) seen.set(id, what);
            from = page.to;
            more = page.more;
          }
          assert.deepEqual(seen, expected);
          assert.equal(from, writes.length);
        },
      ),
      { numRuns: 15, seed: 25 },
    );
  });
}

export function generationTests(at: () => Store): void {
  test('generations are numbered in the order they open, the last one is current', async () => {
    const nonces = [randomUUID(), randomUUID()];
    const before = await at().openGeneration(nonces[0]!, 1);
    const after = await at().openGeneration(nonces[1]!, 2);
    const last = before.at(-1)!;
    assert.deepEqual(after, [...before, { index: last.index + 1, nonce: nonces[1] }]);
    assert.equal(last.nonce, nonces[0]);
    const scope = await newScope(at());
    assert.equal((await at().scope(scope))?.generation, last.index + 1);
    await assert.rejects(at().openGeneration(nonces[0]!, 3));
  });

  test('generations opened at once get different numbers', async () => {
    const lists = await Promise.all([1, 2, 3].map((n) => at().openGeneration(randomUUID(), n)));
    assert.equal(new Set(lists.map((list) => list.at(-1)?.index)).size, 3);
  });

  test('the version at the end of a generation is that of the last write up to then', async () => {
    const scope = await newScope(at());
    const first = (await at().scope(scope))!;
    const start = first.generation;
    await at().write(async (tx) => {
      await tx.lockScopes([scope]);
      await tx.save({
        ...emptyBatch,
        // Written in generations start, start + 2 and start + 5.
        scopes: [{ ...first, version: 30, generation: start + 5 }],
        scopeGenerations: [
          { scope, generation: start, maxVersion: 10 },
          { scope, generation: start + 2, maxVersion: 20 },
        ],
      });
    });
    const ends = await Promise.all(
      [-1, 0, 1, 2, 3, 4, 5, 6].map((n) => at().versionAtEndOf(scope, start + n)),
    );
    assert.deepEqual(ends, [0, 10, 10, 20, 20, 20, null, null]);
  });

  test('a generation’s highest version never falls', async () => {
    const scope = await newScope(at());
    const head = (await at().scope(scope))!;
    const save = (maxVersion: number) =>
      at().write(async (tx) => {
        await tx.lockScopes([scope]);
        await tx.save({
          ...emptyBatch,
          scopes: [{ ...head, generation: head.generation + 1 }],
          scopeGenerations: [{ scope, generation: head.generation, maxVersion }],
        });
      });
    await save(9);
    await save(4);
    assert.equal(await at().versionAtEndOf(scope, head.generation), 9);
  });
}

export function historyTests(at: () => Store): void {
  test('history is newest first and pages by whole versions', async () => {
    const scope = await newScope(at());
    const id = someId();
    for (let n = 0; n < 4; n += 1) {
      // Three operations of one atomic change.
      await commit(at(), scope, (version) => ({
        history: [1, 2, 3].map(() => titleEntry(scope, version, id)),
      }));
    }
    const all = await at().history(scope, { limit: 100 });
    assert.deepEqual(
      all.map(({ version }) => version),
      [4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1],
    );
    const page = await at().history(scope, { limit: 4 });
    assert.deepEqual(page, all.slice(0, 6));
    const rest = await at().history(scope, { before: page.at(-1)!.version, limit: 100 });
    assert.deepEqual([...page, ...rest], all);
    assert.deepEqual(await at().history(scope, { before: 1, limit: 5 }), []);
    assert.deepEqual(await at().history(await newScope(at()), { limit: 5 }), []);
  });

  test('an entry comes back as it was saved', async () => {
    const scope = await newScope(at());
    const [id, sibling] = [someId(), someId()];
    const entry = titleEntry(scope, 1, id, [
      { id, fields: null },
      { id: sibling, fields: { place: { parent: scope, key: 'a0' }, title: 'ünï \u0000' } },
    ]);
    await commit(at(), scope, () => ({ history: [entry] }));
    assert.deepEqual(await at().history(scope, { limit: 1 }), [entry]);
  });

  test('history of one entity holds every operation that changed it, also those aimed at another', async () => {
    const scope = await newScope(at());
    const [id, sibling] = [someId(), someId()];
    const both = [id, sibling].map((one) => ({ id: one, fields: {} }));
    await commit(at(), scope, (version) => ({ history: [titleEntry(scope, version, id)] }));
    await commit(at(), scope, (version) => ({ history: [titleEntry(scope, version, sibling, both)] }));
    await commit(at(), scope, (version) => ({ history: [titleEntry(scope, version, sibling)] }));
    const versions = async (of: Parameters<Store['history']>[1]) =>
      (await at().history(scope, of)).map(({ version }) => version);
    assert.deepEqual(await versions({ id, limit: 10 }), [2, 1]);
    assert.deepEqual(await versions({ id: sibling, limit: 10 }), [3, 2]);
    assert.deepEqual(await versions({ id: sibling, limit: 1 }), [3]);
    assert.deepEqual(await versions({ id, before: 2, limit: 10 }), [1]);
    assert.deepEqual(await versions({ id: someId(), limit: 10 }), []);
  });

  test('history of a tree holds what changed anything in it, and nothing beside it', async () => {
    const scope = await newScope(at());
    const [list, task, subtask, other] = [someId(), someId(), someId(), someId()];
    const under = (id: Id, parent: Id, key: string) => (version: number) => ({
      rows: [placed(scope, parent, key, { id, version })],
      history: [titleEntry(scope, version, id)],
    });
    await commit(at(), scope, under(task, list, 'a0'));
    await commit(at(), scope, under(other, scope, 'a1'));
    await commit(at(), scope, under(subtask, task, 'a2'));
    const versions = async (of: Parameters<Store['history']>[1]) =>
      (await at().history(scope, of)).map(({ version }) => version);
    assert.deepEqual(await versions({ id: list, isTree: true, limit: 10 }), [3, 1]);
    assert.deepEqual(await versions({ id: list, isTree: true, limit: 1 }), [3]);
    assert.deepEqual(await versions({ id: list, isTree: true, before: 3, limit: 10 }), [1]);
    assert.deepEqual(await versions({ id: list, limit: 10 }), []);
  });

  test('[SHARE-344] history of a shared list holds what was said of its people; that of a task in it does not', async () => {
    const [scope, list, task, person] = [someId(), someId(), someId(), someId()];
    await at().createScope({ id: scope, kind: 'list', owner: someAccount(), root: list });
    await commit(at(), scope, (version) => ({
      rows: [placed(scope, list, 'a0', { id: task, version })],
      history: [titleEntry(scope, version, task)],
    }));
    const fields = { account: someAccount() };
    await commit(at(), scope, (version) => ({
      rows: [rowOf(scope, { id: person, type: 'member', version, fields })],
      history: [titleEntry(scope, version, person)],
    }));
    const versions = async (id: Id) =>
      (await at().history(scope, { id, isTree: true, limit: 10 })).map(({ version }) => version);
    assert.deepEqual(await versions(list), [2, 1]);
    assert.deepEqual(await versions(task), [1]);
  });

  test('purging a row takes its history with it', async () => {
    const scope = await newScope(at());
    const [id, sibling] = [someId(), someId()];
    const both = [id, sibling].map((one) => ({ id: one, fields: { title: 'secret' } }));
    await commit(at(), scope, (version) => ({
      rows: [rowOf(scope, { id }), rowOf(scope, { id: sibling })],
      history: [titleEntry(scope, version, id)],
    }));
    await commit(at(), scope, (version) => ({ history: [titleEntry(scope, version, sibling, both)] }));
    await commit(at(), scope, (version) => ({ tombstones: [{ scope, id, version }] }));
    assert.deepEqual(await at().history(scope, { id, limit: 10 }), []);
    const [kept, ...others] = await at().history(scope, { limit: 10 });
    assert.deepEqual(kept?.before, [{ id: sibling, fields: { title: 'secret' } }]);
    assert.deepEqual(others, []);
  });
}
