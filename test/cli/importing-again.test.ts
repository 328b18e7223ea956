// Importing from the command line, beyond a first file of another program: our own JSON, changed lists and repeats and their undo, and
// servers that let nobody ask too often.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ownDocument } from '../import/more-samples.ts';
import { createDesk, type Desk } from './desk.ts';

interface Answer {
  readonly undo: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly unsent: Readonly<Record<string, number>>;
}

const backup = (said: {
  readonly house?: string;
  readonly about?: string;
  readonly repeat?: string;
  readonly count?: number;
  readonly order?: readonly string[];
}) =>
  JSON.stringify({
    projects: [{ id: 'p1', name: said.house ?? 'House', description: said.about ?? 'Old', child_order: 1 }],
    sections: [],
    labels: [{ id: 'l1', name: 'errand', color: 'blue' }],
    items: (said.order ?? Array.from({ length: said.count ?? 2 }, (_, at) => `i${at}`)).map((id, at) => ({
      id,
      content: `Task ${id}`,
      project_id: 'p1',
      child_order: at,
      priority: 1,
      labels: ['errand'],
      due: { date: '2026-12-07', string: said.repeat ?? 'every monday', lang: 'en', is_recurring: true },
    })),
    notes: [],
  });

describe('importing again from the command line', () => {
  let desk: Desk;
  const write = (name: string, text: string) => writeFileSync(join(desk.folder, name), text);
  before(async () => {
    desk = await createDesk();
  });
  after(() => desk.close());

  test('[IMPORT-116] our own JSON comes in with its tree, labels and dates; what the API can’t hold is listed; one undo takes it back', async () => {
    write('mine.json', ownDocument());
    const dry = await desk.good('import', 'mine.json', '--dry-run');
    assert.match(
      dry,
      /Posthaste · 2 tasks, 1 list[\s\S]*can't hold label groups: 1 left out[\s\S]*Nothing was imported\./,
    );
    assert.deepEqual(await desk.user.tasks(), []);
    const { undo, unsent } = await desk.json<Answer>('import', 'mine.json');
    assert.deepEqual(Object.keys(unsent).toSorted(), ['days of creation', 'label groups']);
    const tasks = await desk.user.tasks();
    const paint = tasks.find(({ title }) => title === 'Paint');
    const sand = tasks.find(({ title }) => title === 'Sand');
    assert.deepEqual(
      [paint?.notes, paint?.timeless_due_at, paint?.repeat_value, paint?.label_names, paint?.metadata],
      ['Two\nlines', '2026-12-01', 2, ['Ann'], { source: 'test' }],
    );
    assert.deepEqual([sand?.parent_id, sand?.is_complete], [paint?.id, true]);
    const again = await desk.good('import', 'mine.json');
    assert.match(again, /comes as a second copy/);
    assert.equal((await desk.user.tasks()).length, 4);
    const [, second = ''] = /--undo ([0-9a-f]{6})$/.exec(again) ?? [];
    await desk.good('import', '--undo', second);
    await desk.good('import', '--undo', undo ?? '');
    assert.deepEqual(await desk.user.tasks(), []);
    const third = await desk.json<Answer>('import', 'mine.json');
    assert.equal((await desk.user.tasks()).length, 2, 'its ids lie in the trash: it comes under others');
    await desk.good('import', '--undo', third.undo ?? '');
    write('broken.json', ownDocument().replace('"Paint"', '7'));
    const refused = await desk.run('import', 'broken.json');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /broken\.json can't be imported: /);
  });

  test('[IMPORT-112] [IMPORT-116] names and notes of lists follow a newer file, and undo gives them and changed repeats back', async () => {
    write('backup.json', backup({}));
    const first = await desk.json<Answer>('import', 'backup.json');
    write('backup.json', backup({ house: 'The house', about: 'New', repeat: 'every 2 weeks' }));
    const newer = await desk.json<Answer>('import', 'backup.json');
    assert.deepEqual([newer.counts['entities'], newer.counts['updated']], [1, 2]);
    const named = async () =>
      (await desk.user.lists()).flatMap(({ name, notes }) => (/house/i.test(name) ? [[name, notes]] : []));
    const rules = async () => (await desk.user.tasks()).map((task) => [task.repeat_value, task.repeat_unit]);
    assert.deepEqual(await named(), [['The house', 'New']]);
    assert.deepEqual(await rules(), [
      [2, 'weeks'],
      [2, 'weeks'],
    ]);
    await desk.good('import', '--undo', newer.undo ?? '');
    assert.deepEqual(await named(), [['House', 'Old']]);
    assert.deepEqual(await rules(), [
      [1, 'weeks'],
      [1, 'weeks'],
    ]);
    const once = await desk.json<Answer>('import', 'backup.json');
    assert.deepEqual(await named(), [['The house', 'New']], 'after it was taken back it comes again');
    await desk.good('import', '--undo', once.undo ?? '');
    await desk.good('import', '--undo', first.undo ?? '');
  });

  test('[IMPORT-113] [IMPORT-116] another order in the file is said and left', async () => {
    write('backup.json', backup({ order: ['a', 'b', 'c'] }));
    const { undo } = await desk.json<Answer>('import', 'backup.json');
    write('backup.json', backup({ order: ['c', 'a', 'b'] }));
    const said = await desk.good('import', 'backup.json');
    assert.match(
      said,
      /1 thing in another order in the file since: left\. Import in the app to move them\.\nNothing to change\.$/m,
    );
    await desk.good('import', '--undo', undo ?? '');
  });

  test('[IMPORT-116] a large second import says how far it is, and waits as the server says', async () => {
    write('backup.json', backup({ count: 2_600 }));
    const first = await desk.run('import', 'backup.json');
    assert.equal(first.code, 0, first.err);
    assert.match(first.err, /Sent 2,500 of 2,600 tasks\./);
    const second = await desk.run('import', 'backup.json');
    assert.equal(second.code, 0, second.err);
    assert.match(second.err, /Compared 2,500 of 2,600 tasks\./);
    assert.match(second.out, /2,600 tasks already here, with nothing to change\.[\s\S]*Nothing to change\.$/);
  });
});
