// What counts for whom in a list that several people have: what is kept of who has left, devices, mail, and the list's own settings.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { mineId, type Id } from '#core/ids.ts';
import { deviceListSchema } from '#wire/account.ts';
import { fileLimits } from '#wire/files.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { createMailWorld, type MailPerson, type MailWorld } from './mail-world.ts';
import { callSharing, joinList, Person, shareList, shareWithBen, told } from '../sharing.ts';
import { plainMail } from './smtp-client.ts';

const DAY = 86_400_000;

describe('what somebody had said of tasks that they may no longer read', () => {
  test('[SHARE-311] is there again within 30 days, is emptied after that, and works like anew', async () => {
    const { server, ann, ben, list, tasks, scope, token } = await shareWithBen();
    const [task, moved] = tasks;
    const personal = ben.personalScope as Id;
    const say = (of: Id) => ({
      a: 'create',
      id: mineId(personal, of),
      type: 'mine',
      fields: { of, bookmarkedAt: server.clock.now(), snooze: { on: '2030-01-01' } },
    });
    const mine = await ben.list('Mine');
    const call = await ben.task('Call', mine);
    await ben.act(say(task), say(moved), say(call));
    const said = async (of: Id) =>
      Object.keys((await ben.rows()).get(mineId(personal, of))?.f ?? {}).toSorted();
    const all = ['bookmarkedAt', 'of', 'snooze'];

    const hers = await ann.list('Hers');
    await ann.act({ a: 'place', scope, id: moved, place: { parent: hers } });
    await told(ben.call(`POST sharing/lists/${list}/leave`));
    server.clock.pass(29 * DAY);
    await ben.signIn();
    assert.equal((await server.services.care.run()).emptied, 0);
    assert.deepEqual(await said(task), all);

    await ann.signIn();
    const link = await told(ann.call(`POST sharing/lists/${list}/link`));
    const fresh = (link['link'] as { readonly token: string }).token;
    assert.notEqual(fresh, token);
    await ben.join(fresh);
    server.clock.pass(2 * DAY);
    assert.equal(
      (await server.services.care.run()).emptied,
      1,
      'what has left the list is out of reach for long',
    );
    assert.deepEqual([await said(task), await said(moved), await said(call)], [all, ['of'], all]);

    await told(ben.call(`POST sharing/lists/${list}/leave`));
    server.clock.pass(31 * DAY);
    assert.equal((await server.services.care.run()).emptied, 1);
    assert.equal((await server.services.care.run()).emptied, 0, 'a second run finds nothing');
    await ben.signIn();
    assert.deepEqual([await said(task), await said(call)], [['of'], all]);

    await ann.signIn();
    const last = await told(ann.call(`POST sharing/lists/${list}/link`));
    await ben.join((last['link'] as { readonly token: string }).token);
    await ben.act({ a: 'set', id: mineId(personal, task), field: 'bookmarkedAt', value: 1 });
    assert.deepEqual(await said(task), ['bookmarkedAt', 'of']);
    await server.close();
  });
});

describe('devices of somebody with shared lists', () => {
  test('[SHARE-312] are up to date where nothing is newer in any of the lists, and the server is none', async () => {
    const { server, ann, ben, tasks, scope } = await shareWithBen();
    const device = crypto.randomUUID() as Id;
    let cursors: Record<string, { readonly generation: string; readonly version: number }> = {};
    const read = async () => {
      const head = { schema: protocolVersion, device, clientNow: server.clock.now(), ack: 0, ops: [] };
      const answer = await server.ask('/sync/v1', {
        method: 'POST',
        cookie: ben.cookie,
        body: { ...head, cursors },
      });
      const { changes, deviceNumber } = (await answer.json()) as SyncResponse;
      const news = changes.map((change) => [
        change.scope,
        { generation: change.generation, version: change.to },
      ]);
      cursors = { ...cursors, ...(Object.fromEntries(news) as typeof cursors) };
      return deviceNumber;
    };
    const devices = async (cookie = ben.cookie) =>
      deviceListSchema.parse(await (await server.ask('/app/api/devices', { cookie })).json()).devices;
    const isUpToDate = async (number: number) =>
      (await devices()).find((each) => each.number === number)?.upToDate;
    await read();
    const number = await read();
    assert.equal(await isUpToDate(number), true);
    await ann.act({ a: 'set', scope, id: tasks[0], field: 'title', value: 'Book two trains' });
    assert.equal(await isUpToDate(number), false);
    await read();
    assert.equal(await isUpToDate(number), true);
    const own = (await devices(ann.cookie)).filter(({ kind }) => kind === 'api');
    assert.deepEqual(
      own.map(({ name }) => name),
      [null],
      'what the server wrote',
    );
    await server.close();
  });
});

