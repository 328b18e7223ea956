// A server that lies about a list that stays encrypted: it adds members, swaps public keys, and gives directories of its own. Nobody gets the key who
// wasn't let in by a member, and no device takes another key for the list's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAccountKey, FIRST_LIST_GENERATION } from '#core/sealing/keys.ts';
import { identityOf } from '#core/sealing/identity.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { uncheckedDirectory } from '#sync/sealing/directory.ts';
import { another, SECRET, settle, World, type Somebody } from './encrypted-list.ts';
import { seeded } from './material.ts';
import { SealedDevice, newDisk } from './sealed-device.ts';

/** How everybody stands, by account, as a device sees it. */
async function standingsAt({ device }: Somebody, scope: World['scope']) {
  const people = await device.lists.people(scope);
  assert.ok(people.ok, JSON.stringify(people));
  return new Map(people.value.map((person) => [person.account, person]));
}

describe('a server that lies about a list that stays encrypted', () => {
  test('[SEAL-250] who is only its member has no key, is shown, and is let in by their words alone', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    await settle(ida);
    await world.share();
    const eve = await world.comes('eve');
    await world.joins(eve, { ...(await world.link()), secret: null });
    await settle(eve, ida, eve);
    assert.notEqual(eve.device.name(task), `${SECRET} tickets`);
    assert.ok(lockedOf(eve.device.row(task)), 'the row is here, and locked');
    const [there, here] = [await standingsAt(ida, world.scope), eve.office.account];
    const shown = there.get(here);
    assert.equal(shown?.standing, 'stranger');
    assert.equal(there.get(ida.office.account)?.standing, 'member');
    const renewed = await ida.device.lists.renew(world.scope);
    assert.ok(renewed.ok, JSON.stringify(renewed));
    await settle(ida, eve);
    assert.ok(lockedOf(eve.device.row(task)), 'nor does a new key reach her');
    assert.deepEqual(await ida.device.lists.letIn(world.scope, here, ['other', 'words']), {
      ok: false,
      problem: { type: 'changed' },
    });
    const identity = eve.device.keys.key && identityOf(eve.device.keys.key, here).shown;
    assert.ok(identity && shown?.words);
    assert.ok((await ida.device.lists.letIn(world.scope, here, shown.words)).ok);
    await settle(eve);
    assert.equal(eve.device.name(task), `${SECRET} tickets`);
    const atEve = (await standingsAt(eve, world.scope)).get(ida.office.account);
    assert.deepEqual(atEve?.words, shown.words, 'both see the same words');
    await world.close();
  });

  test('[SEAL-251] public keys that were swapped are shown, and nothing is wrapped for them', async () => {
    const world = await World.open();
    const { ida, list } = world;
    await world.share();
    const ben = await world.joined('ben');
    const { account } = ben.office;
    const evil = identityOf(newAccountKey(seeded('evil')), account);
    await world.ida.office.server.database.db
      .updateTable('identity')
      .set(evil.shown)
      .where('account', '=', account)
      .execute();
    assert.equal((await standingsAt(ida, world.scope)).get(account)?.standing, 'changed');
    assert.ok((await ida.device.lists.renew(world.scope)).ok);
    const said = await ida.office.listServer(world.scope).read();
    assert.ok(said.ok && said.value.directory);
    const members = uncheckedDirectory(said.value.directory)?.people?.members ?? {};
    assert.deepEqual(Object.keys(members), [String(ida.office.account)]);
    assert.ok(JSON.stringify(members).includes(evil.shown.agree) === false);
    void list;
    await world.close();
  });

  test('[SEAL-252] a directory that the server wrote itself is followed by no device', async () => {
    const world = await World.open();
    const { ida, list } = world;
    await world.share();
    const ben = await world.joined('ben');
    const { db } = ida.office.server.database;
    // The server founds keys of its own for the same scope, as a later directory.
    const mallory = await new SealedDevice(
      await ida.office.neighbour('mallory@example.org'),
      newDisk(),
    ).start();
    await mallory.turnOn();
    const founded = await mallory.lists.found();
    assert.ok(founded.ok);
    const own = await ida.office.listServer(world.scope).read();
    assert.ok(own.ok && own.value.directory);
    const fake = founded.value.directory.body.replaceAll(founded.value.scope, world.scope);
    await db
      .updateTable('sealing')
      .set({ directory: fake.replace('"n":1', '"n":99'), number: 99 })
      .where('scope', '=', world.scope)
      .execute();
    const made = ben.device.addTask(list, `${SECRET} still`);
    await settle(ben, ida);
    assert.equal(ida.device.name(made), `${SECRET} still`, 'both go on with the key they know');
    const keys = await ben.device.listKeys(world.scope);
    assert.equal(keys.state.generation, FIRST_LIST_GENERATION);
    const phone = await another(ben);
    await settle(phone);
    assert.equal((await phone.device.listKeys(world.scope)).key, null, 'and a new device takes none');
    await world.close(phone.device, mallory);
  });
});
