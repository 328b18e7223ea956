// The server of sealed scopes on every engine: states and steps, what it takes in which form, the walk, and what it keeps of the keys.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { inboxId, mineId, settingId, type Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import type { Database } from '#server/data/database.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { leftIn } from '#sync/sealing/reencoding.ts';
import type { SealingRefusal } from '#wire/sealing.ts';
import { openHousehold, SealedDevice, type Household, type SentAction } from '../sealing/server-world.ts';

const SAMPLE = {
  title: 'Call the bank',
  notes: 'About the mortgage',
  due: { on: '2026-12-01' },
  'meta:project': 'house',
};

const daily = {
  value: 1,
  unit: 'days',
  metadata: null,
  from: 'due date',
  missed: 'skip',
  anchorDay: null,
} as const;

const setTitle = (id: Id, value: string): SentAction => ({ a: 'set', id, field: 'title', value });

/** The rows add up to the sum of the scope. */
async function isWhole(home: Household): Promise<void> {
  const sum = new DigestSum();
  for (const { id, version } of (await home.rows()).values()) sum.add(id, version);
  assert.equal((await home.server.database.store.scope(home.scope))?.digest, sum.value);
}

const leftOf = (home: Household, rows: Iterable<Row>) =>
  [...rows].reduce((sum, row) => sum + leftIn(home.state, row), 0);

