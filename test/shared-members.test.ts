// Situations between the members of a shared list: what is one's own about its tasks, two who do the same at once, and those
// whose account is erased or disabled.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, labelsRoot, memberId, mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import { openDevice, type SharedDevice } from './shared-device.ts';
import { confirmEmail, shareWithBen, told } from './sharing.ts';

const create = (id: Id, title: string, parent: Id): Action => {
  return { a: 'create', id, type: 'task', fields: { title }, place: { parent } };
};
const title = (id: Id, value: string): Action => ({ a: 'set', id, field: 'title', value });
const complete = (id: Id, more: object = {}) =>
  ({ a: 'complete', id, occ: 0, at: 5, next: null, ...more }) as Action;

/** Ann and Ben with a device each. */
async function withDevices() {
  const world = await shareWithBen();
  const [first, second] = [await openDevice(world.ann), await openDevice(world.ben)];
  return {
    ...world,
    first,
    second,
    devices: [first, second] as const,
    close: async () => {
      await first.close();
      await second.close();
      await world.server.close();
    },
  };
}

/** Both do something without hearing of each other; then all hear everything. */
async function apart(
  [first, second]: readonly [SharedDevice, SharedDevice],
  ...works: readonly [readonly Action[], readonly Action[]]
): Promise<void> {
  for (const device of [first, second]) device.goOffline();
  await first.issue(...works[0]);
  await second.issue(...works[1]);
  for (const device of [second, first, second]) await device.sync();
}

describe('what is a member’s own about a task', () => {
  test('[SHARE-205] stays with them while the task is out of their sight, and holds again when it is back', async () => {
    const { ann, ben, list, tasks, scope, first, second, close } = await withDevices();
    const own = ben.personalScope as Id;
    const [task] = tasks;
    const [label, mine] = [second.replica.newId(), mineId(own, task)];
    const fields = { name: 'secret', visibility: 'private' };
    await second.issue(
      { a: 'create', id: label, type: 'label', fields, place: { parent: labelsRoot(own) } },
      { a: 'create', id: mine, type: 'mine', fields: { of: task, [`label:${label}`]: true, snoozeCount: 2 } },
    );
    await second.sync();
    await first.sync();
    await first.issue({ a: 'place', id: task, place: { parent: inboxId(ann.personalScope as Id) } });
    for (const device of [first, second]) await device.sync();
    assert.equal(second.replica.row(task), undefined);
    assert.deepEqual(second.titles(list), ['Pack']);
    assert.equal(registersOf(second.replica.row(mine))[`label:${label}`], true);
    const seen = await ann.rows();
    for (const id of [mine, label]) assert.equal(seen.get(id), undefined, 'nobody else hears of it');
    await first.issue({ a: 'place', id: task, place: { parent: list } });
    for (const device of [first, second]) await device.sync();
    assert.equal(second.replica.row(task)?.scope, scope);
    assert.deepEqual(registersOf(second.replica.row(mine)), {
      of: task,
      [`label:${label}`]: true,
      snoozeCount: 2,
    });
    assert.equal(registersOf(first.replica.row(task))[`label:${label}`], undefined);
    await close();
  });
});

