// A server that lies about a list that stays encrypted: it adds members, swaps public keys, and gives directories of its own. Nobody gets the key who
// wasn't let in by a member, and no device takes another key for the list's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { identityOf, type PublicIdentity } from '#core/sealing/identity.ts';
import { FIRST_LIST_GENERATION, newAccountKey, newGenerationKey, ownerOfList } from '#core/sealing/keys.ts';
import { wrapGeneration } from '#core/sealing/wraps.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { uncheckedDirectory, writeDirectory, type SealedDirectory } from '#sync/sealing/directory.ts';
import { keyFor, memberOf, voucherOf } from '#sync/sealing/lists/list-people.ts';
import type { ScopeSealing } from '#sync/sealing/scope-state.ts';
import { another, SECRET, settle, World, type Somebody } from './encrypted-list.ts';
import { seeded } from './material.ts';

/** A directory with a key of the server's own, well made: the person is a member of it, let in by another one under public keys of the server. */
function forgedFor(
  { office, device }: Somebody,
  other: Somebody,
  { scope, state }: { readonly scope: Id; readonly state: ScopeSealing },
): SealedDirectory {
  const random = seeded('forged');
  const key = newAccountKey(random);
  const owner = ownerOfList(scope);
  const of = { scope, generation: state.generation };
  const evil = {
    account: other.office.account,
    identity: identityOf(newAccountKey(random), other.office.account),
  };
  assert.ok(device.keys.key);
  const real = identityOf(device.keys.key, office.account).shown;
  const entry = (to: { readonly account: number } & PublicIdentity) => {
    const wrapped = keyFor(key, of, { to, by: evil, random });
    assert.ok(wrapped);
    return memberOf(scope, to, wrapped, voucherOf(evil));
  };
  const members = {
    [evil.account]: entry({ account: evil.account, ...evil.identity.shown }),
    [office.account]: entry({ account: office.account, ...real }),
  };
  const wrap = wrapGeneration(
    newGenerationKey(random),
    key,
    { ...owner, generation: state.generation },
    random,
  );
  const generations = { [state.generation]: wrap };
  const people = { founder: evil.account, members, links: {} };
  return writeDirectory(key, { ...owner, n: 99, state, generations, people });
}

/** The server gives this in the place of the list's directory. */
async function instead({ ida, scope }: World, { body, mac }: SealedDirectory): Promise<void> {
  const { db } = ida.office.server.database;
  const { generation } = uncheckedDirectory({ body, mac })?.state ?? {};
  await db
    .updateTable('sealing')
    .set({ directory: body, mac, number: 99 })
    .where('scope', '=', scope)
    .execute();
  await db.updateTable('scope').set({ sealing_generation: generation }).where('id', '=', scope).execute();
}

/** How everybody stands, by account, as a device sees it. */
async function standingsAt({ device }: Somebody, scope: World['scope']) {
  const people = await device.lists.people(scope);
  assert.ok(people.ok, JSON.stringify(people));
  return new Map(people.value.map((person) => [person.account, person]));
}

