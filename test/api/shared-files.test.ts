// Files in lists of several people: sent before, during and after their task moved or its list was shared, by whom, and
// for how long they are kept.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { fileLimits } from '#wire/files.ts';
import { Person, shareWithBen } from '../sharing.ts';
import type { TestServer } from './harness.ts';

const DAY = 86_400_000;
const newId = () => crypto.randomUUID() as Id;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Sends content to a scope, as a device does that believes its task to be there. */
function send(server: TestServer, { cookie }: Person, text: string, to: string): Promise<Response> {
  const headers = { 'content-type': 'application/octet-stream' };
  const raw = new Uint8Array(Buffer.from(text));
  return server.ask(`/app/api/files/${to}/${hashOf(text)}`, { method: 'POST', cookie, raw, headers });
}

const attaching = (id: Id, task: Id, text: string) => ({
  a: 'create',
  id,
  type: 'attachment',
  fields: { name: `${text}.txt`, hash: hashOf(text), sizeBytes: text.length },
  place: { parent: task },
});

/** What somebody gets who opens a file where they see it; its status if they get nothing. */
async function opened(server: TestServer, person: Person, file: Id): Promise<string | number> {
  const scope = (await person.rows()).get(file)?.scope;
  if (scope === undefined) return 'not seen';
  const answer = await server.ask(`/app/api/files/${scope}/${file}`, { cookie: person.cookie });
  return answer.ok ? answer.text() : answer.status;
}