describe('two members at once', () => {
  test('[SHARE-206] complete an occurrence of a repeating task: one of them counts', async () => {
    const { tasks, devices, first, close } = await withDevices();
    const [task] = tasks;
    const sub = first.replica.newId();
    const repeat = {
      value: 1,
      unit: 'days',
      metadata: null,
      from: 'completion',
      missed: 'skip',
      anchorDay: null,
    };
    await first.issue(
      { a: 'set', id: task, field: 'repeat', value: repeat },
      { a: 'set', id: task, field: 'due', value: { on: '2026-11-24' } },
      create(sub, 'Check the time', task),
      complete(sub),
    );
    for (const device of [first, ...devices]) await device.sync();
    // Each counts the next day from where they are.
    const next = (on: string) => ({ anew: [sub], next: { due: { on }, start: null } });
    await apart(
      devices,
      [complete(task, next('2026-11-26')), complete(sub, { at: 9 })],
      [complete(task, next('2026-11-27'))],
    );
    await first.sync();
    for (const { replica, engine } of devices) {
      const row = replica.row(task);
      assert.deepEqual(
        [fieldOf(row, 'occ'), fieldOf(row, 'status'), fieldOf(row, 'due')],
        [1, undefined, { on: '2026-11-27' }],
        'as the one says who was heard first',
      );
      assert.equal([...replica.all()].filter((held) => held.type === 'completion').length, 1);
      assert.deepEqual(
        engine.recovered.get().filter(({ verdict }) => verdict !== 'superseded'),
        [],
        'that somebody was quicker is no fault',
      );
    }
    const [a, b] = devices.map(({ replica }) => JSON.stringify(registersOf(replica.row(sub))));
    assert.equal(a, b);
    await close();
  });

  test('[SHARE-207] complete, or delete, a task and add something beneath it', async () => {
    const { list, tasks, devices, first, second, close } = await withDevices();
    const [done, deleted] = tasks;
    const [under, over] = [second.replica.newId(), second.replica.newId()];
    const old = first.replica.newId();
    await first.issue(create(old, 'Old step', done));
    for (const device of devices) await device.sync();
    await apart(devices, [complete(old), complete(done)], [create(under, 'New step', done)]);
    second.goOffline();
    await first.issue({ a: 'delete', id: deleted });
    await first.sync();
    await second.issue(create(over, 'Socks', deleted));
    await second.sync();
    await first.sync();
    for (const { replica, titles, engine, parentOf } of devices) {
      assert.notEqual(fieldOf(replica.row(done), 'status'), undefined);
      assert.deepEqual(titles(done), ['Old step', 'New step']);
      assert.equal(fieldOf(replica.row(under), 'status'), undefined);
      assert.deepEqual(titles(list), ['Book a train', 'Socks']);
      assert.equal(parentOf(over), list);
      assert.deepEqual(engine.recovered.get(), []);
    }
    await close();
  });

  test('[SHARE-208] put on two labels of an exclusive group: the later one stays', async () => {
    const { tasks, scope, devices, first, close } = await withDevices();
    const [task] = tasks;
    const [group, high, low] = [first.replica.newId(), first.replica.newId(), first.replica.newId()];
    const label = (id: Id, name: string): Action => {
      return { a: 'create', id, type: 'label', fields: { name }, place: { parent: group } };
    };
    const fields = { name: 'Priority', exclusive: true };
    await first.issue(
      { a: 'create', id: group, type: 'labelGroup', fields, place: { parent: labelsRoot(scope) } },
      label(high, 'High'),
      label(low, 'Low'),
    );
    for (const device of devices) await device.sync();
    const on = (id: Id): Action => ({ a: 'set', id: task, field: `label:${id}`, value: true });
    await apart(devices, [on(high)], [on(low)]);
    await first.sync();
    for (const { replica } of devices)
      assert.deepEqual(
        [high, low].map((id) => registersOf(replica.row(task))[`label:${id}`] === true),
        [false, true],
      );
    await close();
  });
});

