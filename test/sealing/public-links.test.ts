// Public links of encrypted lists: whole server, real devices, and visitors who have nothing but an address.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { FIRST_LIST_GENERATION } from '#core/sealing/keys.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import { openDatabase } from '#server/data/database.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { another, SECRET, settle, World } from './encrypted-list.ts';
import { linksOf, publish, PublicVisitor } from './public-visitor.ts';

const everything = { add: true, complete: true, titles: true, notes: true, labels: true } as const;
const newKey = () => crypto.randomUUID() as Id;

/** An encrypted list of several people with some tasks. */
async function shared() {
  const world = await World.open();
  const { ida, list } = world;
  const task = ida.device.addTask(list, `${SECRET} tickets`);
  const within = ida.device.addTask(task, `${SECRET} seats`);
  ida.device.write(task, `${SECRET} the early train`);
  ida.device.engine.replica.issue([
    { a: 'set', id: task, field: 'due', value: { on: '2026-12-01' } },
    { a: 'set', id: task, field: 'meta:seat', value: `${SECRET} window` },
  ] as never);
  await settle(ida);
  await world.share();
  const { server } = ida.office;
  return { world, ida, list, task, within, server };
}

describe('a public link of an encrypted list', () => {
  test('[SEAL-360] shows the list to who has its whole address, and the server has no word of it', async () => {
    const { world, server, task } = await shared();
    const address = await publish(world);
    const visitor = new PublicVisitor(server, address);
    assert.equal(await visitor.look(), null);
    assert.equal(visitor.list?.name, `${SECRET} trip`);
    const { key: _, ...shown } = visitor.titled(`${SECRET} tickets`);
    assert.deepEqual(shown, {
      id: task,
      parent: null,
      title: `${SECRET} tickets`,
      notes: `${SECRET} the early train`,
      due: { on: '2026-12-01' },
    });
    assert.equal(visitor.titled(`${SECRET} seats`).parent, task);
    for (const path of ['', '/tasks']) assert.ok(!(await (await visitor.ask(path)).text()).includes(SECRET));
    assert.equal(await world.has(SECRET), false);
    assert.equal(await world.has(address.secret), false, 'the secret is in the address alone');
    await world.close();
  });

  test('[SEAL-361] lets visitors do what it permits, sealed by them, and devices take it', async () => {
    const { world, ida, server, task, list } = await shared();
    const ben = await world.joined('ben');
    const visitor = new PublicVisitor(server, await publish(world, everything));
    await visitor.look();
    const added = await visitor.does({ do: 'add', key: newKey(), title: `${SECRET} socks` });
    assert.equal(added?.title, `${SECRET} socks`);
    await visitor.does({ do: 'add', key: newKey(), title: `${SECRET} wool`, parent: added.id });
    await visitor.does({ do: 'title', id: task, title: `${SECRET} two tickets` });
    await visitor.does({
      do: 'notes',
      id: task,
      was: `${SECRET} the early train`,
      notes: `${SECRET} the late one`,
    });
    const done = await visitor.does({ do: 'complete', id: visitor.id(`${SECRET} seats`) });
    assert.equal(done?.isDone, true);
    assert.ok(!JSON.stringify(visitor.sent).includes(SECRET));
    await settle(ida, ben);
    for (const { device } of [ida, ben]) {
      assert.equal(device.name(task), `${SECRET} two tickets`);
      assert.equal(device.notes(task), `${SECRET} the late one`);
      assert.equal(device.name(added.id as Id), `${SECRET} socks`);
      assert.equal(fieldOf(device.row(added.id as Id), 'place')?.parent, list);
      assert.ok(isDone(device.row(visitor.id(`${SECRET} seats`)) as never));
      assert.equal(lockedOf(device.row(added.id as Id)), undefined);
    }
    // What a device writes over it is no older one for anybody.
    ben.device.rename(added.id as Id, `${SECRET} warm socks`);
    ben.device.write(task, `${SECRET} none at all`);
    await settle(ben, ida);
    await visitor.look();
    assert.equal(visitor.titled(`${SECRET} two tickets`).notes, `${SECRET} none at all`);
    await visitor.does({ do: 'title', id: added.id, title: `${SECRET} warmer socks` });
    await visitor.does({ do: 'reopen', id: visitor.id(`${SECRET} seats`) });
    await settle(ida);
    assert.equal(ida.device.name(added.id as Id), `${SECRET} warmer socks`);
    assert.deepEqual(await world.left(), []);
    assert.equal(await world.has(SECRET), false);
    await world.close();
  });

  test('[SEAL-361] refuses what it doesn’t permit, and what isn’t sealed with the present key', async () => {
    const { world, ida, server, task } = await shared();
    const looking = new PublicVisitor(server, await publish(world));
    await looking.look();
    for (const change of [
      { do: 'add', key: newKey(), title: 'x' },
      { do: 'complete', id: task },
      { do: 'title', id: task, title: 'x' },
      { do: 'notes', id: task, was: `${SECRET} the early train`, notes: 'x' },
    ] as const)
      assert.equal((await looking.send(change)).status, 403, change.do);
    const writing = new PublicVisitor(server, await publish(world, everything));
    await writing.look();
    const sealed = await writing.visit.seal(
      { do: 'title', id: task, title: 'x' },
      { do: 'title', id: task, title: 'x' },
    );
    assert.ok(sealed.ok && sealed.value.do === 'title');
    const bytes = Buffer.from(sealed.value.title.e, 'base64url');
    bytes.writeUInt32BE(FIRST_LIST_GENERATION + 1, 1);
    const tried: readonly (readonly [body: object, status: number])[] = [
      [{ do: 'title', id: task, title: 'in the open' }, 422],
      [{ do: 'title', id: task, title: { e: 'AAAA' } }, 422],
      [{ do: 'title', id: task, title: { e: bytes.toString('base64url') } }, 403],
      [{ do: 'title', id: world.list, title: sealed.value.title }, 409],
      [{ ...sealed.value, nick: 'Eve' }, 422],
      [{ do: 'notes', id: task, was: null, notes: 'in the open' }, 422],
      [{ do: 'add', key: newKey(), title: sealed.value.title, notes: sealed.value.title }, 422],
      [{ do: 'delete', id: task }, 422],
    ];
    for (const [body, status] of tried)
      assert.equal((await writing.ask('/changes', body)).status, status, JSON.stringify(body).slice(0, 60));
    await settle(ida);
    assert.equal(ida.device.name(task), `${SECRET} tickets`);
    await world.close();
  });

  test('[SEAL-362] opens nothing without its fragment, or with that of another link', async () => {
    const { world, server } = await shared();
    const [one, other] = [await publish(world), await publish(world)];
    const { token } = one;
    assert.equal(await new PublicVisitor(server, { token, secret: null }).look(), 'missing');
    assert.equal(await new PublicVisitor(server, { token, secret: 'k' }).look(), 'missing');
    assert.equal(await new PublicVisitor(server, { token, secret: other.secret }).look(), 'wrong');
    const invitation = await world.link();
    assert.equal(await new PublicVisitor(server, { token, secret: invitation.secret }).look(), 'wrong');
    await world.close();
  });

  test('[SEAL-363] what a server puts in another place, or made of an earlier key, is locked, and nothing is written over it', async () => {
    const { world, ida, server, task, within } = await shared();
    const { store } = server.database;
    const before = (await store.snapshot(world.scope, null, 100)).find(({ id }) => id === task);
    const removed = await world.joined('eve');
    await publish(world);
    await world.call(ida, `POST sharing/lists/${world.list}/members/${removed.office.account}/remove`);
    await settle(ida, ida);
    const visitor = new PublicVisitor(server, await publish(world, everything));
    visitor.lie = ({ tasks }) => {
      const [one, other] = [tasks.find(({ id }) => id === task), tasks.find(({ id }) => id === within)];
      assert.ok(one && other);
      [one.title, other.title] = [other.title, one.title];
      one.notes = registersOf(before as never)['notes'] as { e: string };
    };
    assert.equal(await visitor.look(), null);
    for (const id of [task, within]) {
      const shown = visitor.tasks.find((each) => each.id === id);
      assert.deepEqual([shown?.title, shown?.notes, shown?.isLocked], ['', undefined, true]);
    }
    const change = { do: 'notes', id: task, was: '', notes: 'over it' } as const;
    assert.deepEqual(await visitor.visit.seal(change, change), { ok: false, problem: 'locked' });
    // Of another list nothing opens, whatever the server says which it is.
    const elsewhere = new PublicVisitor(server, await publish(world));
    elsewhere.lie = ({ sealed }) => (sealed.scope = newKey());
    assert.equal(await elsewhere.look(), 'wrong');
    elsewhere.lie = ({ sealed }) => (sealed.generation -= 1);
    assert.equal(await elsewhere.look(), 'wrong');
    await world.close();
  });

  test('[SEAL-364] [SHARE-360] [SHARE-362] ends once the list has a new key, and opens nothing that comes later', async () => {
    const { world, ida, server, list } = await shared();
    const ben = await world.joined('ben');
    const address = await publish(world, everything);
    const visitor = new PublicVisitor(server, address);
    await visitor.look();
    const stream = await visitor.ask('/stream');
    const counted = async () => (await world.call(ida, `GET sharing/lists/${list}`))['publicLinks'];
    assert.equal(await counted(), 1);
    await world.call(ida, `POST sharing/lists/${list}/members/${ben.office.account}/remove`);
    await settle(ida, ida);
    assert.match(await stream.text(), /"type":"over","why":"outdated"/);
    for (const path of ['', '/tasks', '/stream']) {
      const answer = await visitor.ask(path);
      assert.deepEqual([answer.status, /has a new key/.test(await answer.text())], [404, true], path);
    }
    const change = { do: 'add', key: newKey(), title: 'late' } as const;
    assert.equal((await visitor.send(change)).status, 404);
    const [link] = (await linksOf(world)).links;
    assert.equal(link?.isOutdated, true);
    assert.equal(await counted(), undefined, 'it shows the list no more');
    // A server that goes on showing it shows nothing.
    const later = ida.device.addTask(list, `${SECRET} later`);
    await settle(ida);
    const fresh = new PublicVisitor(server, await publish(world));
    await fresh.look();
    assert.equal(fresh.titled(`${SECRET} later`).id, later);
    const { tasks } = JSON.parse(await (await fresh.ask('/tasks')).text()) as { tasks: never[] };
    const all = await visitor.visit.tasks(tasks);
    assert.ok(all.length >= 3 && all.every(({ title, isLocked }) => title === '' && isLocked === true));
    await world.close();
  });

  test('[SEAL-365] the page says nothing of the list before its script has opened it', async () => {
    const { world, server } = await shared();
    const visitor = new PublicVisitor(server, await publish(world, { add: true }));
    const page = await visitor.ask();
    const text = await page.text();
    assert.equal(page.status, 200);
    assert.match(text, /<title>Encrypted list<\/title>/);
    assert.match(text, /<h1 dir="auto">Encrypted list<\/h1>/);
    assert.match(text, /data-sealed="yes"/);
    assert.doesNotMatch(text, /<meta[^>]*(?:og:|description)|data-id|class="logo"|class="nick"/);
    assert.equal(page.headers.get('x-robots-tag'), 'noindex, nofollow, noarchive');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('set-cookie'), null);
    await world.close();
  });

  test('[SEAL-366] notes that a visitor and a member edit at once keep what both wrote', async () => {
    const { world, ida, server, task } = await shared();
    ida.device.write(task, 'One\nTwo\nThree');
    await settle(ida);
    const visitor = new PublicVisitor(server, await publish(world, everything));
    await visitor.look();
    ida.device.write(task, 'One\nTwo\nThree\nFour');
    await settle(ida);
    const change = { do: 'notes', id: task, was: 'One\nTwo\nThree', notes: 'Zero\nOne\nTwo\nThree' } as const;
    const first = await visitor.send(change);
    assert.deepEqual([first.status, first.task?.notes], [409, 'One\nTwo\nThree\nFour']);
    assert.equal((await visitor.does(change))?.notes, 'Zero\nOne\nTwo\nThree\nFour');
    // Whose answer is lost sends the same again.
    assert.equal((await visitor.does(change))?.notes, 'Zero\nOne\nTwo\nThree\nFour');
    await settle(ida);
    assert.equal(ida.device.notes(task), 'Zero\nOne\nTwo\nThree\nFour');
    await visitor.does({ do: 'notes', id: task, was: 'Zero\nOne\nTwo\nThree\nFour', notes: '' });
    await settle(ida);
    assert.equal(ida.device.notes(task), '');
    await world.close();
  });

  test('[SEAL-367] has nothing that the server could read of its list: no name, no logo, no labels, and programs make none', async () => {
    const { world, ida, server, list } = await shared();
    const { link } = await publish(world, everything);
    const at = `sharing/lists/${list}/links`;
    const refused = async (call: string, body: unknown, code = 'encrypted') => {
      const answer = await world.call(ida, call, body);
      assert.deepEqual([answer.status >= 400, answer['code']], [true, code], JSON.stringify(answer));
      assert.match(String(answer['message']), /encrypted|key/);
    };
    await refused(`POST ${at}/${link.id}`, { name: 'canary' });
    await refused(`POST ${at}`, {});
    const keys = await ida.device.lists.publicLink(world.scope);
    assert.ok(keys.ok);
    await refused(`POST ${at}`, { keys: keys.value.keys, name: 'canary' });
    await refused(
      `POST ${at}`,
      { keys: { ...keys.value.keys, generation: FIRST_LIST_GENERATION + 1 } },
      'moved',
    );
    const logo = await server.ask(`/app/api/${at}/${link.id}/logo`, {
      method: 'POST',
      cookie: ida.office.session.cookie,
      raw: Buffer.from('89504e470d0a1a0a', 'hex'),
      headers: { 'content-type': 'image/png' },
    });
    assert.equal(logo.status, 409);
    const made = await ida.office.program('POST', `/api/lists/${list}/public_links`, {});
    assert.deepEqual([made['status'], made['code']], [409, 'encrypted'], JSON.stringify(made));
    const seen = await ida.office.program('GET', `/api/lists/${list}/public_links`);
    assert.deepEqual(
      (seen['public_links'] as { url: unknown }[]).map(({ url }) => url),
      [null],
    );
    const visitor = new PublicVisitor(server, await publish(world, everything));
    await visitor.look();
    assert.equal(visitor.list?.may.labels, false);
    // A list that isn't encrypted has no use for keys.
    const open = ida.device.add('open');
    await settle(ida);
    await refused(`POST sharing/lists/${open}/links`, { keys: keys.value.keys }, 'invalid');
    await world.close();
  });

  test('[SEAL-368] every member copies the same address, and none is shown that a server made up', async () => {
    const { world, ida, server } = await shared();
    const ben = await world.joined('ben');
    const [one, other] = [await publish(world), await publish(world)];
    const { links } = await linksOf(world, ben);
    const keys = links.flatMap(({ keys: each }) => (each === undefined ? [] : [each]));
    const secretsOf = async (asked: typeof keys, of = ben) => {
      const answer = await of.device.lists.publicSecrets(world.scope, asked);
      assert.ok(answer.ok);
      return answer.value;
    };
    assert.deepEqual(await secretsOf(keys), [one.secret, other.secret]);
    const phone = await another(ben);
    await settle(phone);
    assert.deepEqual(await secretsOf(keys, phone), [one.secret, other.secret]);
    const [first, second] = keys as [(typeof keys)[0], (typeof keys)[0]];
    const directory = await ida.office.listServer(world.scope).read();
    assert.ok(directory.ok && directory.value.directory);
    const [invitation] = Object.values(
      (
        JSON.parse(directory.value.directory.body) as {
          people: { links: Record<string, { secret: string }> };
        }
      ).people.links,
    );
    assert.ok(invitation);
    const made = [
      { ...first, secret: second.secret },
      { ...first, secret: invitation.secret },
      { ...first, wrap: second.wrap },
      { ...first, generation: first.generation + 1 },
    ];
    assert.deepEqual(await secretsOf(made), [null, null, null, null]);
    assert.ok(server);
    await world.close(phone.device);
  });

  test('[SEAL-369] is paused, deleted, and ended with the list as any other, and what visitors did is taken back', async () => {
    const { world, ida, server, task, list } = await shared();
    const { link, ...address } = await publish(world, everything);
    const visitor = new PublicVisitor(server, address);
    await visitor.look();
    await visitor.does({ do: 'title', id: task, title: `${SECRET} spoilt` });
    const added = await visitor.does({ do: 'add', key: newKey(), title: `${SECRET} rubbish` });
    await settle(ida);
    assert.equal(ida.device.name(task), `${SECRET} spoilt`);
    const at = `sharing/lists/${list}/links/${link.id}`;
    const undone = await world.call(ida, `POST ${at}/undo`, { minutes: 60 });
    assert.deepEqual([undone.status, undone['undone']], [200, 2], JSON.stringify(undone));
    await settle(ida);
    assert.equal(ida.device.name(task), `${SECRET} tickets`);
    assert.ok(fieldOf(ida.device.row(added?.id as Id), 'del'));
    // Something that nobody opens, in the form of what is sealed.
    const [sent] = visitor.sent.flatMap((each) => (each.do === 'title' ? [each] : []));
    const spoilt = Buffer.from(sent?.title.e ?? '', 'base64url').fill(7, 40);
    const garbage = { do: 'title', id: task, title: { e: spoilt.toString('base64url') } };
    assert.equal((await visitor.ask('/changes', garbage)).status, 200);
    await settle(ida);
    assert.ok(lockedOf(ida.device.row(task))?.['title']);
    assert.equal((await world.call(ida, `POST ${at}/undo`, { minutes: 60 }))['undone'], 1);
    await settle(ida);
    assert.equal(lockedOf(ida.device.row(task)), undefined);
    assert.equal(ida.device.name(task), `${SECRET} tickets`);
    assert.equal((await world.call(ida, `POST ${at}`, { isPaused: true })).status, 200);
    assert.equal((await visitor.ask('/tasks')).status, 403);
    assert.equal((await world.call(ida, `POST ${at}`, { isPaused: false })).status, 200);
    assert.equal(await visitor.look(), null);
    await ida.device.move(list, 'await');
    assert.equal((await world.call(ida, `POST sharing/lists/${list}/private`)).status, 200);
    await settle(ida, ida);
    assert.equal((await visitor.ask('/tasks')).status, 404);
    assert.equal(await world.has(SECRET), false);
    await world.close();
  });
});

