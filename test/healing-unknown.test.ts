// A server that was put back to an older state, and the only device that still holds what it lost: one that does not know
// the type of it.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inboxId, labelsRoot, settingId, type Id } from '#core/ids.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import { newId, RestoredWorld } from './restored-world.ts';

describe('[SYNC-29] [SYNC-70] a restored server and a device that does not know what it holds', () => {
  let world: RestoredWorld;
  afterEach(() => world.close());

  it('gets back creations, edits, moves and deletions of such rows, and what they stand beside', async () => {
    world = await RestoredWorld.make();
    const knowing = await world.device();
    const { scope } = world;
    const label = (name: string): Id => {
      const id = newId();
      const place = { parent: labelsRoot(scope) };
      knowing.issue({ a: 'create', id, type: 'label', fields: { name }, place });
      return id;
    };
    const old = label('old');
    await knowing.synced();
    const backup = await world.backup();
    const unknowing = await world.device(new Set(['label', 'setting']));
    const [group, second, gone] = [newId(), label('second'), label('gone')];
    const theme = settingId(scope, 'theme');
    knowing.issue(
      { a: 'create', id: theme, type: 'setting', fields: { key: 'theme', value: 'dark' } },
      {
        a: 'create',
        id: group,
        type: 'labelGroup',
        fields: { name: 'group' },
        place: { parent: labelsRoot(scope) },
      },
      { a: 'set', id: old, field: 'name', value: 'new' },
      { a: 'place', id: second, place: { parent: group } },
      { a: 'delete', id: gone },
    );
    await knowing.synced();
    await unknowing.synced();
    const task = unknowing.task('its own', inboxId(scope));
    await unknowing.synced();
    await knowing.stop();
    world.devices.splice(world.devices.indexOf(knowing), 1);
    await world.restore(backup);
    assert.equal((await world.rows()).has(second), false);
    await world.settle();
    const rows = await world.rows();
    const fields = (id: Id) => registersOf(rows.get(id));
    assert.equal(fields(old)['name'], 'new');
    assert.deepEqual([fields(second)['name'], fieldOf(rows.get(second), 'place')?.parent], ['second', group]);
    assert.ok(fieldOf(rows.get(gone), 'del'));
    assert.equal(fields(theme)['value'], 'dark');
    assert.equal(fields(task)['title'], 'its own');
    assert.deepEqual(unknowing.engine.recovered.get(), []);
    const late = await world.device();
    await world.settle();
    assert.equal(fieldOf(late.engine.replica.row(second), 'name'), 'second');
  });

  it('reads them again from its own disk, and nothing from the server', async () => {
    world = await RestoredWorld.make();
    const knowing = await world.device();
    const id = newId();
    const place = { parent: labelsRoot(world.scope) };
    knowing.issue({ a: 'create', id, type: 'label', fields: { name: 'urgent' }, place });
    await knowing.synced();
    const unknowing = await world.device(new Set(['label']));
    await unknowing.synced();
    await unknowing.stop();
    unknowing.sent.length = 0;
    await unknowing.start();
    knowing.task('news');
    await world.settle();
    assert.ok(unknowing.sent.every(({ cursors }) => (cursors[world.scope]?.version ?? 0) > 0));
    assert.equal(unknowing.engine.facts().digest, 'equal');
    assert.equal(unknowing.engine.replica.row(id), undefined);
  });
});
