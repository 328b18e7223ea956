// Importing files of other programs from the command line: the same plan as in the app, said truthfully and taken back by its name.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { thingsFiles, type Values } from '../import/things-files.ts';
import type { Desk } from './desk.ts';
import { commandsInEachAccount } from './each-account-contract.ts';

interface Answer {
  readonly undo: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly left: readonly unknown[];
}

/** A backup as the API of Todoist gives it: with ids, so that a newer one is known again. */
const backup = (titles: Readonly<Record<string, string>>, more: Readonly<Record<string, object>> = {}) =>
  JSON.stringify({
    projects: [{ id: 'p1', name: 'House', child_order: 1 }],
    sections: [],
    labels: [{ id: 'l1', name: 'errand' }],
    items: Object.entries(titles).map(([id, content], at) => ({
      id,
      content,
      project_id: 'p1',
      child_order: at,
      priority: 4,
      labels: ['errand'],
      checked: false,
      added_at: '2026-01-01T10:00:00Z',
      due: { date: '2026-12-01', string: 'Dec 1', lang: 'en', is_recurring: false },
      ...more[id],
    })),
    notes: [],
  });

commandsInEachAccount('importing from the command line', ({ open }) => {
  let desk: Desk;
  const write = (name: string, text: string) => writeFileSync(join(desk.folder, name), text);
  const titles = async () => (await desk.user.tasks()).map(({ title }) => title).toSorted();
  before(async () => {
    desk = await open();
  });
  after(() => desk.close());

  test('[IMPORT-107] says what would come, imports it with its dates and labels, and takes it back by name', async () => {
    write(
      'table.csv',
      'title,due,labels,list,done\nSow,2026-12-01,home,Garden,\nMow,,,Garden,yes\nOdd,some day,,Garden,',
    );
    const dry = await desk.good('import', 'table.csv', '--dry-run');
    assert.match(
      dry,
      /3 tasks in 1 list[\s\S]*3 new tasks\.[\s\S]*Goes to the notes[\s\S]*Nothing was imported\.$/,
    );
    assert.deepEqual(await titles(), []);
    const said = await desk.good('import', 'table.csv');
    const [, undo = ''] = /Undo it with: posthaste import --undo ([0-9a-f]{6})$/.exec(said) ?? [];
    assert.deepEqual(await titles(), ['Mow', 'Odd', 'Sow']);
    const tasks = await desk.user.tasks();
    const sow = tasks.find(({ title }) => title === 'Sow');
    assert.deepEqual([sow?.timeless_due_at, sow?.label_names], ['2026-12-01', ['home']]);
    assert.equal(tasks.find(({ title }) => title === 'Mow')?.is_complete, true);
    assert.match(tasks.find(({ title }) => title === 'Odd')?.notes ?? '', /some day/);
    assert.match(await desk.good('import', '--undo', undo), /^Took back the import of table\.csv\.$/);
    assert.deepEqual(await titles(), []);
    assert.equal(
      (await desk.user.lists()).some(({ name }) => name === 'Garden'),
      false,
    );
    assert.equal((await desk.run('import', '--undo', undo)).code, 4);
  });

  test('[IMPORT-107] the same file again changes nothing; a newer one updates what was not changed here', async () => {
    write('backup.json', backup({ a: 'Paint', b: 'Sand', c: 'Nail' }));
    const first = await desk.json<Answer>('import', 'backup.json');
    assert.equal(first.counts['fresh'], 3);
    const again = await desk.json<Answer>('import', 'backup.json');
    assert.deepEqual([again.undo, again.counts['same'], again.counts['fresh']], [null, 3, 0]);
    const sand = (await desk.user.tasks()).find(({ title }) => title === 'Sand');
    await desk.user.change(sand?.id ?? '', { title: 'Sand it twice' });
    write('backup.json', backup({ a: 'Paint the door', b: 'Sand it', c: 'Nail', d: 'Oil' }));
    const newer = await desk.json<Answer>('import', 'backup.json');
    assert.deepEqual(
      [newer.counts['fresh'], newer.counts['updated'], newer.counts['left'], newer.left.length],
      [1, 1, 1, 1],
    );
    assert.deepEqual(await titles(), ['Nail', 'Oil', 'Paint the door', 'Sand it twice']);
    await desk.good('import', '--undo', newer.undo ?? '');
    assert.deepEqual(await titles(), ['Nail', 'Paint', 'Sand it twice']);
    await desk.good('import', '--undo', first.undo ?? '');
    assert.deepEqual(await titles(), []);
    const third = await desk.json<Answer>('import', 'backup.json');
    assert.equal(third.counts['fresh'], 4, 'after it was taken back it comes again');
    await desk.good('import', '--undo', third.undo ?? '');
  });

  test('[IMPORT-107] files are told by their content, folders stand for their files, and lines stay lines', async () => {
    mkdirSync(join(desk.folder, 'out'));
    write('out/one.txt', 'title,list\nOne,Mixed');
    write('out/two.csv', 'title,list\nTwo,Mixed too');
    const { undo } = await desk.json<Answer>('import', 'out');
    assert.deepEqual(await titles(), ['One', 'Two']);
    await desk.good('import', '--undo', undo ?? '');
    write('picture.csv', '\u0089PNG\r\n\u001a\n\0\0');
    const refused = await desk.run('import', 'picture.csv');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /picture\.csv/);
    desk.input = '- Three\n  - Four';
    assert.equal(await desk.good('import', '-'), 'Imported 2 tasks.');
    assert.equal((await desk.run('import', 'missing.csv')).code, 4);
  });

  test('[IMPORT-107] a folder of Things comes in with its log, and again changes nothing', async () => {
    const task = (uuid: string): Values => ({ uuid, title: uuid, type: 0, status: 0, trashed: 0, start: 0 });
    const { main, log } = thingsFiles(
      { TMTask: [task('Call Ann')] },
      { logged: { TMTask: [task('Call Ben')] } },
    );
    const folder = join(desk.folder, 'Things Database.thingsdatabase');
    mkdirSync(folder);
    writeFileSync(join(folder, 'main.sqlite'), main);
    writeFileSync(join(folder, 'main.sqlite-wal'), log ?? '');
    const before = await titles();
    const { undo, counts } = await desk.json<Answer>('import', 'Things Database.thingsdatabase');
    assert.equal(counts['fresh'], 2);
    assert.deepEqual(
      (await titles()).filter((title) => !before.includes(title)),
      ['Call Ann', 'Call Ben'],
    );
    const again = await desk.json<Answer>('import', 'Things Database.thingsdatabase');
    assert.deepEqual([again.counts['fresh'], again.counts['same']], [0, 2]);
    await desk.good('import', '--undo', undo ?? '');
    assert.deepEqual(await titles(), before);
  });
});
