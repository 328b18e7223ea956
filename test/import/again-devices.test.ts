// One file imported on several devices, and again after everything of it was deleted for good: the engine as it runs in the app, before a
// test server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { makeAnew } from '#client/importing/anew.ts';
import { directImporter } from '#client/importing/direct.ts';
import { Standing } from '#client/importing/standing.ts';
import { labelName, labelsIn, shelves } from '#client/labels/catalog.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { createTestServer } from '../api/harness.ts';
import { Device } from '../shared-devices.ts';
import { Person, told } from '../sharing.ts';
import { bytesOf, context } from './files.ts';

const COUNT = 60;

const backup = (count = COUNT) =>
  JSON.stringify({
    projects: [{ id: 'p1', name: 'House', child_order: 1 }],
    sections: [],
    labels: [{ id: 'l1', name: 'errand', color: 'blue' }],
    items: Array.from({ length: count }, (_, at) => ({
      id: `i${at}`,
      content: `Task ${at}`,
      project_id: 'p1',
      parent_id: at % 5 === 0 ? null : `i${at - (at % 5)}`,
      child_order: at,
      priority: 1,
      labels: ['errand'],
      is_collapsed: at % 10 === 0,
    })),
    notes: [],
  });

/** What importing the text would do on this device. */
async function standingOf({ engine, newId }: Device, text: string): Promise<Standing> {
  const { replica } = engine;
  const { phrase } = context();
  const importer = directImporter({ newId });
  const bytes = bytesOf(text);
  const source = { name: 'todoist.json', size: bytes.length, content: bytes };
  await importer.read([source], { phrase, eveningHour: 18 }, () => undefined);
  const options = {
    hasPriorities: true,
    hasCompleted: true,
    somedayIsList: false,
    topIsLists: false,
    isInto: false,
    without: [],
  };
  const planned = await importer.plan(options, {
    scope: replica.scope,
    inbox: inboxId(replica.scope),
    phrase,
    labels: labelsIn(replica, replica.scope).map(({ row }) => ({
      id: row.id,
      name: labelName(row),
      group: null,
    })),
    groups: shelves(replica).flatMap(({ group }) =>
      group === null ? [] : [{ id: group.id, name: labelName(group), group: null }],
    ),
    colors: ['#112233'],
  });
  assert.ok(planned.ok);
  const standing = new Standing(replica, { restores: false });
  standing.add(await importer.portion(0, planned.value.size));
  standing.finish();
  return standing;
}

async function importOn(device: Device, text: string, batches = Number.MAX_SAFE_INTEGER): Promise<Id> {
  const { actions } = await standingOf(device, text);
  const { replica } = device.engine;
  const group = replica.newId();
  for (let at = 0; at < Math.min(batches * 10, actions.length); at += 10)
    replica.issue(actions.slice(at, at + 10), { group, atomic: true });
  return group;
}

/** As the app does when the server has refused something. */
function hearRefusals({ engine }: Device): void {
  const { replica } = engine;
  const change = (actions: Parameters<typeof replica.issue>[0], _: string, { group }: { group?: Id } = {}) =>
    replica.issue(actions, group === undefined ? {} : { group });
  const program = { replica, engine, change } as unknown as Parameters<typeof makeAnew>[0];
  makeAnew(program, engine.recovered.get());
}

const tasksOn = ({ engine }: Device) =>
  [...engine.replica.all()].filter((row) => row.type === 'task' && !isTrashed(row));
const outlineOf = (device: Device) => device.outline(listsRoot(device.engine.replica.scope));

async function withDevices(work: (person: Person, one: Device, two: Device) => Promise<void>): Promise<void> {
  const server = await createTestServer();
  const person = await Person.come(server, 'ann@example.org');
  const [one, two] = [await Device.of(person), await Device.of(person)];
  try {
    await work(person, one, two);
  } finally {
    await Promise.all([one.close(), two.close()]);
    await server.close();
  }
}

describe('one import on several devices', () => {
  test('[IMPORT-115] imported at the same time on two devices it makes one set, and nothing is refused', () =>
    withDevices(async (_, one, two) => {
      await importOn(one, backup());
      await importOn(two, backup());
      await one.meet();
      await two.meet();
      await one.meet();
      for (const device of [one, two]) {
        assert.equal(tasksOn(device).length, COUNT);
        assert.deepEqual(device.recovered(), []);
        const { actions } = await standingOf(device, backup());
        assert.deepEqual(actions, []);
      }
      assert.equal(outlineOf(one), outlineOf(two));
    }));

  test('[IMPORT-115] cut off after some batches it goes on from there, also on another device', () =>
    withDevices(async (_, one, two) => {
      await importOn(one, backup(), 3);
      const came = tasksOn(one).length;
      assert.ok(came > 0 && came < COUNT);
      await one.meet();
      await two.meet();
      const rest = await standingOf(two, backup());
      assert.equal(rest.counts.fresh, COUNT - came);
      await importOn(two, backup());
      await two.meet();
      await one.meet();
      assert.equal(tasksOn(one).length, COUNT);
      assert.deepEqual([one.recovered(), two.recovered()], [[], []]);
      assert.deepEqual((await standingOf(one, backup())).actions, []);
    }));
});

describe('an import of what was deleted for good', () => {
  test('[IMPORT-114] it comes again under other ids, with its labels and its tree, and again after that changes nothing', () =>
    withDevices(async (person, one, two) => {
      await importOn(one, backup());
      await one.meet();
      const before = outlineOf(one);
      const { replica } = one.engine;
      const parts = [...replica.all()].filter(
        (row) =>
          ['label', 'labelGroup', 'list', 'task'].includes(row.type) && fieldOf(row, 'listType') !== 'inbox',
      );
      for (const { id } of parts.toReversed()) one.do({ a: 'delete', id });
      await one.meet();
      const items = parts.flatMap(({ id }) => {
        const del = fieldOf(replica.row(id), 'del');
        return del === undefined ? [] : [{ id, at: del.at }];
      });
      await told(person.call('POST trash', { items }));
      await one.meet();
      await two.meet();
      assert.deepEqual([tasksOn(one).length, tasksOn(two).length, outlineOf(two)], [0, 0, 'Inbox']);

      // A device that has never held them.
      await importOn(two, backup());
      for (let round = 0; round < 4; round += 1) {
        await two.meet();
        hearRefusals(two);
      }
      await two.meet();
      assert.deepEqual(two.recovered(), []);
      assert.equal(outlineOf(two), before);
      const [label] = labelsIn(two.engine.replica, two.engine.replica.scope);
      assert.ok(label);
      for (const row of tasksOn(two))
        assert.deepEqual(
          Object.entries(row.fields).flatMap(([name, value]) =>
            name.startsWith('label:') && value === true ? [name] : [],
          ),
          [`label:${label.row.id}`],
        );
      await one.meet();
      assert.equal(outlineOf(one), before);
      for (const device of [one, two]) {
        const again = await standingOf(device, backup());
        assert.deepEqual([again.counts.same, again.actions], [COUNT, []]);
        const newer = await standingOf(device, backup(COUNT + 1));
        assert.equal(newer.counts.fresh, 1);
      }
    }));
});
