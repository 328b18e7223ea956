// Labels of lists that stay encrypted, on tasks that have left their list: a device gives them the labels of where they are, by name. Whole server, real
// devices; the app's own function does it, as its part does when rows change.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strayLabels } from '#client/labels/stray-labels.ts';
import { labelsRoot, type Id } from '#core/ids.ts';
import { labelsNamedOn } from '#sync/rows/label-mapping.ts';
import { another, SECRET, settle, until, World, type Somebody } from './encrypted-list.ts';
import { callSharing, joinList, told } from '../sharing.ts';

const place = ({ device }: Somebody, id: Id, parent: Id) =>
  device.engine.replica.issue([{ a: 'place', id, place: { parent } }]).verdicts;

function label({ device }: Somebody, scope: Id, name: string): Id {
  const { replica } = device.engine;
  const id = replica.newId();
  const fields = { name: `${SECRET} ${name}` };
  replica.issue([{ a: 'create', id, type: 'label', fields, place: { parent: labelsRoot(scope) } }] as never);
  return id;
}

const put = ({ device }: Somebody, task: Id, ...labels: readonly Id[]) =>
  device.engine.replica.issue(
    labels.map((id) => ({ a: 'set', id: task, field: `label:${id}`, value: true })) as never,
  );

const byText = (one: unknown, other: unknown) => String(one).localeCompare(String(other));

/** Names of the labels on a task, each with the scope that the label is in. */
function labelsOf({ device }: Somebody, task: Id): readonly (readonly [unknown, Id | undefined])[] {
  const row = device.row(task);
  const named = row === undefined ? [] : labelsNamedOn(row).filter(({ isOn }) => isOn);
  return named
    .map(({ label: id }) => [device.name(id), device.row(id)?.scope] as const)
    .toSorted(([one], [other]) => byText(one, other));
}

/** What the app does when rows have changed. `moved`: tasks that this device has moved. Returns how much there was to do. */
function settleLabels({ device }: Somebody, ...moved: readonly Id[]): number {
  const { replica } = device.engine;
  const { lists = {}, isApart } = device.engine.facts();
  const actions = strayLabels(replica, replica.all(), { lists, isApart, moved: new Set(moved) });
  if (actions.length > 0) replica.issue(actions);
  return actions.length;
}

/** Ida with an encrypted list that Ben has joined; a task in it has its labels red and blue, and Ida has a red of her own. */
async function labeled() {
  const world = await World.open();
  const { ida, list } = world;
  await world.share();
  const ben = await world.joined('ben');
  const [red, blue] = [label(ida, world.scope, 'red'), label(ida, world.scope, 'blue')];
  const mine = label(ida, ida.office.scope, 'red');
  const task = ida.device.addTask(list, `${SECRET} room`);
  put(ida, task, red, blue);
  await settle(ida, ben);
  return { world, ida, ben, list, task, red, blue, mine };
}

