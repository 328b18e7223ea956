// Notes on every engine, over the doors devices use: edits that merge, texts that were replaced, and notes that come to rest.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, type Id } from '#core/ids.ts';
import type { Database } from '#server/data/database.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { type NoteDoc, seedOf } from '#sync/notes/note.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { DAY, openHouse, Person, type House } from './house.ts';
import { someId } from './store-samples.ts';

export function notesContract(name: string, open: () => Promise<Database>): void {
  describe(`Notes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });

    let clients = 5_000;
    const session = (): NoteSession => new NoteSession(() => (clients += 1));

    async function rowOf(person: Person, id: Id): Promise<Row> {
      const rows = await house.database.store.snapshot(person.scope, null, 1_000);
      const row = rows.find((one) => one.id === id);
      assert.ok(row);
      return row;
    }
    const textOf = async (person: Person, id: Id) => fieldOf(await rowOf(person, id), 'notes');
    const epochsOf = (note: Id) =>
      house.database.db.selectFrom('note_epoch').selectAll().where('note', '=', note).execute();

    /** Types into what the row holds now, or into what a device held that has heard nothing since. */
    async function edit(person: Person, id: Id, to: string, held?: Row): Promise<void> {
      const row = held ?? (await rowOf(person, id));
      const { notes = '', notesDoc } = row.fields as { notes?: string; notesDoc?: NoteDoc };
      const typing = session();
      typing.load(notes, notesDoc);
      await person.act([{ a: 'note', id, ...typing.change(to, true) }]);
    }

    async function withNote(text: string): Promise<{ person: Person; id: Id }> {
      const person = await new Person(house).settle();
      const id = someId();
      const place = { parent: inboxId(person.scope) };
      await person.act([{ a: 'create', id, type: 'task', fields: { title: 'Plan', notes: text }, place }]);
      return { person, id };
    }

    test('[SYNC-16] edits of the same text merge, in the text and in what others are sent', async () => {
      const { person, id } = await withNote('one three');
      const held = await rowOf(person, id);
      await edit(person, id, 'one two three', held);
      await edit(person, id, 'one three 😀', held);
      assert.equal(await textOf(person, id), 'one two three 😀');
      await person.ids();
      const changes = await person.pull();
      assert.equal(changes?.rows.find((row) => row.id === id)?.f['notes'], 'one two three 😀');
    });

    test('[SYNC-16] a text that the API wrote takes in what was typed meanwhile', async () => {
      const { person, id } = await withNote('a\nb\nc');
      await edit(person, id, 'a\nb\nc, typed');
      const held = await rowOf(person, id);
      const { version } = held;
      await person.act([{ a: 'set', id, field: 'notes', value: 'A!\nb\nc, typed', b: version }]);
      assert.equal(fieldOf(await rowOf(person, id), 'notesDoc'), undefined);
      await edit(person, id, 'a\nb\nc, typed on', held);
      assert.equal(await textOf(person, id), 'A!\nb\nc, typed on');
      const kept = await epochsOf(id);
      assert.deepEqual(kept.filter(({ at }) => Number(at) === 0).length, 1);
    });

    test('[NOTE-12] the notes of a list, the Inbox too, merge like those of a task', async () => {
      const person = await new Person(house).settle();
      const inbox = inboxId(person.scope);
      await edit(person, inbox, 'one three');
      const held = await rowOf(person, inbox);
      await edit(person, inbox, 'one two three', held);
      await edit(person, inbox, 'one three four', held);
      assert.equal(await textOf(person, inbox), 'one two three four');
    });

    test('[SYNC-16] a state that cannot be read is told of, and the note goes on from its text', async () => {
      const { person, id } = await withNote('before');
      await edit(person, id, 'before and after');
      const held = await rowOf(person, id);
      const { state } = must(fieldOf(held, 'notesDoc'), 'an edited note has its document');
      const { fields } = await house.database.db
        .selectFrom('entity')
        .select('fields')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      assert.ok(fields.includes(state));
      await house.database.db
        .updateTable('entity')
        .set({ fields: fields.replace(state, 'AAAA') })
        .where('id', '=', id)
        .execute();
      assert.equal(house.damaged.includes(id), false);
      const typing = session();
      typing.load('before and after', undefined);
      await person.act([{ a: 'note', id, ...typing.change('before and after all', true) }]);
      assert.equal(await textOf(person, id), 'before and after all');
      assert.equal(house.damaged.includes(id), true);
    });

    test('history keeps the texts, and nothing of what merges them', async () => {
      const { person, id } = await withNote('before');
      await edit(person, id, 'before and after');
      const [entry] = await house.database.store.history(person.scope, { id, limit: 1 });
      const { q: _q, u: _u, ...operation } = entry?.operation ?? {};
      assert.deepEqual(
        [entry?.before, (operation as { text?: string }).text, (operation as { update?: string }).update],
        [[{ id, fields: { notes: 'before' } }], 'before and after', ''],
      );
    });

    test('[SYNC-26] what is no edit changes nothing', async () => {
      const { person, id } = await withNote('stays');
      const head = { scope: person.scope, t: house.now, b: 0, a: 'note', id, text: 'y' };
      const garbage = ['', '!!', 'AQEBAQEBAQ==', '/////w8=', Buffer.alloc(2_000, 0x81).toString('base64')];
      const seeds = [seedOf('stays'), seedOf(''), someId()];
      const sent = garbage.flatMap((update) => seeds.map((seed) => ({ update, seed })));
      const ops = sent.map((one) => {
        person.seq += 1;
        return { ...head, ...one, q: person.seq, u: someId() };
      });
      const before = await rowOf(person, id);
      const { results } = await person.sync(ops);
      for (const [, verdict] of results) assert.ok(['invalid', 'superseded'].includes(verdict), verdict);
      assert.deepEqual(await rowOf(person, id), before);
    });

    test('a note comes to rest after a week, and what a device wrote before it heard of it still goes in', async () => {
      const { person, id } = await withNote('quiet');
      await edit(person, id, 'quiet now');
      const held = await rowOf(person, id);
      assert.notEqual(fieldOf(held, 'notesDoc'), undefined);
      house.now += 3 * DAY;
      await person.pull();
      await house.care.run();
      assert.deepEqual(await rowOf(person, id), held);
      house.now += 5 * DAY;
      await person.pull();
      const report = await house.care.run();
      assert.ok(report.notes >= 1);
      const flat = await rowOf(person, id);
      assert.deepEqual(
        [fieldOf(flat, 'notes'), fieldOf(flat, 'notesDoc'), flat.updatedAt, flat.stamps],
        ['quiet now', undefined, held.updatedAt, held.stamps],
      );
      await person.ids();
      await edit(person, id, 'quiet now, said the other', held);
      await edit(person, id, 'not quiet now', held);
      assert.equal(await textOf(person, id), 'not quiet now, said the other');
      await person.ids();
    });

    test('a device that was not heard since keeps a note from resting, for half a year at most', async () => {
      const { person, id } = await withNote('waits');
      const other = someId();
      await person.sync([], other);
      house.now += DAY;
      await house.care.run();
      await edit(person, id, 'waits for it');
      house.now += 20 * DAY;
      await person.pull();
      await house.care.run();
      assert.notEqual(fieldOf(await rowOf(person, id), 'notesDoc'), undefined);
      house.now += 170 * DAY;
      await person.pull();
      await house.care.run();
      assert.equal(fieldOf(await rowOf(person, id), 'notesDoc'), undefined);
      assert.equal((await epochsOf(id)).length, 1);
      house.now += 181 * DAY;
      await person.pull();
      await house.care.run();
      assert.deepEqual(await epochsOf(id), []);
    });

    test('what is removed for good takes the texts with it', async () => {
      const { person, id } = await withNote('secret');
      await edit(person, id, 'top secret');
      await person.act([{ a: 'delete', id }]);
      house.now += 31 * DAY;
      await person.pull();
      await house.care.run();
      assert.equal((await person.ids()).has(id), false);
      assert.deepEqual(await epochsOf(id), []);
    });
  });
}
