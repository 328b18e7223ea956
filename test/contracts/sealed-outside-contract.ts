// What a server that can't read a scope tells programs, mail, and who shares lists, on every engine.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { Database } from '#server/data/database.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import type { SealingRefusal } from '#wire/sealing.ts';
import { checkShape } from '../api/api-world.ts';
import { openHousehold } from '../sealing/server-world.ts';

const SAMPLE = {
  title: 'Call the bank',
  notes: 'About the mortgage',
  due: { on: '2026-12-01' },
  'meta:project': 'house',
};

export function sealedOutsideContract(name: string, open: () => Promise<Database>): void {
  describe(`Sealed scopes and everybody else on ${name}`, () => {
    const fresh = () => openHousehold(open);

    test('[SEAL-76] programs see what is sealed as if it were empty; structure works, content is refused', async () => {
      const { home: here, device: own, close: end } = await fresh();
      const task = await own.task({ ...SAMPLE });
      const made = await here.ask<{ token: string }>('/app/api/tokens', { name: 'p', access: 'write' });
      assert.equal(made.status, 200);
      const call = async (method: string, path: string, body?: unknown) => {
        const asked = { method, bearer: made.body.token, ...(body === undefined ? {} : { body }) };
        const response = await here.server.ask(path, asked);
        const said = (await response.json()) as Record<string, unknown>;
        checkShape(method, path, { status: response.status, body: said });
        return { status: response.status, body: said };
      };
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
      assert.deepEqual((await call('GET', '/tasks?query=bank')).body['tasks'], []);
      const exported = await call('GET', '/export');
      assert.deepEqual([exported.status, exported.body['code']], [409, 'encrypted']);
      const found = (await call('GET', `/tasks?list_id=${smart}`)).body;
      assert.equal(found['code'], 'encrypted');
      const refused = [
        await call('PATCH', `/tasks/${task}`, { title: 'new' }),
        await call('POST', '/tasks', { title: 'new' }),
        await call('POST', '/lists', { name: 'new' }),
      ];
      for (const { status, body } of refused) assert.deepEqual([status, body['code']], [409, 'encrypted']);
      const done = await call('PATCH', `/tasks/${task}`, { is_complete: true });
      assert.equal(done.status, 200, JSON.stringify(done.body));
      assert.equal((await call('DELETE', `/tasks/${task}`)).status, 200);
      assert.ok(registersOf((await here.rows()).get(task) as Row)['status']);
      await end();
    });

    test('[SEAL-77] mail for its lists is refused at the door', async () => {
      const { home: here, close: end } = await openHousehold(open, { MAIL_DOMAIN: 'in.example.org' });
      const { mailIn } = here.server.services;
      const { db } = here.server.database;
      assert.ok(mailIn?.addresses);
      await db.updateTable('account').set({ verified_at: 1 }).where('id', '=', here.account).execute();
      const list = { scope: here.scope, list: inboxId(here.scope), name: 'Inbox' };
      const address = (await mailIn.addresses.of([list])).get(list.list) ?? '';
      assert.equal((await mailIn.desk.admit(address, 10)).ok, true);
      await here.seal();
      assert.deepEqual(await mailIn.desk.admit(address, 10), { ok: false, problem: 'encrypted' });
      await here.unseal();
      assert.equal((await mailIn.desk.admit(address, 10)).ok, true);
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
      const moved = await own.push({ a: 'place', id: task, place: { parent: shared } });
      assert.ok(moved[0] !== 'ok');
      assert.equal((await here.rows()).get(task)?.scope, here.scope);
      await end();
    });
  });
}
