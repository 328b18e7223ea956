// What shared lists may never do: stand in each other, tell what is nobody's business, or keep what was removed for good.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listsRoot, mountId, type Id } from '#core/ids.ts';
import type { LiveMessage } from '#wire/live.ts';
import { actorOf, Person, placeIn, shareWithBen, told } from '../sharing.ts';
import type { TestServer } from './harness.ts';

const DAY = 86_400_000;
const LISTS = 40;

const newId = () => crypto.randomUUID() as Id;

describe('shared lists', () => {
  let all: Awaited<ReturnType<typeof shareWithBen>>;
  let server: TestServer;
  before(async () => {
    all = await shareWithBen();
    ({ server } = all);
  });
  after(() => server.close());

  test('[SHARE-251] are whole lists: a task is not shared, and nothing shared stands in something shared', async () => {
    const { ann, ben, list, tasks, scope } = all;
    const [task] = tasks;
    const answer = await told(ann.call(`POST sharing/lists/${task}`));
    assert.deepEqual([answer.status, answer['code']], [404, 'not_found']);
    const second = await ann.list('Home');
    const { scope: home } = await ann.share(second);
    const mount = mountId(ann.personalScope as Id, second);
    const own = await ann.list('Own');
    const made = (parent: Id, listType: string) => ({
      a: 'create',
      id: newId(),
      type: 'list',
      fields: { listType, name: 'Inside' },
      place: { parent },
    });
    const verdicts = await ann.verdicts(
      { a: 'place', id: mount, place: { parent: list } },
      { a: 'place', id: mount, place: { parent: listsRoot(scope) } },
      { a: 'place', id: second, place: { parent: list } },
      { a: 'place', id: own, place: { parent: listsRoot(scope) } },
      { ...made(list, 'list'), scope },
      { ...made(listsRoot(scope), 'folder'), scope },
    );
    assert.ok(
      verdicts.every((verdict) => verdict === 'badparent' || verdict === 'forbidden'),
      verdicts.join(),
    );
    const rows = await ann.rows();
    assert.equal(rows.get(second)?.scope, home);
    assert.equal(placeIn(rows.get(mount)).parent, listsRoot(ann.personalScope as Id));
    assert.equal((await ben.rows(scope)).size, (await ann.rows(scope)).size);
  });

  test('[SHARE-252] are told of on one connection, each change once, and only to who belongs to them', async () => {
    const { ann, ben } = all;
    const eve = await Person.come(server, 'eve@example.org');
    const lists: { list: Id; scope: string }[] = [];
    for (let at = 0; at < LISTS; at += 1) {
      const list = await ann.list(`List ${at}`);
      const { scope, link } = await ann.share(list);
      await ben.join(link?.token);
      lists.push({ list, scope });
    }
    const listen = async (person: Person) => {
      const heard: LiveMessage[] = [];
      const send = (text: string) => void heard.push(JSON.parse(text) as LiveMessage);
      const handle = server.services.hub.add(await actorOf(server, person), {
        send,
        end: () => undefined,
      });
      return { heard, handle };
    };
    const [bens, eves] = [await listen(ben), await listen(eve)];
    const settle = async () => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
    };
    await settle();
    bens.heard.length = 0;
    eves.heard.length = 0;
    const [seventh] = lists.slice(7);
    await ann.task('News', seventh?.list as Id);
    await settle();
    const scopeOf = (message: LiveMessage) =>
      'scope' in message ? message.scope : 'changes' in message ? message.changes.scope : null;
    assert.deepEqual(bens.heard.map(scopeOf), [seventh?.scope]);
    assert.deepEqual(eves.heard, []);
    bens.handle.remove();
    eves.handle.remove();
  });

  test('[SHARE-253] keep the token of their link out of logs, figures, events and referrers', async () => {
    const { ann, ben, list, token } = all;
    const eve = await Person.come(server, 'eva@example.org');
    const page = await server.ask(`/invite?token=${token}&v=3`);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    for (const path of [
      `/list_invitations/${token}`,
      `/list_invitations/${token}/more`,
      `/app/open/invite?token=${token}`,
      `/app/api/sharing/invitations/${token}x`,
    ])
      for (const method of ['GET', 'POST', 'HEAD']) await server.ask(path, { method });
    for (const person of [ann, ben, eve]) await person.call(`GET sharing/invitations/${token}`);
    await eve.join(token);
    await ann.call(`POST sharing/lists/${list}/members/${eve.account}/remove`);
    await eve.call(`POST sharing/invitations/${token}`);
    await ann.call(`DELETE sharing/lists/${list}/link`);
    await eve.call(`POST sharing/invitations/${token}`);
    const { db } = server.database;
    const events = JSON.stringify(await db.selectFrom('security_event').selectAll().execute());
    const metrics = await (await server.ask('/metrics')).text();
    const links = JSON.stringify(await db.selectFrom('list_invitation').selectAll().execute());
    const log = server.logged.join('');
    assert.ok(log.includes('/app/api/sharing/invitations/:token'));
    for (const text of [log, events, metrics, links]) assert.ok(!text.includes(token.slice(3, 20)));
  });

  test('[SHARE-254] what is removed for good is so in the history of every scope that it was in', async () => {
    const { ann } = all;
    const list = await ann.list('Gifts');
    const task = await ann.task('A very secret present', list);
    await ann.act({ a: 'set', id: task, field: 'notes', value: 'A very secret note' });
    await ann.share(list);
    await ann.act({ a: 'set', id: task, field: 'title', value: 'A very secret surprise' });
    const { db } = server.database;
    const kept = async () => {
      const rows = await db.selectFrom('history').selectAll().execute();
      return rows.filter((row) => JSON.stringify(row).includes('very secret')).length;
    };
    assert.ok((await kept()) >= 3);
    await ann.act({ a: 'delete', id: task });
    server.clock.pass(31 * DAY);
    await server.services.care.run();
    await ann.signIn();
    assert.equal((await ann.rows()).get(task), undefined);
    assert.equal(await kept(), 0);
  });
});
