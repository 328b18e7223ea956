// What a server that can't read a scope tells programs, mail, and who shares lists, on every engine.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { inboxId, labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import type { Database } from '#server/data/database.ts';
import { createReckoning } from '#server/push/reckoning.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import type { SealingRefusal } from '#wire/sealing.ts';
import { checkShape } from '../api/api-world.ts';
import { openHousehold, type Household } from '../sealing/server-world.ts';

const HOUR = 3_600_000;

const SAMPLE = {
  title: 'Call the bank',
  notes: 'About the mortgage',
  due: { on: '2026-12-01' },
  'meta:project': 'house',
};

/** A program with a token of the person; its answers have the form that the API describes. */
async function programOf(home: Household) {
  const made = await home.ask<{ token: string }>('/app/api/tokens', { name: 'p', access: 'write' });
  assert.equal(made.status, 200);
  return async (method: string, path: string, body?: unknown) => {
    const asked = { method, bearer: made.body.token, ...(body === undefined ? {} : { body }) };
    const response = await home.server.ask(path, asked);
    const said = (await response.json()) as Record<string, unknown>;
    checkShape(method, path, { status: response.status, body: said });
    return { status: response.status, body: said };
  };
}

export function sealedOutsideContract(name: string, open: () => Promise<Database>): void {
  describe(`Sealed scopes and everybody else on ${name}`, () => {
    const fresh = () => openHousehold(open);

    test('[SEAL-76] programs see what is sealed as if it were empty; structure works, what only keys can hide is refused', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ ...SAMPLE });
      const call = await programOf(here);
      const smart = randomUUID() as Id;
      const place = { parent: listsRoot(here.scope) };
      const fields = { listType: 'smart', name: 'found', query: 'bank' };
      await own.act({ a: 'create', id: smart, type: 'list', fields, place });
      const before = (await call('GET', `/tasks/${task}`)).body['todo_item'] as Record<string, unknown>;
      assert.deepEqual([before['title'], before['encrypted']], [SAMPLE.title, false]);
      await here.seal();
      const shown = (await call('GET', `/tasks/${task}`)).body['todo_item'] as Record<string, unknown>;
      const { title, notes, metadata, timeless_due_at: due, encrypted } = shown;
      assert.deepEqual([title, notes, metadata, due, encrypted], ['', '', {}, null, true]);
      assert.equal((await call('GET', '/tasks')).status, 200);
      assert.equal((await call('GET', '/lists')).status, 200);
      assert.equal((await call('GET', '/tasks?query=bank')).body['code'], 'encrypted');
      const exported = await call('GET', '/export');
      assert.deepEqual([exported.status, exported.body['code']], [409, 'encrypted']);
      const found = (await call('GET', `/tasks?list_id=${smart}`)).body;
      assert.equal(found['code'], 'encrypted');
      const refused = [
        await call('PATCH', `/tasks/${task}`, { metadata: { project: 'garden' } }),
        await call('POST', '/tasks', { title: 'new', metadata: { project: 'garden' } }),
        await call('POST', `/lists/${smart}/duplicate`, {}),
      ];
      for (const { status, body } of refused) assert.deepEqual([status, body['code']], [409, 'encrypted']);
      const done = await call('PATCH', `/tasks/${task}`, { is_complete: true });
      assert.equal(done.status, 200, JSON.stringify(done.body));
      assert.equal((await call('DELETE', `/tasks/${task}`)).status, 200);
      assert.ok(registersOf((await here.rows()).get(task) as Row)['status']);
      await end();
    });

    test('[SEAL-110] what programs write is sealed on arrival; the first device with the key opens it and seals it anew', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ title: 'Old', notes: 'Before', due: { on: '2026-12-01' } });
      await here.seal();
      const call = await programOf(here);
      const made = await call('POST', '/tasks', {
        title: 'Secret errand',
        notes: 'At the harbor',
        timeless_due_at: '2026-12-24',
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const { id, title, encrypted } = made.body['task'] as Record<string, unknown>;
      assert.deepEqual([title, encrypted], ['', true]);
      const changed = await call('PATCH', `/tasks/${task}`, {
        title: 'New',
        notes: 'After',
        timeless_due_at: null,
      });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const list = await call('POST', '/lists', { name: 'Hidden place' });
      assert.equal(list.status, 200, JSON.stringify(list.body));
      const kept = JSON.stringify([...(await here.rows()).values()]);
      for (const word of ['Secret errand', 'harbor', '2026-12-24', 'After', 'Hidden place'])
        assert.ok(!kept.includes(word), word);
      const opened = await here.opened();
      const of = (row: unknown) => opened.get(row as Id) ?? {};
      assert.deepEqual(
        [of(id)['title'], of(id)['notes'], of(id)['due']],
        ['Secret errand', 'At the harbor', { on: '2026-12-24' }],
      );
      assert.deepEqual(
        [of(task)['title'], of(task)['notes'], of(task)['due'] ?? null],
        ['New', 'After', null],
      );
      assert.equal(of((list.body['list'] as Record<string, unknown>)['id'])['name'], 'Hidden place');
      const items = here.itemsOf([...(await here.rows()).values()]);
      assert.equal(items.length, 6, 'three of the new task, two of the changed one, one of the list');
      const anew = await here.reencode(items);
      assert.deepEqual([anew.done, anew.skipped], [6, []]);
      assert.deepEqual(here.itemsOf([...(await here.rows()).values()]), []);
      assert.equal((await here.opened()).get(id as Id)?.['title'], 'Secret errand');
      await end();
    });

    test('[SEAL-111] a rotation brings it along; turned off, nothing of it stays sealed', async () => {
      const { home: here, close: end } = await fresh();
      await here.seal();
      const call = await programOf(here);
      const made = await call('POST', '/tasks', { title: 'Before the rotation' });
      const { id } = made.body['task'] as { id: Id };
      await here.rotate();
      const during = await call('POST', '/tasks', { title: 'During it' });
      assert.equal(during.status, 200, JSON.stringify(during.body));
      const early = await here.asks('finish', { phase: 'sealed', generation: 2 });
      assert.equal(early.body['code'], 'unfinished');
      await here.walk();
      await here.finish();
      assert.equal((await here.opened()).get(id)?.['title'], 'Before the rotation');
      const last = await call('POST', '/tasks', { title: 'Before the end' });
      await here.unseal();
      await here.walk();
      await here.finish();
      for (const each of [made, during, last]) {
        const shown = await call('GET', `/tasks/${(each.body['task'] as { id: Id }).id}`);
        const { title, encrypted } = shown.body['task'] as Record<string, unknown>;
        assert.deepEqual([typeof title, encrypted], ['string', false]);
        assert.notEqual(title, '');
      }
      await end();
    });

    test('[SEAL-112] a rule that can’t be read is neither carried out nor joined to a part of another', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const repeat = { value: 1, unit: 'weeks', metadata: null, from: null, missed: 'skip', anchorDay: null };
      const task = await own.task({ title: 'Water the plants', due: { on: '2026-12-01' }, repeat });
      await here.seal();
      const call = await programOf(here);
      for (const body of [{ is_complete: true }, { repeat_value: 2 }, { repeat_from: 'completion' }]) {
        const answer = await call('PATCH', `/tasks/${task}`, body);
        assert.deepEqual([answer.status, answer.body['code']], [409, 'encrypted'], JSON.stringify(body));
      }
      const whole = { repeat_value: 2, repeat_unit: 'days', timeless_due_at: '2026-12-03' };
      const set = await call('PATCH', `/tasks/${task}`, whole);
      assert.equal(set.status, 200, JSON.stringify(set.body));
      assert.deepEqual((await here.opened()).get(task)?.['due'], { on: '2026-12-03' });
      const ended = await call('PATCH', `/tasks/${task}`, { repeat_value: null, repeat_unit: null });
      assert.equal(ended.status, 200, JSON.stringify(ended.body));
      assert.equal((await call('PATCH', `/tasks/${task}`, { is_complete: true })).status, 200);
      assert.ok(registersOf((await here.rows()).get(task) as Row)['status']);
      await end();
    });

    test('[SEAL-113] content that no scope could hold is refused as such; labels are named by their ids', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const label = randomUUID() as Id;
      const place = { parent: labelsRoot(here.scope) };
      await own.act({
        a: 'create',
        id: label,
        type: 'label',
        fields: { name: 'errand', color: '#aa0000' },
        place,
      });
      await here.seal();
      const call = await programOf(here);
      const long = await call('POST', '/tasks', { title: 'x'.repeat(20_000) });
      assert.equal(long.body['code'], 'invalid');
      const named = await call('POST', '/tasks', { title: 'a', label_names: ['errand'] });
      assert.deepEqual(
        [named.status, named.body['code'], named.body['field']],
        [409, 'encrypted', 'label_names'],
      );
      const worn = await call('POST', '/tasks', { title: 'a', label_ids: [label] });
      assert.equal(worn.status, 200, JSON.stringify(worn.body));
      assert.deepEqual((worn.body['task'] as Record<string, unknown>)['label_ids'], [label]);
      await end();
    });

    test('[SEAL-122] reminders ring at the moments that devices have written down, as long as nobody else can read them', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const { database, clock } = here.server;
      const now = clock.now();
      const due = { at: now + 100 * HOUR, zone: 'UTC' };
      const task = await own.task({ title: 'Call the bank', due });
      const mine = mineId(here.scope, task);
      const fields = { of: task, 'remind:before-60': { before: 60 } };
      await own.act({ a: 'create', id: mine, type: 'mine', fields } as never);
      const reckoning = createReckoning(database.store, database.reads);
      const moments = async () => {
        const { rings } = await reckoning.of(here.account, here.scope, task, 'UTC');
        return rings.map(({ at }) => at - now);
      };
      assert.deepEqual(await moments(), [99 * HOUR]);
      await here.seal();
      own.state = here.state;
      assert.deepEqual(await moments(), [], 'which nobody can read');
      const wake = [now + 99 * HOUR, now + 120 * HOUR];
      await own.act({ a: 'set', id: mine, field: 'wake', value: wake });
      assert.deepEqual(await moments(), [99 * HOUR, 120 * HOUR]);
      await own.act({ a: 'set', id: mine, field: 'reminded', value: now + 99 * HOUR });
      assert.deepEqual(await moments(), [120 * HOUR]);
      const before = (await database.db.selectFrom('reminder_due').selectAll().execute()).length;
      assert.equal(before, 1, 'it is to be looked at');
      assert.deepEqual(
        await own.push({ a: 'set', id: mine, field: 'wake', value: wake.concat(wake, wake, wake, wake) }),
        ['invalid'],
      );
      await here.unseal();
      await here.walk();
      await here.finish();
      own.state = here.state;
      await own.act({ a: 'set', id: mine, field: 'reminded', value: null });
      assert.deepEqual(await moments(), [99 * HOUR], 'and read again');
      await end();
    });

    test('[SEAL-77] mail for its lists is admitted, to be sealed at once', async () => {
      const { home: here, close: end } = await openHousehold(open, { MAIL_DOMAIN: 'in.example.org' });
      const { mailIn } = here.server.services;
      const { db } = here.server.database;
      assert.ok(mailIn?.addresses);
      await db.updateTable('account').set({ verified_at: 1 }).where('id', '=', here.account).execute();
      const list = { scope: here.scope, list: inboxId(here.scope), name: 'Inbox' };
      const address = (await mailIn.addresses.of([list])).get(list.list) ?? '';
      const admitted = async () => {
        const admission = await mailIn.desk.admit(address, 10);
        return admission.ok && admission.value.isSealed;
      };
      assert.equal(await admitted(), false);
      await here.seal();
      assert.equal(await admitted(), true);
      await here.unseal();
      assert.equal(await admitted(), false);
      await end();
    });

    test('[SEAL-78] a list of it is not shared, and nothing moves to another scope', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const { database } = here.server;
      const list = randomUUID() as Id;
      const place = { parent: listsRoot(here.scope) };
      await own.act({
        a: 'create',
        id: list,
        type: 'list',
        fields: { listType: 'list', name: 'mine' },
        place,
      });
      const shared = randomUUID() as Id;
      const target = randomUUID() as Id;
      await database.store.createScope({ id: shared, kind: 'list', owner: here.account, root: target });
      await here.seal();
      own.state = here.state;
      const asked = await here.ask<SealingRefusal>(`/app/api/sharing/lists/${list}`, {});
      assert.deepEqual([asked.status, asked.body.code], [409, 'encrypted']);
      const task = await own.task({ title: 'stays' });
      // It stays unjudged until its device has opened it.
      await assert.rejects(own.push({ a: 'place', id: task, place: { parent: shared } }), /are judged/);
      assert.equal((await here.rows()).get(task)?.scope, here.scope);
      await end();
    });
  });
}
