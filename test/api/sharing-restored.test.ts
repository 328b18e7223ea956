// Comments and files of a shared list on a server that was put back to an older state: who may bring back what.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { openToOffers } from '#server/sync/recovery.ts';
import { type Person, shareWithBen } from '../sharing.ts';

const newId = () => crypto.randomUUID() as Id;

describe('comments of a restored server', () => {
  let stage: Awaited<ReturnType<typeof shareWithBen>>;
  before(async () => {
    stage = await shareWithBen();
    const { store } = stage.server.database;
    const found = { now: stage.server.clock.now(), generation: Infinity, isWithin: true };
    assert.ok(await store.write((tx) => openToOffers(tx, stage.scope, found)));
  });
  after(() => stage.server.close());

  const said = (task: Id, text: string, id = newId()) => ({
    a: 'create',
    id,
    scope: stage.scope,
    type: 'comment',
    fields: { text },
    place: { parent: task },
  });

  /** What a person's device holds of a row. */
  async function heldBy(person: Person, id: Id) {
    const { f } = must((await person.rows(stage.scope)).get(id), 'the row');
    const { place, ...fields } = f as Record<string, unknown>;
    return { place, fields };
  }

  /** The database of before the row was written. */
  async function lose(id: Id): Promise<void> {
    const { db } = stage.server.database;
    await db.deleteFrom('entity').where('id', '=', id).execute();
    await db.deleteFrom('directory').where('id', '=', id).execute();
  }

  const offer = (id: Id, type: string, fields: Record<string, unknown>, task: Id) => {
    const head = { a: 'reoffer', id, scope: stage.scope, type, fields, place: { parent: task } };
    return { ...head, at: stage.server.clock.now(), times: {}, createdAt: 1 };
  };

  test('[SHARE-295] any member brings back a comment as it was, and nobody one as it never was', async () => {
    const { ann, ben, tasks } = stage;
    const [task] = tasks;
    const comment = said(task, 'I pay for it');
    await ann.act(comment);
    const { fields } = await heldBy(ben, comment.id);
    assert.equal(fields['author'], ann.account);
    await lose(comment.id);
    const forged = [
      offer(comment.id, 'comment', { ...fields, text: 'I pay for all of it' }, task),
      offer(comment.id, 'comment', { ...fields, seal: undefined }, task),
      offer(comment.id, 'comment', { ...fields, del: { at: 1, by: ann.account } }, task),
      offer(newId(), 'comment', fields, task),
      offer(newId(), 'comment', { text: 'I pay', author: ann.account }, task),
    ];
    assert.deepEqual(
      await ben.verdicts(...forged),
      forged.map(() => 'forbidden'),
    );
    assert.deepEqual(await ben.verdicts(offer(comment.id, 'comment', fields, task)), ['ok']);
    assert.deepEqual((await heldBy(ann, comment.id)).fields, fields);
    // Nor does anybody else change or remove what is there.
    const late = { ...fields, text: 'I pay twice' };
    assert.deepEqual(await ben.verdicts(offer(comment.id, 'comment', late, task)), ['forbidden']);
    const removed = { ...fields, del: { at: 1, by: ann.account } };
    assert.deepEqual(await ben.verdicts(offer(comment.id, 'comment', removed, task)), ['forbidden']);
  });

  test('[SHARE-295] its author brings back what they like as their own, also without a seal', async () => {
    const { ann, ben, tasks } = stage;
    const id = newId();
    const [task] = tasks;
    assert.deepEqual(await ben.verdicts(offer(id, 'comment', { text: 'Mine' }, task)), ['ok']);
    assert.equal((await heldBy(ann, id)).fields['author'], ben.account);
    await ben.act({ a: 'set', id, scope: stage.scope, field: 'text', value: 'Mine, changed' });
    const { fields } = await heldBy(ann, id);
    await lose(id);
    assert.deepEqual(await ann.verdicts(offer(id, 'comment', fields, task)), ['ok']);
    assert.equal((await heldBy(ben, id)).fields['text'], 'Mine, changed');
    // A later change and a deletion of the author come back from others, too.
    await ben.act({ a: 'delete', id, scope: stage.scope });
    const { fields: deleted } = await heldBy(ann, id);
    await lose(id);
    await ann.act(offer(id, 'comment', fields, task));
    assert.deepEqual(await ann.verdicts(offer(id, 'comment', deleted, task)), ['ok']);
    assert.ok((await heldBy(ben, id)).fields['del']);
  });

  test('[SHARE-295] nobody writes the seal but the server', async () => {
    const { ann, tasks, scope } = stage;
    const comment = said(tasks[1], 'Sealed');
    await ann.act(comment);
    assert.match(String((await heldBy(ann, comment.id)).fields['seal']), /^[\w-]{43}$/);
    const set = { a: 'set', id: comment.id, scope, field: 'seal', value: 'x' };
    assert.deepEqual(await ann.verdicts(set), ['forbidden']);
  });

  test('[SHARE-296] what is on a task that its device may not read anymore is refused, for Recovered', async () => {
    const { ann, ben, list, scope } = stage;
    const task = await ann.task('Away', list);
    const comment = said(task, 'Where to?');
    await ben.act(comment);
    const { fields } = await heldBy(ben, comment.id);
    await lose(comment.id);
    const own = await ann.list('Mine');
    await ann.act({ a: 'place', id: task, scope, place: { parent: own } });
    const hash = 'a'.repeat(64);
    const verdicts = await ben.verdicts(
      offer(comment.id, 'comment', fields, task),
      offer(newId(), 'attachment', { name: 'map.pdf', hash, sizeBytes: 3 }, task),
    );
    assert.deepEqual(verdicts, ['badparent', 'badparent']);
    assert.equal((await ann.rows()).get(comment.id), undefined);
  });
});
