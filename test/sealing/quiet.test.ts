// What devices of encrypted accounts ask of a server beside each other: nothing that is known to be refused, and nothing about lists that their person
// has left. Whole server, real devices, every request counted.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { FIRST_LIST_GENERATION } from '#core/sealing/keys.ts';
import { another, SECRET, settle, World, type Somebody } from './encrypted-list.ts';
import { SealedDevice } from './sealed-device.ts';

/** Syncs devices at the same moment, until everything that was begun has come to its end. */
async function together(...people: readonly Somebody[]): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.all(people.map(({ device }) => device.sync()));
}

/** Requests that were refused, since the last look. */
function refused(...people: readonly Somebody[]): readonly string[] {
  return people.flatMap(({ office }) => office.answered.splice(0)).filter((line) => !/ 2\d\d$/.test(line));
}

async function shared() {
  const world = await World.open();
  const { ida } = world;
  world.ida.device.addTask(world.list, `${SECRET} tickets`);
  await settle(ida);
  const second = await another(ida);
  await settle(second);
  return { world, ida, second, list: world.list };
}

const lists = (of: Somebody, list: Id) => of.device.row(list) !== undefined;

describe('what devices of an encrypted account ask', () => {
  test('[SEAL-421] two devices that finish the same work at once are told so, and nothing of it is a refusal', async () => {
    const { world, ida, second, list } = await shared();
    assert.deepEqual(refused(ida), []);
    await world.share();
    await together(ida, second);
    assert.deepEqual(refused(ida), [], 'sharing it');
    const ben = await world.joined('ben');
    await together(ida, second, ben);
    assert.ok(lists(ben, list));
    assert.deepEqual(refused(ida, ben), [], 'somebody joins');
    await world.call(ida, `POST sharing/lists/${list}/members/${ben.office.account}/remove`);
    await together(ida, second);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION + 1 });
    assert.deepEqual(refused(ida), [], 'a new key');
    await world.close();
  });

  test('[SEAL-421] where nothing is under way, devices sync and ask nothing about keys', async () => {
    const { world, ida, second } = await shared();
    await world.share();
    const ben = await world.joined('ben');
    await together(ida, second, ben);
    for (const { office } of [ida, ben]) office.answered.splice(0);
    await together(ida, second, ben);
    const asked = [ida, ben].flatMap(({ office }) => office.answered.splice(0));
    assert.ok(asked.length > 0);
    const aboutKeys = (lines: readonly string[]) => lines.filter((line) => line.includes('/sealing/'));
    assert.deepEqual(aboutKeys(asked), []);
    const again = await new SealedDevice(ben.office, ben.device.disk).start();
    await settle(again);
    // Once in each start: whether the list has the public keys of its person.
    assert.deepEqual(aboutKeys(ben.office.answered), [`GET /sealing/v1/lists/${world.scope}/members 200`]);
    await world.close();
  });

  test('[SEAL-421] who asks to be told gets the state as an answer, and who doesn’t the error of before', async () => {
    const { world, ida } = await shared();
    const { directory } = (await (await ida.office.browse('/sealing/v1')).json()) as { directory: object };
    const again = await ida.office.browse('/sealing/v1/directory', { directory });
    assert.deepEqual([again.status, ((await again.json()) as { code: string }).code], [409, 'moved']);
    const told = await ida.office.browse('/sealing/v1/directory?moved=told', { directory });
    const answer = (await told.json()) as Readonly<Record<string, unknown>>;
    assert.deepEqual([told.status, answer['refused'], answer['directory']], [200, 'moved', directory]);
    const other = await ida.office.browse('/sealing/v1/directory?moved=toldX', { directory });
    assert.equal(other.status, 409);
    await world.close();
  });

  test('[SEAL-422] of a list that its person has left a device asks nothing, also after a restart', async () => {
    const { world, ida, list } = await shared();
    await world.share();
    const ben = await world.joined('ben');
    await settle(ida, ben);
    await world.call(ben, `POST sharing/lists/${list}/leave`);
    await settle(ben, ida);
    assert.ok(!lists(ben, list));
    ben.office.answered.splice(0);
    await settle(ben);
    const again = await new SealedDevice(ben.office, ben.device.disk).start();
    await settle(again);
    const about = ben.office.answered.filter((line) => line.includes(world.scope));
    assert.deepEqual(about, []);
    assert.deepEqual(refused(ben), []);
    await world.close();
  });
});
