// Commands beside adding: finding, changing, exporting, opening, signing in, and what they say when something is wrong.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commands } from '#cli/registry.ts';
import { apiAddress } from '#cli/session.ts';
import type { Task } from '#wire/api/client.ts';
import { GOOD_PASSWORD } from '../api/harness.ts';
import { createDesk, type Desk, SERVER } from './desk.ts';
import { commandsInEachAccount } from './each-account-contract.ts';

commandsInEachAccount('commands', ({ open }) => {
  let desk: Desk;
  let garden: string;
  before(async () => {
    desk = await open();
    ({ id: garden } = await desk.user.list({ name: 'Garden' }));
    await desk.user.label({ name: 'phone', color_hex_string: '#3366ff' });
  });
  after(() => desk.close());

  const end = (id: string) => id.slice(-6);
  const lines = (text: string) => text.split('\n').map((line) => line.replace(/^[0-9a-f]{6} {2}/, ''));

  test('[CLI-7] list takes a query, a list and a status, and shows a list in its order', async () => {
    const bed = await desk.user.task({ title: 'Bed', list_id: garden });
    await desk.user.task({
      title: 'Weeds',
      parent_id: bed.id,
      timeless_due_at: '2026-11-21',
      label_names: ['phone'],
    });
    await desk.user.task({ title: 'First', list_id: garden, location: 'start' });
    const done = await desk.user.task({ title: 'Old', list_id: garden, is_complete: true });
    assert.deepEqual(lines(await desk.good('list', '--list', 'garden')), [
      '[ ] First',
      '[ ] Bed',
      '  [ ] Weeds  due tomorrow · #phone',
    ]);
    assert.deepEqual(lines(await desk.good('search', 'label:phone')), ['[ ] Weeds  due tomorrow · #phone']);
    assert.deepEqual(lines(await desk.good('list', '--status', 'done', '--list', garden)), ['[x] Old']);
    assert.equal((await desk.json<{ tasks: Task[] }>('list', '--limit', '2')).tasks.length, 2);
    assert.equal((await desk.run('list', '--status', 'maybe')).code, 2);
    const wrong = await desk.run('list', 'due:whenever');
    assert.match(wrong.err, /whenever/);
    const page = await desk.good('show', end(done.id));
    assert.match(page, /^Old\nid {7}[0-9a-f-]{36}\nlist {5}Garden\ndone {5}today, 13:00$/);
    assert.equal(await desk.good('labels'), 'phone');
    assert.deepEqual((await desk.good('lists')).split('\n'), ['Inbox', 'Garden']);
  });

  test('[CLI-7] pages are read on as far as was asked, waiting where the server says so', async () => {
    const other = await createDesk({ limits: true });
    try {
      const titles = Array.from({ length: 300 }, (_, at) => ({ title: `t${at}` }));
      await other.user.post('/todo_items/bulk_create', { create_bodies: titles });
      for (let calls = 0; calls < 9; calls += 1) await other.user.tasks();
      const { code, out, err } = await other.run('list', '--all', '--json');
      assert.equal(code, 0);
      assert.match(err, /Waiting \d+ s, as the server asked/);
      assert.equal((JSON.parse(out) as { tasks: unknown[] }).tasks.length, 300);
      // What a person waits for says so instead.
      for (let calls = 0; calls < 10; calls += 1) await other.user.call('GET', '/tasks');
      const over = await other.run('lists');
      assert.deepEqual([over.code, /Try again in \d+ s/.test(over.err)], [7, true]);
    } finally {
      await other.close();
    }
  });

  test('[CLI-8] tasks are named by the end of an id that was shown; a doubtful one is asked about', async () => {
    const seen = join(desk.home, 'seen.json');
    const ids = ['0190f5a2-7c1e-7d3a-9b21-5f0c8eabcdef', '0190f5a2-7c1e-7d3a-9b21-5f0c8fabcdef'];
    const before_ = readFileSync(seen, 'utf8');
    writeFileSync(seen, JSON.stringify({ ids }));
    const several = await desk.run('complete', 'abcdef');
    assert.deepEqual([several.code, /Several tasks end in abcdef/.test(several.err)], [4, true]);
    assert.equal((await desk.run('complete', 'fabcdef')).code, 4, 'found, and not there');
    assert.match((await desk.run('complete', '123456')).err, /isn't a task you've listed/);
    assert.match((await desk.run('complete', 'Bed')).err, /isn't a task you've listed/);
    assert.equal((await desk.run('complete')).code, 2);
    writeFileSync(seen, before_);
  });

  test('[SHARE-283] comments are written, shown, changed and deleted; what could not be sent is printed back', async () => {
    const task = await desk.user.task({ title: 'Talk about it' });
    await desk.good('list');
    const said = await desk.good('comment', end(task.id), 'Which', 'one?');
    assert.match(said, /^Commented\. {2}[0-9a-f]{6}$/);
    desk.input = 'Two\nlines\u001b[2J\n';
    const { comment } = await desk.json<{ comment: { id: string } }>('comment', task.id, '-');
    const shown = await desk.good('comments', end(task.id));
    assert.match(
      shown,
      /^[0-9a-f]{6} {2}person \d+, .+\n {8}Which one\?\n[0-9a-f]{6} {2}person \d+, .+\n {8}Two\n {8}lines\[2J$/,
    );
    assert.match(await desk.good('comment', '--change', end(comment.id), 'Both'), /^Changed the comment/);
    const { comments } = await desk.json<{ comments: { text: string }[] }>('comments', task.id);
    assert.deepEqual(
      comments.map(({ text }) => text),
      ['Which one?', 'Both'],
    );
    assert.equal(await desk.good('comment', '--delete', end(comment.id)), 'Deleted the comment.');
    const gone = await desk.run('comment', '--change', comment.id, 'Too', 'late');
    assert.deepEqual([gone.code, /Not saved:\n {2}Too late$/.test(gone.err)], [4, true]);
    desk.network = 'gone';
    const away = await desk.run('comment', task.id, 'Hello');
    assert.deepEqual([away.code, /Not saved:\n {2}Hello$/.test(away.err)], [6, true]);
    desk.network = 'here';
    assert.equal((await desk.run('comment', task.id)).code, 2);
    assert.equal((await desk.run('comment', '--delete', comment.id, 'x')).code, 2);
    assert.match((await desk.run('comment', '--change', 'abcd', 'x')).err, /isn't a comment you've seen/);
    assert.equal(await desk.good('comments', (await desk.user.task({ title: 'Silent' })).id), 'No comments.');
  });

  test('[CLI-9] complete, reopen, edit and delete several: all of them or none', async () => {
    const [a, b] = [await desk.user.task({ title: 'a' }), await desk.user.task({ title: 'b' })];
    const missing = '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77';
    assert.equal((await desk.run('complete', a.id, missing)).code, 4);
    assert.equal((await desk.user.tasks('?query=is:open')).filter(({ title }) => title === 'a').length, 1);
    assert.equal(await desk.good('complete', a.id, b.id), 'Completed 2 tasks.');
    assert.equal(await desk.good('reopen', end(a.id)), 'Reopened ‘a’.');
    await desk.good(
      'edit',
      end(a.id),
      b.id,
      '--due',
      'friday',
      '--label',
      'phone',
      '--list',
      'Garden',
      '--for',
      '20m',
    );
    for (const id of [a.id, b.id]) {
      const { task } = await desk.json<{ task: Task }>('show', id);
      assert.deepEqual(
        [task.timeless_due_at, task.label_names, task.list_id, task.duration_minutes],
        ['2026-11-27', ['phone'], garden, 20],
      );
    }
    const { tasks } = await desk.json<{ tasks: Task[] }>(
      'edit',
      a.id,
      '--due',
      'none',
      '--unlabel',
      'phone',
      '--title',
      'A',
    );
    assert.deepEqual([tasks[0]?.timeless_due_at, tasks[0]?.label_names, tasks[0]?.title], [null, [], 'A']);
    assert.equal((await desk.run('edit', a.id, '--label', 'Phone')).code, 4, 'labels are exact');
    assert.equal((await desk.run('delete', a.id, missing)).code, 4);
    assert.equal((await desk.run('show', a.id)).code, 0, 'none of them');
    assert.equal(await desk.good('delete', a.id, b.id), 'Moved 2 tasks to the trash.');
    assert.equal((await desk.run('show', a.id)).code, 4);
    assert.equal((await desk.run('restore', a.id, missing)).code, 4);
    assert.equal(await desk.good('restore', a.id, b.id), 'Restored 2 tasks.');
    assert.equal((await desk.run('show', a.id)).code, 0);
  });

  test('[CLI-7] a search that is not understood is an error with its place, and finds nothing', async () => {
    const { code, out, err } = await desk.run('list', 'is:complte');
    assert.deepEqual([code, out], [5, '']);
    assert.match(err, /At character 4, "complte": .* Try "complete"/);
  });

  test('[CLI-15] nothing that was said is passed over in silence', async () => {
    for (const words of [
      ['lists', 'Garden'],
      ['labels', 'x'],
      ['status', 'x'],
      ['export', 'Garden'],
      ['logout', 'x'],
      ['add', 'x', '--due', 'today', '--due', 'tomorrow'],
      ['add', 'x', '--list', 'Garden', '--under', '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77'],
      ['list', '--all', '--limit', '3'],
      ['list', '-n', '3', '--limit', '4'],
      ['export', '--json', '--format', 'markdown'],
      ['list', '--statsu', 'open'],
    ]) {
      const { code, out, err } = await desk.run(...words);
      assert.deepEqual([code, out], [2, ''], words.join(' '));
      assert.notEqual(err, '');
    }
    assert.doesNotMatch((await desk.run('login', 'secret-word')).err, /secret-word/);
  });

  test('a repeating task says when it comes again', async () => {
    const { task } = await desk.json<{ task: Task }>('add', 'Water every day 9am');
    assert.match(await desk.good('complete', task.id), /^Completed ‘Water’\.\nNext: .*due Sun 22 Nov, 09:00/);
  });

  test('edit without options opens title and notes in the editor; what it wrote is never lost', async () => {
    const task = await desk.user.task({ title: 'Letter', notes: 'one' });
    desk.environment['EDITOR'] = 'ed --loose';
    desk.onLaunch = ([, file = '']) => {
      assert.equal(readFileSync(file, 'utf8'), 'Letter\n\none\n');
      writeFileSync(file, 'Long letter\n\none\ntwo\n');
      return 0;
    };
    assert.equal(await desk.good('edit', task.id), 'Changed ‘Long letter’.');
    assert.equal(desk.launched.at(-1)?.[0], 'ed');
    const { task: after_ } = await desk.json<{ task: Task }>('show', task.id);
    assert.equal(after_.notes, 'one\ntwo');
    desk.onLaunch = ([, file = '']) => {
      writeFileSync(file, '\n\nno title');
      return 0;
    };
    const refused = await desk.run('edit', task.id);
    assert.equal(refused.code, 5);
    const [, file = ''] = /What was written is in (\S+)/.exec(refused.err) ?? [];
    assert.equal(readFileSync(file, 'utf8'), '\n\nno title');
    desk.onLaunch = () => 0;
    assert.equal(await desk.good('edit', task.id), 'Nothing was changed.');
  });

  test('[CLI-10] what others wrote cannot talk to the terminal', async () => {
    const task = await desk.user.task({
      title: 'x\u001b]0;owned\u0007y\u202ez',
      notes: 'a\u001b[2Jb\nc',
      metadata: { k: '\u001b[31m' },
    });
    for (const text of [await desk.good('show', task.id), await desk.good('list')])
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    assert.match(await desk.good('show', task.id), /a\[2Jb\nc$/);
  });

  test('[CLI-11] export writes Markdown, JSON, and an outline that import reads back', async () => {
    const { list } = (await desk.user.post('/lists', { name: 'Trip' })) as unknown as {
      list: { id: string };
    };
    desk.input = '- Pack\n  - [x] Passport\n  - Shoes\n    both\n- Go\n';
    await desk.good('import', '-', '--list', 'Trip');
    const outline = await desk.good('export', '--list', 'Trip', '--format', 'outline');
    await desk.user.list({ name: 'Trip 2' });
    desk.input = outline;
    await desk.good('import', '-', '--list', 'Trip 2');
    assert.equal(await desk.good('export', '--list', 'Trip 2', '--format', 'outline'), outline);
    const file = join(desk.folder, 'trip.md');
    await desk.good('export', '--list', 'Trip', '-o', 'trip.md');
    assert.match(readFileSync(file, 'utf8'), /^# Trip\n\n- \[ \] Pack\n {2}- \[x\] Passport\n/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const json = JSON.parse(await desk.good('export', '--json')) as {
      tasks: Task[];
      lists: { id: string }[];
    };
    assert.ok(json.lists.some(({ id }) => id === list.id));
    assert.ok(json.tasks.length > 8);
    await desk.user.list({ name: 'Habits' });
    await desk.good(
      'add',
      'Water',
      '--repeat',
      'every! 3 days',
      '--snooze',
      '2030-01-01',
      '--list',
      'Habits',
    );
    assert.match(
      await desk.good('export', '--list', 'Habits'),
      /Water — .*repeats every 3 days after completion · snoozed until 2030-01-01$/,
    );
    assert.match(await desk.good('export'), /# Garden/);
    assert.equal((await desk.run('export', '--format', 'pdf')).code, 2);
  });

  test('a list is copied', async () => {
    assert.equal(
      await desk.good('duplicate', 'Trip', '--name', 'Trip in May'),
      'Made the list ‘Trip in May’.',
    );
    assert.equal((await desk.run('duplicate', 'Nowhere')).code, 4);
  });

  test('[CLI-12] open opens what was said by a link of the app', async () => {
    const task = await desk.user.task({ title: 'here' });
    await desk.good('list');
    desk.environment['BROWSER'] = 'browse --new';
    const opened = async (...words: string[]) => {
      await desk.good('open', ...words);
      return desk.launched.at(-1);
    };
    assert.deepEqual(await opened(), ['browse', '--new', `${SERVER}/app/`]);
    assert.deepEqual(await opened('today'), ['browse', '--new', `${SERVER}/app/open/today`]);
    assert.deepEqual(await opened(end(task.id)), [
      'browse',
      '--new',
      `${SERVER}/app/open/tasks/id/${task.id}`,
    ]);
    for (const list of ['Garden', garden])
      assert.deepEqual(await opened(list), ['browse', '--new', `${SERVER}/app/open/lists/id/${garden}`]);
    const count = desk.launched.length;
    assert.equal(await desk.good('open', 'inbox', '--print'), `${SERVER}/app/open/inbox`);
    assert.equal((await desk.run('open', '$(reboot)')).code, 4);
    assert.equal(desk.launched.length, count);
    desk.onLaunch = () => 3;
    assert.equal((await desk.run('open')).code, 1);
    desk.onLaunch = () => 0;
  });

  test('[CLI-13] selected moves the file that the app saves to where it is wanted', async () => {
    const downloads = join(desk.folder, 'Downloads');
    assert.equal((await desk.run('selected')).code, 4, 'there is no such folder');
    mkdirSync(downloads);
    writeFileSync(
      join(downloads, 'posthaste-selected-tasks.json'),
      '{"selected_task_ids": [], "list_id": null}',
    );
    const said = { selected_task_ids: [garden], list_id: garden };
    desk.onLaunch = ([, , address]) => {
      assert.equal(address ?? desk.launched.at(-1)?.at(-1), `${SERVER}/app/open/get-selected-tasks`);
      writeFileSync(join(downloads, 'posthaste-selected-tasks (1).json'), JSON.stringify(said));
      return 0;
    };
    assert.equal(await desk.good('selected', '-o', 'now.json'), join(desk.folder, 'now.json'));
    assert.deepEqual(JSON.parse(readFileSync(join(desk.folder, 'now.json'), 'utf8')), said);
    assert.equal(existsSync(join(downloads, 'posthaste-selected-tasks (1).json')), false);
    const { selected_task_ids: ids, file } = await desk.json<{ selected_task_ids: string[]; file: string }>(
      'selected',
    );
    assert.deepEqual([ids, file], [[garden], join(desk.home, 'selected-tasks.json')]);
    desk.onLaunch = () => 0;
    assert.ok(existsSync(join(downloads, 'posthaste-selected-tasks.json')), 'what was there before stays');
    const silent = await desk.run('selected', '--timeout', '2');
    assert.deepEqual([silent.code, /Let links see which tasks are selected/.test(silent.err)], [4, true]);
  });

  test('[CLI-15] every kind of failure has its code, and is JSON where JSON was asked for', async () => {
    const code = async (...words: string[]) => (await desk.run(...words)).code;
    assert.equal(await code('dance'), 2);
    assert.equal(await code('list', '--colour'), 2);
    assert.equal(await code(), 2);
    assert.equal(await code('--help'), 0);
    const usage = await desk.run('list', '--limit', 'x', '--json');
    assert.deepEqual(JSON.parse(usage.err), {
      success: false,
      code: 'usage',
      error: '--limit needs a number, 1 or more.',
    });
    assert.equal(usage.out, '');
    desk.network = 'gone';
    const offline = await desk.run('list');
    assert.equal(offline.code, 6);
    assert.equal(offline.err, `posthaste: Can't reach the server at ${SERVER}/api (ECONNREFUSED).`);
    desk.network = 'here';
    desk.environment['POSTHASTE_TOKEN'] = 'ph_nonsense';
    assert.equal(await code('list'), 3);
    desk.environment['POSTHASTE_TOKEN'] = desk.user.token;
  });

  test('[CLI-16] every command answers JSON', async () => {
    const { task } = await desk.json<{ task: Task }>('add', 'for JSON');
    desk.environment['BROWSER'] = 'browse';
    const words: Readonly<Record<string, readonly string[]>> = {
      add: ['x'],
      backup: ['backups'],
      import: ['-'],
      show: [task.id],
      complete: [task.id],
      reopen: [task.id],
      edit: [task.id, '--title', 'y'],
      delete: [task.id],
      restore: [task.id],
      duplicate: ['Garden'],
      comments: [task.id],
      comment: [task.id, 'z'],
      blocks: [task.id],
      block: [task.id, 'tomorrow 9:00'],
      twin: ['twin', '--once'],
    };
    desk.input = '- line';
    // Those that sign in, wait for the app, go on, or print for a shell have tests of their own.
    const apart = new Set(['login', 'logout', 'selected', 'macro', 'mcp', 'completion']);
    for (const { name } of commands.filter((command) => !apart.has(command.name)))
      assert.equal((await desk.json(name, ...(words[name] ?? [])))['success'], true, name);
  });

  test('[CLI-18] help says what there is, and completion knows every command and option', async () => {
    const overview = await desk.good('help');
    for (const { name, options } of commands) {
      assert.match(overview, new RegExp(`^  ${name} `, 'm'));
      const help = await desk.good('help', name);
      assert.equal(await desk.good(name, '--help'), help);
      for (const option of options) assert.ok(help.includes(`--${option.name}`), `${name} --${option.name}`);
    }
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await desk.good('completion', shell);
      for (const { name, options } of commands) {
        assert.ok(script.includes(name), `${shell}: ${name}`);
        for (const option of options)
          assert.ok(script.includes(option.name), `${shell}: ${name} --${option.name}`);
      }
    }
    assert.equal((await desk.run('completion', 'tcsh')).code, 2);
    assert.equal((await desk.run('help', 'dance')).code, 2);
    assert.equal(await desk.good('--version'), '1.2.3');
  });
});

describe('the address of a server', () => {
  test('[CLI-14] means its API, encrypted unless it is this machine', () => {
    for (const [said, meant] of [
      ['tasks.example', 'https://tasks.example/api'],
      ['https://tasks.example/', 'https://tasks.example/api'],
      ['https://example.org/tasks/api/', 'https://example.org/tasks/api'],
      ['localhost:4040', 'http://localhost:4040/api'],
      ['127.0.0.1', 'http://127.0.0.1/api'],
      ['localhost.example', 'https://localhost.example/api'],
    ] as const)
      assert.equal(apiAddress(said), meant);
    for (const odd of ['file:///etc/passwd', 'ftp://x', 'a b']) assert.throws(() => apiAddress(odd));
  });
});

describe('signing in', () => {
  let desk: Desk;
  before(async () => {
    desk = await createDesk();
    desk.environment = {};
  });
  after(() => desk.close());

  const file = () => join(desk.home, 'credentials.json');

  test('[CLI-14] keeps a token that only its owner can read, for the server it came from', async () => {
    const before_ = await desk.run('list');
    assert.deepEqual([before_.code, /posthaste login --url/.test(before_.err)], [3, true]);
    // Typed before anybody signed in: it waits for who does.
    assert.equal((await desk.run('add', 'Early bird')).code, 3);
    desk.input = 'wrong password here\n';
    assert.equal((await desk.run('login', '--url', SERVER, '--email', 'ada@example.org')).code, 3);
    assert.equal(existsSync(file()), false);
    desk.input = `${GOOD_PASSWORD}\n`;
    const said = await desk.good('login', '--url', 'tasks.example', '--email', 'ada@example.org');
    assert.equal(said, `Signed in at ${SERVER}/api as ada@example.org.`);
    assert.deepEqual([statSync(file()).mode & 0o777, statSync(desk.home).mode & 0o777], [0o600, 0o700]);
    const { err } = await desk.run('list');
    assert.match(err, /Sent one task from the outbox/);
    assert.match(await desk.good('status'), /account {2}ada@example\.org\ntoken {4}from /);
    chmodSync(file(), 0o644);
    assert.match((await desk.run('list')).err, /Others on this machine could read/);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    // Another server gets no token of this one.
    desk.environment = { POSTHASTE_URL: 'https://elsewhere.example' };
    const count = desk.requests.length;
    assert.equal((await desk.run('list')).code, 3);
    assert.equal(desk.requests.length, count);
    desk.environment = {};
    assert.equal((await desk.run('login', 'secret')).code, 2);
  });

  test('[CLI-14] a token of the app serves as well, the environment goes before, and signing out ends it', async () => {
    const response = await desk.user.server.ask('/app/api/tokens', {
      method: 'POST',
      cookie: desk.user.cookie,
      body: { name: 'Laptop', access: 'write' },
    });
    const { token } = (await response.json()) as { token: string };
    desk.input = `${token}\n`;
    await desk.good('login', '--token', '--url', SERVER);
    await desk.good('add', 'with a token of the app');
    desk.environment = { POSTHASTE_TOKEN: 'ph_other' };
    assert.equal((await desk.run('list')).code, 3);
    desk.environment = {};
    assert.equal(await desk.good('logout'), 'Signed out.');
    assert.equal(existsSync(file()), false);
    assert.equal((await desk.run('logout')).code, 3);
    const { status } = await desk.user.server.ask('/tasks', { bearer: token });
    assert.equal(status, 401);
  });
});