/** Neither a device that knows the list takes the key of such a directory, nor a new one of the same account. */
async function followsNone(
  { scope, ida: { office } }: World,
  { ben, list }: { readonly ben: Somebody; readonly list: Id },
  generation: number,
): Promise<void> {
  const before = (await ben.device.listKeys(scope)).key;
  const made = ben.device.addTask(list, `${SECRET} still`);
  await settle(ben);
  const keys = await ben.device.listKeys(scope);
  assert.deepEqual(keys.key, before);
  assert.equal(keys.state.generation, FIRST_LIST_GENERATION);
  const there = (await office.server.database.store.snapshot(scope, null, 1_000)).some(
    ({ id }) => id === made,
  );
  assert.equal(
    there,
    generation === FIRST_LIST_GENERATION,
    'what is written waits, or goes with the known key',
  );
  const phone = await another(ben);
  await settle(phone);
  assert.equal((await phone.device.listKeys(scope)).key, null);
  await phone.device.close();
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
    const before = (await standingsAt(eve, world.scope)).get(ida.office.account);
    assert.deepEqual(
      [before?.standing, before?.words],
      ['unsure', shown?.words],
      'she sees the words as well',
    );
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
    assert.equal(
      members[account]?.agree,
      ben.device.keys.key && identityOf(ben.device.keys.key, account).shown.agree,
    );
    assert.ok(JSON.stringify(members).includes(evil.shown.agree) === false);
    const made = ida.device.addTask(list, `${SECRET} since`);
    await settle(ida, ben);
    assert.equal(ben.device.name(made), `${SECRET} since`, 'by the key that was known he goes on');
    await world.close();
  });

  test('[SEAL-252] a directory that the server wrote itself is followed by no device', async () => {
    const world = await World.open();
    const { ida, list } = world;
    await world.share();
    const ben = await world.joined('ben');
    const genuine = await ida.office.listServer(world.scope).read();
    assert.ok(genuine.ok && genuine.value.directory);
    const { state } = genuine.value;
    for (const generation of [state.generation, state.generation + 1]) {
      const forged = forgedFor(ben, ida, { scope: world.scope, state: { ...state, generation } });
      await instead(world, forged);
      await followsNone(world, { ben, list }, generation);
    }
    await world.close();
  });

  test('[SEAL-254] whoever writes over its directory without the key stops nothing, and no other list is made one', async () => {
    const world = await World.open();
    const { ida, list } = world;
    await world.share();
    const ben = await world.joined('ben');
    const eve = await world.comes('eve');
    await world.joins(eve, { ...(await world.link()), secret: null });
    const server = eve.office.listServer(world.scope);
    const read = await server.read();
    assert.ok(read.ok && read.value.directory);
    const junk = (n: number) => ({ body: JSON.stringify({ n, state: read.value.state }), mac: 'junk' });
    assert.equal(
      (await server.tell(junk(Number.MAX_SAFE_INTEGER))).ok,
      false,
      'no number is left for nobody',
    );
    assert.ok((await server.tell(junk(900))).ok);
    assert.ok((await ida.device.lists.people(world.scope)).ok);
    const phone = await another(ben);
    await settle(phone, ida);
    const made = phone.device.addTask(list, `${SECRET} of Ben`);
    await settle(phone, ida);
    assert.equal(ida.device.name(made), `${SECRET} of Ben`);
    const { link } = await world.call(ida, `GET sharing/lists/${list}`);
    assert.ok(link);
    // A list that isn't encrypted can't be locked by one of its people.
    const other = ida.device.add('open to all');
    await settle(ida);
    await ida.device.move(other, 'open');
    await world.call(ida, `POST sharing/lists/${other}`);
    await settle(ida, ida);
    const scope = ida.device.row(other)?.scope;
    assert.ok(scope !== undefined && scope !== ida.office.scope);
    const founded = await ida.device.lists.found();
    assert.ok(founded.ok);
    const directory = { ...founded.value.directory };
    const step = { from: { phase: 'plain', generation: 0 }, step: 'catch-up', directory } as const;
    const refused = await ida.office.listServer(scope).step(step);
    assert.equal(refused.ok, false);
    assert.equal((await ida.office.server.database.store.scope(scope))?.sealing, undefined);
    await world.close(phone.device);
  });

  test('[SEAL-259] a server that has forgotten that it is encrypted, or says so, gets nothing in the open, and is told again', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    await settle(ida);
    await world.share();
    const ben = await world.joined('ben');
    const { db } = ida.office.server.database;
    const plain = { sealing_phase: 'plain', sealing_generation: 0 } as const;
    await db.updateTable('scope').set(plain).where('id', '=', world.scope).execute();
    await db.deleteFrom('sealing').where('scope', '=', world.scope).execute();
    ben.device.rename(task, `${SECRET} two tickets`);
    const made = ben.device.addTask(list, `${SECRET} made meanwhile`);
    await settle(ben, ida, ben, ida);
    assert.equal(await world.has(SECRET), false);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION });
    assert.deepEqual(await world.left(), []);
    for (const { device } of [ida, ben]) {
      assert.equal(device.name(task), `${SECRET} two tickets`);
      assert.equal(device.name(made), `${SECRET} made meanwhile`);
      assert.deepEqual(device.engine.recovered.get(), []);
    }
    await world.close();
  });
});