describe('a public link of an encrypted list on PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());

  test('[SEAL-360] [SEAL-361] [SEAL-364] is opened, written by, and ended by a new key as on SQLite', async () => {
    const started = instance;
    assert.ok(started);
    const world = await World.open(async () =>
      openDatabase({ url: await started.createDatabase(), dataDir: '' }),
    );
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    /** An answer of this database takes longer than a turn of the loop. */
    const arrives = async (is: () => boolean | Promise<boolean>) => {
      for (let round = 0; round < 60 && !(await is()); round += 1) await settle(ida);
      assert.ok(await is());
    };
    await arrives(() => ida.device.engine.facts().pending.length === 0);
    await world.share();
    const until = (generation: number) =>
      arrives(async () => {
        const state = await world.state();
        return state?.phase === 'sealed' && state.generation === generation;
      });
    await until(FIRST_LIST_GENERATION);
    const { server } = ida.office;
    const visitor = new PublicVisitor(server, await publish(world, everything));
    assert.equal(await visitor.look(), null);
    const added = await visitor.does({ do: 'add', key: newKey(), title: `${SECRET} socks`, parent: task });
    await arrives(() => ida.device.name(added?.id as Id) === `${SECRET} socks`);
    assert.ok((await ida.device.lists.renew(world.scope)).ok);
    await until(FIRST_LIST_GENERATION + 1);
    assert.equal((await visitor.ask('/tasks')).status, 404);
    assert.equal((await linksOf(world)).links[0]?.isOutdated, true);
    const again = new PublicVisitor(server, await publish(world));
    assert.equal(await again.look(), null);
    assert.equal(again.titled(`${SECRET} socks`).parent, task);
    await world.close();
  });
});