describe('a member whose account', () => {
  test('[SHARE-212] is erased leaves their tasks and comments, no name, and no link', async () => {
    const { server, ann, ben, list, tasks, scope, first, second, close } = await withDevices();
    const [task, comment] = [second.replica.newId(), second.replica.newId()];
    await second.issue(
      create(task, 'Bring the tent', list),
      { a: 'set', id: task, field: 'assignee', value: ben.account },
      { a: 'create', id: comment, type: 'comment', fields: { text: 'Got it' }, place: { parent: tasks[0] } },
    );
    await second.sync();
    await confirmEmail(server, ben.account);
    const made = await told(ben.call(`POST sharing/lists/${list}/link`, { days: 3 }));
    const { token } = must(made['link'] as { readonly token: string } | null, 'a link');
    const { db } = server.database;
    await db.updateTable('account').set({ erase_at: 1 }).where('id', '=', ben.account).execute();
    await server.services.care.run();
    await server.services.sharing.run();
    await first.sync();
    const { replica } = first;
    assert.deepEqual(first.titles(list), ['Book a train', 'Pack', 'Bring the tent']);
    assert.equal(fieldOf(replica.row(task), 'assignee'), ben.account);
    assert.equal(registersOf(replica.row(comment))['text'], 'Got it');
    const member = registersOf(replica.row(memberId(scope, ben.account)));
    assert.deepEqual(
      [member['name'], member['initials'], member['color'], typeof member['leftAt']],
      [undefined, undefined, undefined, 'number'],
    );
    assert.equal((await told(ann.call(`GET sharing/invitations/${token}`))).status, 404);
    const state = await told(ann.call(`GET sharing/lists/${list}`));
    assert.deepEqual([state['state'], state['link']], ['open', null]);
    assert.equal((await told(ann.call(`POST sharing/lists/${list}/link`, { days: 3 }))).status, 200);
    const stored = JSON.stringify([
      await db.selectFrom('entity').select('fields').where('scope', '=', scope).execute(),
      await db.selectFrom('profile').selectAll().execute(),
    ]);
    assert.ok(!stored.includes('Ben'), 'the name is nowhere');
    await close();
  });

  test('[SHARE-213] is disabled reads and writes nothing, and goes on where they were once it is enabled', async () => {
    const { server, ann, ben, list, tasks, scope, first, second, close } = await withDevices();
    const { accounts, sessions } = server.services;
    const account = must(await accounts.byId(ben.account), 'the account');
    const program = await sessions.open({ account: ben.account, kind: 'api', userAgent: '' });
    await accounts.setDisabled(account, true);
    const { db } = server.database;
    const open = await db.selectFrom('session').select('id').where('account', '=', ben.account).execute();
    await sessions.revoke(open.filter(({ id }) => id !== program.session.id).map(({ id }) => id));
    second.goOffline();
    await second.issue(title(tasks[0], 'Written meanwhile'));
    await second.sync();
    assert.equal(second.engine.state.get().type, 'signedOut');
    server.clock.pass(60_000);
    assert.equal((await server.ask('/api/lists', { bearer: program.token })).status, 401);
    await first.sync();
    assert.deepEqual(first.titles(list), ['Book a train', 'Pack']);
    assert.deepEqual(
      await server.database.store.membersOf(scope),
      [ann.account, ben.account].toSorted((a, b) => a - b),
    );
    assert.equal(registersOf(first.replica.row(memberId(scope, ben.account)))['leftAt'], undefined);
    await accounts.setDisabled(account, false);
    await ben.signIn();
    await second.sync();
    await first.sync();
    assert.deepEqual(first.titles(list), ['Written meanwhile', 'Pack']);
    assert.deepEqual(second.engine.recovered.get(), []);
    await close();
  });

  test('[SHARE-211] meets the session of another member in one browser: nothing is sent for somebody else', async () => {
    const { ann, ben, tasks, first, second, close } = await withDevices();
    await first.issue(title(tasks[1], 'Pack lightly'));
    await first.sync();
    first.goOffline();
    await first.issue(title(tasks[0], 'Ann’s words'));
    // Somebody else signs in in this browser; the page of Ann has not heard of it.
    const { cookie } = ann;
    ann.cookie = ben.cookie;
    await first.sync();
    assert.equal(first.engine.facts().pending.length, 1, 'it waits');
    await second.sync();
    assert.equal(fieldOf(second.replica.row(tasks[0]), 'title'), 'Book a train');
    assert.equal(fieldOf(second.replica.row(tasks[1]), 'title'), 'Pack lightly');
    await first.close();
    ann.cookie = cookie;
    const again = await openDevice(ann, first.contents);
    await again.sync();
    await second.sync();
    assert.equal(fieldOf(second.replica.row(tasks[0]), 'title'), 'Ann’s words');
    const { entries } = (await told(
      ann.call(`GET history/${second.replica.row(tasks[0])?.scope}`),
    )) as unknown as {
      readonly entries: readonly { readonly account: number }[];
    };
    assert.equal(entries[0]?.account, ann.account);
    await again.close();
    await close();
  });
});
