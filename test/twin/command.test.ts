// `posthaste twin --once` beside a server: a folder on disk, files edited by hand, tasks changed by the API.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Task } from '#wire/api/client.ts';
import { createDesk, type Desk } from '../cli/desk.ts';

describe('the twin of an account', () => {
  let desk: Desk;
  before(async () => {
    desk = await createDesk();
  });
  after(() => desk.close());

  const path = (...names: string[]) => join(desk.folder, 'tasks', ...names);
  const read = (...names: string[]) => readFileSync(path(...names), 'utf8');
  const write = (text: string, ...names: string[]) => writeFileSync(path(...names), text);
  const twin = async (...options: string[]) => {
    const result = await desk.run('twin', 'tasks', '--once', ...options);
    assert.equal(result.code, 0, result.err);
    return result;
  };
  const inFile = (text: string) =>
    text
      .split('\n')
      .filter((line) => /^ *- \[.\]/.test(line))
      .map((line) => line.replace(/ \^\w+$/, ''));
  const list = (name: string) =>
    desk
      .json<{ tasks: Task[] }>('list', '--list', name, '--all', '--status', 'all')
      .then(({ tasks }) => tasks);

  test('[TWIN-1] [TWIN-3] writes a file per list, and puts new lines into it', async () => {
    await desk.good('add', 'Call the plumber tomorrow 9am for 20 min', '--notes', 'The tap\n\n- [ ] drips');
    await twin();
    assert.match(
      read('Inbox.md'),
      /^---\nposthaste: [0-9a-f-]{36}\n---\n\n- \[ \] Call the plumber due:\S+T09:00 for:20m \^[0-9a-f]{12}\n {2}The tap\n\n {2}\\- \[ \] drips\n$/,
    );
    write(
      `${read('Inbox.md')}- [ ] Buy milk due:2026-12-24 repeat:"every 2 weeks"\n  - [ ] Oat milk\n    From the corner\n`,
      'Inbox.md',
    );
    await twin();
    const tasks = await list('Inbox');
    assert.deepEqual(
      tasks.map(({ title, notes, timeless_due_at: due, indent_level: level, repeat_unit: unit }) => [
        title,
        notes,
        due,
        level,
        unit,
      ]),
      [
        ['Call the plumber', 'The tap\n\n- [ ] drips', null, 0, null],
        ['Buy milk', '', '2026-12-24', 0, 'weeks'],
        ['Oat milk', 'From the corner', null, 1, null],
      ],
    );
    const { out } = await twin();
    assert.equal(out, 'In step.');
  });

  test('[TWIN-7] [TWIN-8] merges what both sides did', async () => {
    const [plumber, milk] = await list('Inbox');
    await desk.user.change(plumber?.id ?? '', {
      title: 'Call the good plumber',
      timeless_due_at: '2026-12-31',
    });
    const text = read('Inbox.md')
      .replace('Call the plumber', 'Call the plumber today')
      .replace('Buy milk', 'Buy bread');
    write(text, 'Inbox.md');
    await desk.user.change(milk?.id ?? '', { title: 'Buy cheese' });
    await twin();
    assert.deepEqual(inFile(read('Inbox.md')), [
      '- [ ] Call the good plumber today due:2026-12-31 for:20m',
      '- [ ] Buy cheese due:2026-12-24 repeat:"every 2 weeks"',
      '  - [ ] Oat milk',
    ]);
    assert.match(read('Inbox.md'), /Kept from the file: “Buy bread”/);
  });

  test('[TWIN-14] completes the occurrence of a line once', async () => {
    write(read('Inbox.md').replace('[ ] Buy cheese', '[x] Buy cheese'), 'Inbox.md');
    await twin();
    assert.equal(inFile(read('Inbox.md'))[1], '- [ ] Buy cheese due:2027-01-07 repeat:"every 2 weeks"');
    await twin();
    assert.equal(inFile(read('Inbox.md'))[1], '- [ ] Buy cheese due:2027-01-07 repeat:"every 2 weeks"');
  });

  test('[TWIN-5] [TWIN-6] moves, copies and takes back', async () => {
    const lines = read('Inbox.md').split('\n');
    const at = lines.findIndex((line) => line.includes('Oat milk'));
    const [oat = ''] = lines.splice(at, 2);
    const kept = lines.join('\n').trimEnd();
    write(`${kept}\n`.replace(/^(- \[ \] Call)/m, `${oat.trim()}\n$1`), 'Inbox.md');
    await twin();
    assert.deepEqual((await list('Inbox')).map(({ title, parent_id: parent }) => [title, parent])[0], [
      'Oat milk',
      null,
    ]);
    write(`${read('Inbox.md')}${oat.trim()}\n`, 'Inbox.md');
    await twin();
    const titles = (await list('Inbox')).map(({ title }) => title);
    assert.deepEqual(titles, ['Oat milk', 'Call the good plumber today', 'Buy cheese', 'Oat milk']);
    assert.equal(new Set(read('Inbox.md').match(/\^\w+$/gm) ?? []).size, 4);
    const before = read('Inbox.md');
    write(before.replace(/^- \[ \] Oat milk.*\n/m, ''), 'Inbox.md');
    await twin();
    assert.equal((await list('Inbox')).length, 3);
    write(before, 'Inbox.md');
    await twin();
    assert.equal((await list('Inbox')).length, 4);
  });

  test('[TWIN-11] follows renamed files and lists', async () => {
    write('- [ ] Dig #nothing\n', 'Garden.md');
    await twin();
    mkdirSync(path('Home'));
    renameSync(path('Garden.md'), path('Home', 'Yard.md'));
    await twin();
    const lists = await desk.good('lists');
    assert.match(lists, /Home\/\n {2}Yard/);
    const yard = (await list('Home/Yard'))[0];
    assert.equal(yard?.title, 'Dig #nothing');
    await desk.user.call('PATCH', `/lists/${yard?.list_id ?? ''}`, { name: 'What: a/b?' });
    await twin();
    assert.deepEqual(readdirSync(path('Home')), ['What- a-b-.md']);
    renameSync(path('Home'), path('House'));
    await twin();
    assert.match(await desk.good('lists'), /House\/\n {2}What: a\/b\?/);
    assert.doesNotMatch(await desk.good('lists'), /Home/);
  });

  test('[TWIN-9] [TWIN-10] leaves alone what is half there', async () => {
    const whole = read('Inbox.md');
    rmSync(path('Inbox.md'));
    assert.match((await twin()).err, /Inbox\.md is gone\. Nothing of its list is deleted/);
    assert.equal((await list('Inbox')).length, 4);
    write(whole.slice(0, -40), 'Inbox.md');
    assert.match((await twin()).err, /ends in the middle/);
    write(whole.split('\n').slice(0, 4).join('\n') + '\n', 'Inbox.md');
    assert.match((await twin()).err, /4 of 4 tasks are missing/);
    write(`<<<<<<< HEAD\n${whole}=======\n>>>>>>> theirs\n`, 'Inbox.md');
    assert.match((await twin()).err, /conflict markers/);
    write(whole, 'Inbox.md');
    const { out, err } = await twin();
    assert.deepEqual([out, err], ['In step.', '']);
    write(whole.split('\n').slice(0, 4).join('\n') + '\n', 'Inbox.md');
    await twin('--allow-deletions');
    assert.equal((await list('Inbox')).length, 0);
    write(whole, 'Inbox.md');
    await twin();
    assert.equal((await list('Inbox')).length, 4);
  });

  test('[TWIN-12] [TWIN-13] belongs to one account, and waits for the network', async () => {
    write(`${read('Inbox.md')}- [ ] Offline\n`, 'Inbox.md');
    desk.network = 'gone';
    assert.equal((await desk.run('twin', 'tasks', '--once')).code, 6);
    desk.network = 'here';
    await twin();
    assert.equal((await list('Inbox')).at(-1)?.title, 'Offline');
    const held = (holder: number) =>
      write(JSON.stringify({ process: holder, host: hostname(), at: 0 }), '.posthaste', 'lock');
    held(process.pid);
    const second = await desk.run('twin', 'tasks', '--once');
    assert.equal(second.code, 9);
    assert.match(second.err, /Another “posthaste twin” keeps this folder in step \(process \d+ on /);
    held(999_999_999);
    await twin();
    assert.equal(existsSync(path('.posthaste', 'lock')), false);
    const others = join(desk.folder, 'vault');
    mkdirSync(others);
    writeFileSync(join(others, 'Note.md'), '- [ ] Not yet\n');
    assert.match((await desk.run('twin', 'vault', '--once')).err, /make lists of them with --adopt/);
    assert.equal((await desk.run('twin', 'vault', '--once', '--adopt')).code, 0);
    assert.equal((await list('Note'))[0]?.title, 'Not yet');
  });
});