describe('labels of an encrypted list on tasks that have left it', () => {
  test('[SEAL-404] become the person’s own with a list that is made private: a namesake is taken, another one made', async () => {
    const { world, ida, list, task, mine } = await labeled();
    assert.equal(settleLabels(ida), 0, 'nothing is done while the list is as it is');
    await ida.device.move(list, 'await');
    const back = await world.call(ida, `POST sharing/lists/${list}/private`);
    assert.equal(back.status, 200, JSON.stringify(back));
    const own = ida.office.scope;
    await until(() => ida.device.row(task)?.scope === own, ida);
    // Two devices do it at once, and there is one label of each name.
    const phone = await another(ida);
    await settle(phone);
    await phone.device.sync();
    phone.device.isOnline = false;
    assert.ok(settleLabels(ida) > 0);
    await settle(ida);
    settleLabels(phone);
    phone.device.isOnline = true;
    await settle(phone, ida, phone);
    for (const each of [ida, phone]) {
      assert.deepEqual(labelsOf(each, task), [
        [`${SECRET} blue`, own],
        [`${SECRET} red`, own],
      ]);
      const names = [...each.device.engine.replica.children(labelsRoot(own))].map(({ id }) =>
        each.device.name(id),
      );
      assert.deepEqual(names.toSorted(byText), [`${SECRET} blue`, `${SECRET} red`]);
      assert.equal(settleLabels(each), 0);
      assert.deepEqual(each.device.engine.recovered.get(), []);
    }
    assert.ok(
      labelsNamedOn(ida.device.row(task) as never).some(({ label: id, isOn }) => id === mine && isOn),
    );
    assert.equal(await world.has(SECRET), false, 'the server reads none of their names');
    await world.close(phone.device);
  });

  test('[SEAL-405] become those of the list that the task is moved to, which people there read who aren’t in the first', async () => {
    const { world, ida, ben, task } = await labeled();
    const other = ida.device.add(`${SECRET} second`);
    await settle(ida);
    await until(() => ida.device.engine.facts().pending.length === 0, ida);
    const founded = await ida.device.lists.found();
    assert.ok(founded.ok);
    const { scope, directory } = founded.value;
    const shared = await world.call(ida, `POST sharing/lists/${other}/encrypted`, { scope, directory });
    assert.equal(shared.status, 200, JSON.stringify(shared));
    await settle(ida);
    const cyn = await world.comes('cyn');
    const { link } = await told(
      callSharing(ida.office.server, ida.office.session, `GET sharing/lists/${other}`),
    );
    const secret = await ida.device.lists.secretOf(scope);
    assert.ok(secret.ok);
    await joinList(cyn.office.server, cyn.office.session, (link as { token: string }).token);
    assert.ok((await cyn.device.lists.join(scope, secret.value)).ok);
    await settle(cyn, ida);
    assert.deepEqual(place(ida, task, other), ['ok']);
    assert.equal(settleLabels(ida, task), 0, 'the server hasn’t moved it yet');
    await until(() => ida.device.row(task)?.scope === scope, ida);
    assert.equal(settleLabels(ida), 0, 'no server has a name written where others read it');
    assert.ok(settleLabels(ida, task) > 0);
    await settle(ida, cyn);
    for (const each of [ida, cyn])
      assert.deepEqual(labelsOf(each, task), [
        [`${SECRET} blue`, scope],
        [`${SECRET} red`, scope],
      ]);
    // And back: by their names they are those of the first list again.
    assert.deepEqual(place(ida, task, world.list), ['ok']);
    await until(() => ida.device.row(task)?.scope === world.scope, ida);
    settleLabels(ida, task);
    await settle(ida, ben);
    for (const each of [ida, ben])
      assert.deepEqual(labelsOf(each, task), [
        [`${SECRET} blue`, world.scope],
        [`${SECRET} red`, world.scope],
      ]);
    assert.equal(await world.has(SECRET), false);
    await world.close();
  });

  test('[SEAL-405] also in a list that is shared in the open, and one’s own labels stay one’s own', async () => {
    const { world, ida, ben, task, mine } = await labeled();
    const open = ida.device.add('Plain list');
    await settle(ida);
    await ida.device.move(open, 'open');
    const shared = await world.call(ida, `POST sharing/lists/${open}`);
    assert.equal(shared.status, 200, JSON.stringify(shared));
    await until(() => ida.device.row(open)?.scope !== ida.office.scope, ida);
    const scope = ida.device.row(open)?.scope as Id;
    const stays = ida.device.addTask(world.list, `${SECRET} stays`);
    put(ida, stays, mine);
    await settle(ida);
    assert.deepEqual(place(ida, task, open), ['ok']);
    await until(() => ida.device.row(task)?.scope === scope, ida);
    assert.equal(settleLabels(ida), 0, 'no server has a name written where others read it');
    assert.ok(settleLabels(ida, task) > 0);
    await settle(ida, ben);
    assert.deepEqual(labelsOf(ida, task), [
      [`${SECRET} blue`, scope],
      [`${SECRET} red`, scope],
    ]);
    assert.deepEqual(labelsOf(ida, stays), [[`${SECRET} red`, ida.office.scope]]);
    assert.deepEqual(ida.device.engine.recovered.get(), []);
    await world.close();
  });
});