describe('mail to shared lists, and files in them', () => {
  let world: MailWorld;
  let ann: MailPerson;
  let ben: MailPerson;
  before(async () => {
    world = await createMailWorld();
    ann = await world.person('ann@example.org');
    ben = await world.person('ben@example.org');
  });
  after(() => world.close());

  const sessionOf = ({ cookie, account, scope }: MailPerson) => ({ cookie, account, personalScope: scope });

  async function shareWith(name: string) {
    const list = (await ann.list({ name })).id as Id;
    const before = await ann.address(list);
    const { scope, link } = await shareList(world.server, sessionOf(ann), list);
    await joinList(world.server, sessionOf(ben), link?.token);
    return { list, scope: scope as Id, before };
  }

  const ask = async (by: MailPerson, of: { readonly scope: Id; readonly list: Id }, path = '') => {
    const body = { scope: of.scope, list: of.list };
    const answer = await world.server.ask(`/app/api/mail_address${path}`, {
      method: 'POST',
      cookie: by.cookie,
      body,
    });
    return await told(answer);
  };

  test('[SHARE-313] mail comes into the list and counts for its owner; others are told so', async () => {
    const trip = await shareWith('Trip');
    assert.equal((await ask(ann, trip))['address'], trip.before, 'the address stays');
    const shown = await ask(ben, trip);
    assert.deepEqual([shown['address'], shown['use']], [trip.before, null]);
    assert.equal((await world.send(trip.before, plainMail({ subject: 'Tickets' }))).code, 250);
    const seen = (await ben.arrived()).find(({ title }) => title === 'Tickets');
    assert.equal(seen?.list_id, trip.list);
    const use = (await ask(ann, trip))['use'] as { readonly messages: number };
    assert.equal(use.messages, 1);
    const renewed = await ask(ben, trip, '/new');
    assert.notEqual(renewed['address'], trip.before);
    assert.equal((await world.send(trip.before, plainMail({ subject: 'Old' }))).code, 550);
    const { db } = world.server.database;
    const verify = (at: number | null) =>
      db.updateTable('account').set({ verified_at: at }).where('id', '=', ann.account).execute();
    await verify(null);
    const none = await ask(ben, trip);
    assert.deepEqual([none.status, none['code']], [409, 'conflict']);
    assert.match(String(none['message']), /counts for its owner/);
    await verify(1);
  });

  test('[SHARE-314] mail that was taken before comes to where the list is now', async () => {
    const { spool } = world.server;
    assert.ok(spool);
    const list = (await ann.list({ name: 'Later' })).id as Id;
    const admitted = await world.mailIn.desk.admit(await ann.address(list), 0);
    assert.ok(admitted.ok);
    const head = { id: crypto.randomUUID() as Id, from: 'zoe@example.net', at: world.server.clock.now() };
    const incoming = await spool.begin({ ...head, ...admitted.value });
    await incoming.write(Buffer.from(plainMail({ subject: 'On its way' })));
    const arrival = await incoming.keep();
    await shareList(world.server, sessionOf(ann), list);
    world.mailIn.queue.add(arrival);
    const task = (await ann.arrived()).find(({ title }) => title === 'On its way');
    assert.equal(task?.list_id, list);
  });

  test('[SHARE-315] removing somebody says whether the list has an address that they may know', async () => {
    const { list } = await shareWith('Known');
    const removed = await told(
      callSharing(world.server, sessionOf(ann), `POST sharing/lists/${list}/members/${ben.account}/remove`),
    );
    assert.equal(removed['hasMail'], true);
    // Programs are told the addresses of all lists, which makes them.
    const quiet = await new Person(world.server, sessionOf(ann)).list('Quiet');
    assert.equal((await shareList(world.server, sessionOf(ann), quiet)).hasMail, undefined);
  });

  const filled = (text: string) => {
    const content = Buffer.from(text);
    return { content, hash: createHash('sha256').update(content).digest('hex') };
  };
  const upload = async (by: MailPerson, scope: Id, text: string) => {
    const { content, hash } = filled(text);
    const answer = await world.server.ask(`/app/api/files/${scope}/${hash}`, {
      method: 'POST',
      cookie: by.cookie,
      raw: new Uint8Array(content),
      headers: { 'content-type': 'application/octet-stream' },
    });
    return answer.status;
  };
  const attach = (by: MailPerson, text: string, task: string) => {
    const fields = { name: 'a.txt', hash: filled(text).hash, sizeBytes: text.length, fileType: 'text/plain' };
    const id = crypto.randomUUID() as Id;
    // The device believes that the task is in the person's own scope, as it was.
    const person = new Person(world.server, sessionOf(by));
    return person.act({ a: 'create', id, type: 'attachment', fields, place: { parent: task } });
  };
  const holdersOf = async (text: string) => {
    const { hash } = filled(text);
    const held = await world.server.database.db
      .selectFrom('blob')
      .select('scope')
      .where('hash', '=', hash)
      .execute();
    return held.map(({ scope }) => scope);
  };

  test('[SHARE-320] content is where its file is, whichever comes first, and whatever the device believes', async () => {
    const { list, scope } = await shareWith('Pictured');
    const own = (await ben.list({ name: 'Kept' })).id;
    const task = (await ben.task({ title: 'With pictures', list_id: own })).id;
    await ben.change(task, { list_id: list });
    assert.equal(await upload(ben, ben.scope, 'before'), 200);
    await attach(ben, 'before', task);
    assert.deepEqual((await holdersOf('before')).toSorted(), [ben.scope, scope].toSorted());
    await attach(ben, 'after', task);
    assert.equal(await upload(ben, ben.scope, 'after'), 200);
    assert.ok((await holdersOf('after')).includes(scope));

    await ben.change(task, { list_id: own });
    await told(callSharing(world.server, sessionOf(ben), `POST sharing/lists/${list}/leave`));
    await attach(ben, 'left', task);
    assert.equal(await upload(ben, scope, 'left'), 404, 'they may not write there');
    assert.equal(await upload(ben, ben.scope, 'left'), 200);
    assert.deepEqual(await holdersOf('left'), [ben.scope]);
    assert.equal(await upload(ann, ben.scope, 'left'), 404);
  });

  test('[SHARE-316] files count for the owner, whose room others are told of', async () => {
    const { scope } = await shareWith('Pictures');
    const { db } = world.server.database;
    const full = { hash: 'f'.repeat(64), bytes: fileLimits.accountBytes, created_at: 1 };
    await db
      .insertInto('blob')
      .values({ ...full, scope: ann.scope as Id })
      .execute();
    const content = Buffer.from('a picture');
    const hash = createHash('sha256').update(content).digest('hex');
    const send = async (by: MailPerson) => {
      const answer = await world.server.ask(`/app/api/files/${scope}/${hash}`, {
        method: 'POST',
        cookie: by.cookie,
        raw: new Uint8Array(content),
        headers: { 'content-type': 'application/octet-stream' },
      });
      return {
        status: answer.status,
        message: ((await answer.json()) as { readonly message: string }).message,
      };
    };
    assert.deepEqual(await send(ben), {
      status: 413,
      message:
        'Ann owns this list, and has used all 5 GB for files. Ask Ann to remove some, or move the task to a list of your own.',
    });
    assert.match((await send(ann)).message, /^You've used all 5 GB/);
  });
});