export function sealingContract(name: string, open: () => Promise<Database>): void {
  describe(`Sealed scopes on ${name}`, () => {
    let home: Household;
    let device: SealedDevice;
    let close: () => Promise<void>;
    before(async () => {
      ({ home, device, close } = await openHousehold(open));
    });
    after(() => close());
    const fresh = async () => {
      const of = await openHousehold(open);
      return of;
    };

    test('[SEAL-60] a scope goes to being sealed and back, and each device hears of its state with each answer', async () => {
      const { sealing } = await device.send([]);
      assert.equal(sealing, undefined, 'one that never was sealed says nothing');
      assert.deepEqual((await home.read()).state, { phase: 'plain', generation: 0 });
      const task = await device.task(SAMPLE);
      await home.begin();
      assert.deepEqual((await device.send([])).sealing, {
        [home.scope]: { phase: 'sealing', generation: 1 },
      });
      const begun = await home.read();
      assert.equal(begun.left, leftOf(home, (await home.rows()).values()));
      assert.ok((begun.left ?? 0) >= 4);
      const early = await home.asks('finish', { phase: 'sealed', generation: 1 });
      assert.deepEqual(
        [early.status, early.body['code'], early.body['left']],
        [409, 'unfinished', begun.left],
      );
      await home.walk();
      assert.equal((await home.read()).left, 0);
      await home.finish();
      assert.deepEqual((await home.read()).state, { phase: 'sealed', generation: 1 });
      const sealed = registersOf((await home.rows()).get(task) as Row);
      assert.ok(['title', 'notes', 'due'].every((register) => isEnvelope(sealed[register])));
      assert.deepEqual((await home.opened()).get(task)?.['title'], SAMPLE.title);
      assert.equal((await home.opened()).get(task)?.['meta:project'], 'house');
      await home.rotate();
      await home.walk();
      await home.finish();
      await home.unseal();
      await home.walk();
      await home.finish();
      assert.deepEqual((await home.read()).state, { phase: 'plain', generation: 2 });
      const { place: _place, ...plain } = registersOf((await home.rows()).get(task) as Row);
      assert.deepEqual(plain, SAMPLE);
      await isWhole(home);
    });

    test('[SEAL-61] a step that another device has made meanwhile is not made again, and changes nothing', async () => {
      const { home: here, close: end } = await fresh();
      await here.begin();
      const { state } = here;
      here.state = { phase: 'plain', generation: 0 };
      const again = await here.asks('begin', { phase: 'sealing', generation: 1 }, { wraps: here.wraps() });
      assert.deepEqual([again.status, again.body['code'], again.body['now']], [409, 'moved', state]);
      here.state = state;
      const old = await here.asks(
        'finish',
        { phase: 'sealed', generation: 1 },
        { directory: here.directory({ phase: 'sealed', generation: 1 }, here.n) },
      );
      assert.equal(old.body['code'], 'moved', 'a directory that is no later');
      const other = await here.asks(
        'finish',
        { phase: 'sealed', generation: 1 },
        { directory: here.directory({ phase: 'sealed', generation: 2 }) },
      );
      assert.equal(other.status, 422, 'a directory that says another state');
      const torn = await here.asks(
        'finish',
        { phase: 'sealed', generation: 1 },
        { directory: { body: '{"n":9}', mac: '' } },
      );
      assert.equal(torn.status, 422);
      assert.deepEqual((await here.read()).state, state);
      await end();
    });

    test('[SEAL-62] turning it on or off, and changing the ways to the keys, asks for the person', async () => {
      const { home: here, close: end } = await fresh();
      const to = { phase: 'sealing', generation: 1 } as const;
      here.server.clock.pass(3_600_000);
      const asked = await here.asks('begin', to, { wraps: here.wraps() });
      assert.deepEqual([asked.status, asked.body['code']], [403, 'confirm_first']);
      await here.confirm();
      const bare = await here.asks('begin', to);
      assert.equal(bare.status, 422, 'without a recovery code there is no way to the keys');
      assert.equal((await here.asks('begin', to, { wraps: here.wraps() })).status, 200);
      here.server.clock.pass(3_600_000);
      const off = await here.asks('unseal', { phase: 'unsealing', generation: 1 });
      assert.deepEqual([off.status, off.body['code']], [403, 'confirm_first']);
      const wraps = { wrapsVersion: 1, wraps: { passphrase: 'abc' } };
      assert.equal((await here.ask('/sealing/v1/wraps', wraps)).status, 403);
      await here.confirm();
      assert.equal((await here.ask('/sealing/v1/wraps', wraps)).status, 200);
      const kept = await here.read();
      assert.deepEqual(
        [Object.keys(kept.wraps).toSorted(), kept.at.wrapsVersion],
        [['code', 'passphrase'], 2],
      );
      const late = await here.ask<SealingRefusal>('/sealing/v1/wraps', wraps);
      assert.deepEqual([late.status, late.body.code], [409, 'moved']);
      const gone = await here.ask('/sealing/v1/wraps', { wrapsVersion: 2, wraps: { code: null } });
      assert.equal(gone.status, 422);
      const events = await here.server.database.db
        .selectFrom('security_event')
        .select('type')
        .where('account', '=', here.account)
        .execute();
      const said = events.map(({ type }) => type).filter((type) => type.startsWith('encryption'));
      assert.deepEqual(said.toSorted(), ['encryption_turned_on', 'encryption_ways_changed']);
      await end();
    });

    test('[SEAL-63] an older device is told to update as soon as a scope is on its way', async () => {
      const { home: here, device: own, close: end } = await fresh();
      await here.begin();
      const old = {
        schema: 7,
        device: own.id,
        clientNow: here.server.clock.now(),
        ack: 0,
        cursors: {},
        ops: [],
      };
      const answer = await here.ask<SealingRefusal>('/sync/v1', old);
      assert.deepEqual([answer.status, answer.body.code], [426, 'too_old']);
      await end();
    });

    test('[SEAL-64] of a push in another form nothing is judged; made anew with the same numbers it is, once', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ title: 'before' });
      await here.begin();
      const [first, second] = await own.operations([setTitle(task, 'after'), setTitle(task, 'later')]);
      assert.ok(first && second);
      const plain = await own.send([first, second], 0);
      assert.deepEqual([plain.reseal, plain.results], [true, []]);
      assert.equal(registersOf((await here.rows()).get(task) as Row)['title'], 'before');
      own.state = here.state;
      const lying = await own.send([first, second], 1);
      assert.equal(lying.reseal, true, 'what a push says of itself is looked at');
      const taken = await own.send(own.sealed([first, second]), 1);
      assert.deepEqual(taken.results, [
        [first.q, 'ok'],
        [second.q, 'ok'],
      ]);
      assert.deepEqual((await own.send(own.sealed([first, second]), 1)).results, taken.results);
      assert.equal((await here.opened()).get(task)?.['title'], 'later');
      const structure = await own.operations([{ a: 'complete', id: task, occ: 0, at: 5, next: null }]);
      assert.deepEqual(
        (await own.send(structure)).results,
        [[structure[0]?.q, 'ok']],
        'without content in any form',
      );
      await end();
    });

    test('[SEAL-65] every kind of operation works sealed, and nothing in the rows is content', async () => {
      const { home: here, device: own, close: end } = await fresh();
      await here.seal();
      own.state = here.state;
      const task = await own.task({ ...SAMPLE, repeat: daily });
      const bare = await own.task({ repeat: daily, due: { on: '2026-12-01' } });
      const mine = { a: 'create', id: mineId(here.scope, task), type: 'mine', fields: { of: task } } as const;
      await own.push(mine);
      own.types.set(mine.id, 'mine');
      const setting = settingId(here.scope, 'theme');
      await own.push({
        a: 'create',
        id: setting,
        type: 'setting',
        fields: { key: 'theme', value: { dark: true } },
      });
      await own.act(
        setTitle(task, 'renamed'),
        { a: 'set', id: mine.id, field: 'snooze', value: { on: '2026-12-24' } },
        { a: 'set', id: task, field: 'meta:secret', value: 'word' },
        {
          a: 'complete',
          id: task,
          occ: 0,
          at: 9,
          next: { due: { on: '2026-12-02' }, start: null, title: 'again' },
        },
        { a: 'complete', id: bare, occ: 0, at: 9, next: { due: { on: '2026-12-02' }, start: null } },
      );
      assert.equal(leftOf(here, (await here.rows()).values()), 0);
      const opened = await here.opened();
      assert.deepEqual(
        [opened.get(task)?.['title'], opened.get(task)?.['due'], opened.get(task)?.['meta:secret']],
        ['again', { on: '2026-12-02' }, 'word'],
      );
      const records = [...opened.values()].filter((fields) => 'at' in fields && 'task' in fields);
      assert.deepEqual(new Set(records.map((record) => record['title'])), new Set(['renamed', undefined]));
      await own.act({ a: 'reopen', id: task, occ: 0, previous: { due: { on: '2026-12-01' }, start: null } });
      assert.deepEqual((await here.opened()).get(task)?.['due'], { on: '2026-12-01' });
      await isWhole(here);
      await end();
    });

    test('[SEAL-66] a register takes an envelope where there is content, of a length that it may have', async () => {
      const { home: here, device: own, close: end } = await fresh();
      await here.seal();
      own.state = here.state;
      const task = await own.task({ title: 'x'.repeat(4_000) });
      const [made] = await own.operations([setTitle(task, 'y')]);
      const [sealed] = own.sealed([made!]) as [Record<string, unknown>];
      const forged = async (change: Record<string, unknown>) => {
        const [next] = await own.operations([setTitle(task, 'y')]);
        const { q, u } = next!;
        const answer = await own.send([{ ...sealed, ...change, q, u }], 1);
        return answer.reseal === true ? 'reseal' : answer.results[0]?.[1];
      };
      const { e } = sealed['value'] as { e: string };
      assert.equal(await forged({ field: 'status' }), 'invalid');
      assert.equal(await forged({ field: 'nothing' }), 'invalid');
      assert.equal(await forged({ field: 'meta:plain' }), 'reseal');
      assert.equal(await forged({ field: 'remind:~'.padEnd(51, 'x') }), 'invalid');
      assert.equal(await forged({ value: { e: `${e.slice(0, 8)}${'A'.repeat(200_000)}` } }), 'invalid');
      assert.equal(await forged({ value: { e: '' } }), 'reseal');
      assert.equal(await forged({ value: { e, more: 1 } }), 'reseal');
      await end();
      const plain = await fresh();
      const open = await plain.device.task({ title: 'open', repeat: daily });
      const said = await plain.device.push(
        { a: 'set', id: open, field: 'title', value: { e } },
        { a: 'complete', id: open, occ: 0, at: 1, next: { due: { e } as never, start: null } },
        { a: 'note', id: open, seed: randomUUID() as Id, update: { e } as never, text: { e } as never },
      );
      assert.deepEqual(said, ['invalid', 'invalid', 'invalid'], 'a plain scope takes nothing sealed');
      await plain.close();
    });

    test('[SEAL-67] the text of a note is taken of who has seen the present one; others are asked to merge first', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ title: 'noted', notes: 'one' });
      await here.seal();
      own.state = here.state;
      const other = new SealedDevice(here);
      const note = (text: string, b?: number): SentAction => ({
        a: 'note',
        id: task,
        seed: randomUUID() as Id,
        update: 'AAA=',
        text,
        ...(b === undefined ? {} : { b }),
      });
      await own.act(note('one two'));
      const seen = (await here.server.database.store.scope(here.scope))?.version ?? 0;
      await other.act(note('one two three'));
      const [late] = await own.operations([note('one two four', seen)]);
      const asked = await own.send(own.sealed([late!]), 1);
      assert.deepEqual([asked.reseal, asked.results], [true, []]);
      assert.equal((await here.opened()).get(task)?.['notes'], 'one two three');
      const merged = { ...late!, text: 'one two three four', b: seen + 1 } as never;
      assert.deepEqual((await own.send(own.sealed([merged]), 1)).results, [[late!.q, 'ok']]);
      assert.equal((await here.opened()).get(task)?.['notes'], 'one two three four');
      await own.act(note('own again', 0));
      await own.act({ a: 'set', id: task, field: 'notes', value: 'whole' });
      assert.equal((await here.opened()).get(task)?.['notes'], 'whole');
      const kept = await here.server.database.db.selectFrom('note_epoch').select('text').execute();
      assert.deepEqual(kept, []);
      await end();
    });

    test('[SEAL-68] notes that merge become plain text when it begins, and no edit is lost', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const { noteMerge } = await import('#sync/notes/note-merge.ts');
      const { seedOf } = await import('#sync/notes/note.ts');
      assert.ok(noteMerge);
      const task = await own.task({ title: 'noted', notes: 'one' });
      const row = (await here.rows()).get(task) as Row;
      const doc = { seed: seedOf('one'), state: 'AAA=' };
      await here.server.database.store.write(async (tx) => {
        const head = (await tx.lockScopes([here.scope])).get(here.scope)!;
        const rows = [{ ...row, fields: { ...row.fields, notesDoc: doc } } as Row];
        const none = {
          scopeGenerations: [],
          tombstones: [],
          devices: [],
          results: [],
          forgetResults: [],
          history: [],
        };
        await tx.save({ ...none, scopes: [head], rows });
      });
      await here.seal();
      assert.deepEqual((await here.opened()).get(task)?.['notes'], 'one');
      assert.equal(registersOf((await here.rows()).get(task) as Row)['notesDoc'], undefined);
      await isWhole(here);
      await end();
    });

    test('[SEAL-69] the walk leaves what was written meanwhile, and says so', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ title: 'old' });
      await here.begin();
      own.state = here.state;
      const { rows } = await here.left();
      assert.ok(rows.some(({ id }) => id === task));
      const items = here.itemsOf([...(await here.rows()).values()].filter(({ id }) => id === task));
      await own.act(setTitle(task, 'new'));
      const head = await here.server.database.store.scope(here.scope);
      const gone = { ...items[0]!, id: randomUUID() as Id };
      const answer = await here.reencode([...items, gone]);
      assert.deepEqual(answer, {
        done: 0,
        skipped: [
          [0, 'changed'],
          [1, 'gone'],
        ],
      });
      assert.equal((await here.server.database.store.scope(here.scope))?.version, head?.version);
      const wrong = await here.ask<SealingRefusal>('/sealing/v1/reencode', {
        state: { phase: 'sealing', generation: 2 },
        items,
      });
      assert.deepEqual([wrong.status, wrong.body.code], [409, 'moved']);
      await here.walk();
      await here.finish();
      assert.equal((await here.opened()).get(task)?.['title'], 'new');
      await end();
    });

    test('[SEAL-70] others hear of registers in their new form; nobody wrote them, so the history and the times stay', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ title: 'old' });
      const before = (await here.rows()).get(task) as Row;
      await here.begin();
      const head = (await here.server.database.store.scope(here.scope))!;
      await here.walk();
      const page = await here.server.database.store.changes(here.scope, head.version, 1_000);
      assert.ok(page.rows.some(({ id }) => id === task));
      const now = (await here.rows()).get(task) as Row;
      assert.deepEqual(
        [now.stamp, now.stamps, now.updatedAt],
        [before.stamp, before.stamps, before.updatedAt],
      );
      const history = await here.server.database.store.history(here.scope, { id: task, limit: 10 });
      assert.equal(history.length, 1);
      await isWhole(here);
      await end();
    });

    test('[SEAL-71] a page of what is left ends somewhere, and goes on from there', async () => {
      const { home: here, device: own, close: end } = await fresh();
      for (let at = 0; at < 7; at += 1) await own.task({ title: `task ${at}` });
      await here.begin();
      const found: Id[] = [];
      let after: Id | null = null;
      for (;;) {
        const page = await here.left(after, 2);
        found.push(...page.rows.map(({ id }) => id));
        if (page.next === null) break;
        after = page.next;
      }
      assert.equal(new Set(found).size, found.length);
      const all = [...(await here.rows()).values()].filter((row) => leftIn(here.state, row) > 0);
      assert.deepEqual(found.toSorted(), all.map(({ id }) => id).toSorted());
      await here.walk(Infinity, 3);
      await here.finish();
      await end();
    });

    test('[SEAL-72] a server that was put back catches up with what its devices say', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ title: 'text' });
      await here.seal();
      const followed = here.state;
      const { db } = here.server.database;
      // As a backup of before has it.
      await db
        .updateTable('scope')
        .set({ sealing_phase: 'plain', sealing_generation: 0 })
        .where('id', '=', here.scope)
        .execute();
      await db.deleteFrom('sealing').where('scope', '=', here.scope).execute();
      own.state = followed;
      const [made] = await own.operations([setTitle(task, 'sealed text')]);
      assert.equal((await own.send(own.sealed([made!]), 1)).reseal, true, 'nothing goes in the open');
      here.state = { phase: 'plain', generation: 0 };
      here.server.clock.pass(3_600_000);
      const told = await here.asks('catch-up', followed, { wraps: here.wraps() });
      assert.equal(told.status, 403, 'new wraps ask for the person');
      await here.confirm();
      assert.equal((await here.asks('catch-up', followed, { wraps: here.wraps() })).status, 200);
      assert.deepEqual(here.state, { phase: 'sealing', generation: 1 });
      assert.deepEqual((await own.send(own.sealed([made!]), 1)).results, [[made!.q, 'ok']]);
      await here.walk();
      await here.finish();
      assert.equal((await here.opened()).get(task)?.['title'], 'sealed text');
      await end();
    });

    test('[SEAL-73] two devices that seal, others that type, steps in between: in the end everything is sealed and reads as it was written', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const other = new SealedDevice(here);
      const written = new Map<Id, string>();
      const ids: Id[] = [];
      for (let at = 0; at < 12; at += 1) {
        const id = await own.task({ title: `t${at}`, notes: `n${at}` });
        ids.push(id);
        written.set(id, `t${at}`);
      }
      let turn = 0;
      const type = async (by: SealedDevice) => {
        const id = ids[(turn * 7) % ids.length]!;
        turn += 1;
        const value = `typed ${turn}`;
        await by.act(setTitle(id, value));
        written.set(id, value);
      };
      const walkWhileTyping = async () => {
        for (let round = 0; round < 3; round += 1) {
          await Promise.all([here.walk(2, 3), here.walk(2, 4), type(own).then(() => type(other))]);
          await type(round % 2 === 0 ? own : other);
        }
        await here.walk();
      };
      for (const step of [
        'begin',
        'finish',
        'rotate',
        'finish',
        'unseal',
        'finish',
        'begin',
        'finish',
      ] as const) {
        if (step === 'finish') await walkWhileTyping();
        await here[step]();
        await type(own);
        await type(other);
      }
      const opened = await here.opened();
      for (const [id, value] of written) assert.equal(opened.get(id)?.['title'], value);
      for (const [at, id] of ids.entries()) assert.equal(opened.get(id)?.['notes'], `n${at}`);
      assert.equal(leftOf(here, (await here.rows()).values()), 0);
      assert.deepEqual(here.state, { phase: 'sealed', generation: 3 });
      assert.ok(opened.has(inboxId(here.scope)));
      await isWhole(here);
      await end();
    });
  });
}