describe('files in shared lists', () => {
  const open: TestServer[] = [];
  async function trip() {
    const all = await shareWithBen();
    open.push(all.server);
    return all;
  }
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  after(() => assert.equal(open.length, 0));

  test('[SHARE-230] open for everybody, to whichever of their scopes a device sent them, before the attachment or after', async () => {
    const { server, ann, ben, tasks } = await trip();
    for (const [order, text] of [
      ['before', 'a map'],
      ['after', 'a list'],
      ['again', 'a map'],
    ] as const) {
      const file = newId();
      // The device has not heard yet that the list is shared: to it the task is in the scope of its person.
      const sending = () => send(server, ann, text, ann.personalScope);
      if (order === 'before') assert.equal((await sending()).status, 200);
      await ann.act(attaching(file, tasks[0], text));
      if (order !== 'before') assert.equal((await sending()).status, 200);
      assert.deepEqual([order, await opened(server, ben, file)], [order, text]);
      assert.equal(await opened(server, ann, file), text);
    }
  });

  test('[SHARE-230] of a member as well; a hash alone gives nothing, to nobody', async () => {
    const { server, ann, ben, tasks } = await trip();
    const eve = await Person.come(server, 'eve@example.org');
    const [file, own, stolen] = [newId(), newId(), newId()];
    await send(server, ben, 'a ticket', ben.personalScope);
    await ben.act(attaching(file, tasks[1], 'a ticket'));
    assert.deepEqual(
      [await opened(server, ann, file), await opened(server, eve, file)],
      ['a ticket', 'not seen'],
    );
    // Named in a scope of her own by somebody who may open it: she holds it from then on.
    const hers = await ann.task('Mine', inboxId(ann.personalScope as Id));
    await ann.act(attaching(own, hers, 'a ticket'));
    assert.equal(await opened(server, ann, own), 'a ticket');
    const eves = await eve.task('Mine', inboxId(eve.personalScope as Id));
    await eve.act(attaching(stolen, eves, 'a ticket'));
    assert.equal(await opened(server, eve, stolen), 404);
  });

  test('[SHARE-231] still open after several people moved their tasks, and after every sweep', async () => {
    const { server, ann, ben, list, tasks, scope } = await trip();
    const [task] = tasks;
    const [early, late] = [newId(), newId()];
    await send(server, ann, 'early', scope);
    await ann.act(attaching(early, task, 'early'));
    await ben.act(attaching(late, task, 'late'));
    const second = await ann.list('Home');
    const { link } = await ann.share(second);
    await ben.join(link?.token);
    const move = (person: Person, parent: Id) => person.act({ a: 'place', id: task, place: { parent } });
    const [mine, hers] = [inboxId(ben.personalScope as Id), inboxId(ann.personalScope as Id)];
    const places = [
      [ben, second],
      [ann, list],
      [ben, mine],
      [ben, list],
      [ann, hers],
      [ann, second],
    ] as const;
    for (const [index, [who, to]] of places.entries()) {
      await move(who, to);
      // What was attached when the task was elsewhere is on its way all the while.
      if (index === 2) assert.equal((await send(server, ben, 'late', scope)).status, 200);
      server.clock.pass(8 * DAY);
      await Promise.all([ann.signIn(), ben.signIn()]);
      await server.services.care.run();
      assert.deepEqual([index, await opened(server, who, early)], [index, 'early']);
      if (index >= 2) assert.deepEqual([index, await opened(server, who, late)], [index, 'late']);
    }
    assert.deepEqual([await opened(server, ben, early), await opened(server, ben, late)], ['early', 'late']);
    await move(ann, hers);
    assert.deepEqual(
      [await opened(server, ann, early), await opened(server, ben, early)],
      ['early', 'not seen'],
    );
  });

  test('[SHARE-231] there after the list was made private, shared again and handed over', async () => {
    const { server, ann, ben, list, tasks, scope } = await trip();
    const [first, second] = [newId(), newId()];
    await send(server, ben, 'a photo', scope);
    await ben.act(attaching(first, tasks[0], 'a photo'), attaching(second, tasks[1], 'a letter'));
    assert.equal((await ann.call(`POST sharing/lists/${list}/private`)).status, 200);
    assert.equal(await opened(server, ben, first), 'not seen');
    // His device did not know: what it had left to send has no scope to go to, and stays on the device.
    assert.equal((await send(server, ben, 'a letter', scope)).status, 404);
    server.clock.pass(8 * DAY);
    await Promise.all([ann.signIn(), ben.signIn()]);
    await server.services.care.run();
    assert.equal(await opened(server, ann, first), 'a photo');
    const { link } = await ann.share(list);
    await ben.join(link?.token);
    assert.equal((await ann.call(`POST sharing/lists/${list}/members/${ben.account}/owner`)).status, 200);
    assert.equal((await ann.call(`POST sharing/lists/${list}/leave`)).status, 200);
    assert.deepEqual(
      [await opened(server, ben, first), await opened(server, ann, first)],
      ['a photo', 'not seen'],
    );
  });

  test('[SHARE-232] that are sent anew, or named anew, are young again: no sweep takes them', async () => {
    const { server, ann, tasks, scope } = await trip();
    await send(server, ann, 'old', scope);
    server.clock.pass(8 * DAY);
    await ann.signIn();
    // Attached again a moment before the housekeeping; its attachment comes a moment after it.
    assert.equal((await send(server, ann, 'old', scope)).status, 200);
    await server.services.care.run();
    const file = newId();
    await ann.act(attaching(file, tasks[0], 'old'));
    assert.equal(await opened(server, ann, file), 'old');
  });

  test('[SHARE-233] take the room of the owner of the list, and are refused with their name', async () => {
    const { server, ann, ben, scope } = await trip();
    await ann.call('POST profile', { name: 'Ann Smith' });
    const bytes = fileLimits.accountBytes;
    const created_at = server.clock.now();
    const full = { scope: ann.personalScope as Id, hash: 'f'.repeat(64), bytes, created_at };
    await server.database.db.insertInto('blob').values(full).execute();
    const said = async (person: Person, to: string) => {
      const answer = await send(server, person, 'one more', to);
      return [answer.status, ((await answer.json()) as { message?: string }).message];
    };
    const [status, words] = await said(ben, scope);
    assert.equal(status, 413);
    assert.match(String(words), /^Ann Smith owns this list, and has used all 5 GB for files\. Ask Ann Smith/);
    assert.match(String((await said(ann, scope))[1]), /^You've used all 5 GB for files/);
    assert.equal((await said(ben, ben.personalScope))[0], 200);
  });
});
