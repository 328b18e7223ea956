// Adding from the command line: what a line means, and that nothing typed is lost or added twice.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Task } from '#wire/api/client.ts';
import { createDesk, type Desk } from './desk.ts';

const DAY = 86_400_000;

describe('adding', () => {
  let desk: Desk;
  before(async () => {
    desk = await createDesk();
    await desk.user.label({ name: 'At home', color_hex_string: '#3366ff' });
    const { id } = await desk.user.list({ name: 'Home', list_type: 'folder' });
    await desk.user.list({ name: 'Garden', parent_id: id });
  });
  after(() => desk.close());

  const titles = async () => (await desk.user.tasks()).map(({ title }) => title).toSorted();
  const waiting = () => readdirSync(join(desk.home, 'outbox'));
  const add = async (...words: string[]) => (await desk.json<{ task: Task }>('add', ...words)).task;

  test('[CLI-1] reads dates, repeats, lengths, labels and lists as quick entry does', async () => {
    const said = await desk.good('add', 'Cut the hedge tomorrow 5pm for 45 min #At home @Garden');
    assert.match(
      said,
      /^Added ‘Cut the hedge’, due Sat 21 Nov, 17:00, 45 min, #At home, @Garden to Garden\. {2}[0-9a-f]{6}$/,
    );
    const [hedge] = await desk.user.tasks('?query=hedge');
    const lists = await desk.user.lists();
    assert.equal(hedge?.due_at, '2026-11-21T16:00:00.000Z');
    assert.deepEqual([hedge?.duration_minutes, hedge?.label_names], [45, ['At home']]);
    assert.equal(lists.find(({ id }) => id === hedge?.list_id)?.name, 'Garden');

    const water = await add('Water the beds every 2 weeks on mon');
    assert.deepEqual(
      [water.title, water.repeat_value, water.repeat_unit, water.repeat_unit_metadata],
      ['Water the beds', 2, 'weeks', { weekdays: ['Mon'] }],
    );
    const plain = await add('--literal', 'Call tomorrow #At home');
    assert.deepEqual(
      [plain.title, plain.timeless_due_at, plain.label_ids],
      ['Call tomorrow #At home', null, []],
    );
    // Nothing but a date is a title.
    assert.equal((await add('Tomorrow')).title, 'Tomorrow');
  });

  test('[CLI-1] options go before words', async () => {
    const words = 'Paint the fence tomorrow --for 1h30 --start monday --list home/garden --top'.split(' ');
    const task = await add(...words, '--due', '27 nov 9:00', '--label', 'At home', '--notes', 'Two coats');
    assert.deepEqual(
      [task.title, task.due_at, task.timeless_due_at, task.timeless_starts_at],
      ['Paint the fence', '2026-11-27T08:00:00.000Z', null, '2026-11-23'],
    );
    assert.deepEqual([task.duration_minutes, task.label_names, task.notes], [90, ['At home'], 'Two coats']);
    const under = await add('Sand it', '--under', task.id.slice(-6));
    assert.deepEqual([under.parent_id, under.list_id], [task.id, task.list_id]);
    const garden = await desk.json<{ tasks: Task[] }>('list', '--list', 'Garden');
    assert.equal(garden.tasks[0]?.id, task.id);
  });

  test('[CLI-1] [TIME-23] a range of days is both dates, unless the start is said by itself', async () => {
    const dates = async (...words: string[]) => {
      const { timeless_due_at: due, timeless_starts_at: start } = await add('Travel', ...words);
      return [start, due];
    };
    assert.deepEqual(await dates('--due', '3-10 dec'), ['2026-12-03', '2026-12-10']);
    assert.deepEqual(await dates('--due', '3-10 dec', '--start', 'mon to fri'), ['2026-11-23', '2026-12-10']);
  });

  test('[CLI-1] [ENTRY-14] it reads what the app reads, says it, and --literal takes nothing', async () => {
    const task = await add('Diet starting monday');
    assert.deepEqual([task.title, task.timeless_starts_at], ['Diet', '2026-11-23']);
    const said = await desk.good('add', 'Ask Ben until 5 dec');
    assert.match(said, /Added ‘Ask Ben’, snoozed until Sat 5 Dec to Inbox/);
    const camp = await add('Camp 4-6 dec');
    assert.deepEqual([camp.timeless_starts_at, camp.timeless_due_at], ['2026-12-04', '2026-12-06']);
    const own = await add('Diet starting monday', '--start', 'tomorrow 9am');
    assert.deepEqual([own.title, own.timeless_starts_at], ['Diet', null]);
    const { task: plain, read } = await desk.json<{ task: Task; read: readonly string[] }>(
      'add',
      'Call Ann tomorrow',
      '--literal',
    );
    assert.deepEqual([plain.title, plain.timeless_due_at, read], ['Call Ann tomorrow', null, []]);
  });

  test('[CLI-1] a name that nothing has stays in the title and is said', async () => {
    const { err, out } = await desk.run('add', 'Ask about #nowhere');
    assert.match(out, /‘Ask about #nowhere’/);
    assert.match(err, /no known/i);
  });

  test('the input is a task of its own: a title, and notes', async () => {
    desk.input = '\nRead the letter\r\n\r\nIt came on Monday.\nTwice.\n';
    const task = await add('-');
    assert.deepEqual([task.title, task.notes], ['Read the letter', 'It came on Monday.\nTwice.']);
  });

  test('[CLI-3] [CLI-4] without a server it is printed back, kept, and sent once by the next command', async () => {
    desk.network = 'gone';
    const gone = await desk.run('add', 'Buy stamps tomorrow', '--notes', 'Ten of them');
    assert.equal(gone.code, 6);
    assert.match(gone.err, /Can't reach the server at \S+ \(ECONNREFUSED\)/);
    assert.match(gone.err, /\n {2}Buy stamps tomorrow\n {2}Ten of them$/);
    assert.equal(waiting().length, 1);
    // The request arrives, and the answer does not.
    desk.network = 'deaf';
    assert.equal((await desk.run('add', 'Post the letters')).code, 6);
    assert.equal((await titles()).filter((title) => title === 'Buy stamps').length, 1);
    desk.network = 'here';
    const { err } = await desk.run('list');
    assert.match(err, /Sent 2 tasks from the outbox/);
    assert.deepEqual(waiting(), []);
    const all = await titles();
    for (const title of ['Buy stamps', 'Post the letters'])
      assert.equal(all.filter((each) => each === title).length, 1, title);
  });

  test('[CLI-4] what was made and put into the trash meanwhile does not come back', async () => {
    desk.network = 'deaf';
    await desk.run('add', 'Once only');
    desk.network = 'here';
    const [task] = await desk.user.tasks('?query=Once');
    assert.ok(task);
    await desk.user.call('DELETE', `/tasks/${task.id}`);
    assert.equal((await desk.run('list')).code, 0);
    assert.deepEqual([waiting(), await desk.user.tasks('?query=Once')], [[], []]);
  });

  test('[CLI-2] what is sent later means what it meant', async () => {
    desk.network = 'gone';
    await desk.run('add', 'Ring the bell tomorrow');
    desk.user.server.clock.pass(5 * DAY);
    desk.network = 'here';
    await desk.good('status');
    assert.equal(waiting().length, 1, 'status asks nobody');
    await desk.good('list');
    const [bell] = await desk.user.tasks('?query=bell');
    assert.equal(bell?.timeless_due_at, '2026-11-21');
  });

  test('[CLI-5] what is not understood, or names what is not there, is printed back and not kept', async () => {
    const odd = await desk.run('add', 'Sow beans', '--due', 'whenever');
    assert.equal(odd.code, 2);
    assert.match(
      odd.err,
      /“whenever” isn't a date\. Try tomorrow 5pm\.\nNot added, and not saved:\n {2}Sow beans$/,
    );
    desk.input = 'Sow peas\nin two rows';
    const wrong = await desk.run('add', '-', '--label', 'Attic');
    assert.equal(wrong.code, 4);
    assert.match(wrong.err, /no label “Attic”.*\n {2}Sow peas\n {2}in two rows$/s);
    assert.equal((await desk.run('add', 'Sow peas', '--list', 'Attic')).code, 4);
    await desk.user.label({ name: 'Attic' });
    await desk.user.list({ name: 'Attic' });
    desk.user.server.clock.pass(3_600_000);
    await desk.good('list');
    await desk.good('outbox', 'send');
    assert.deepEqual([waiting(), await desk.user.tasks('?query=peas')], [[], []]);
    await desk.good('add', 'Sow peas', '--label', 'Attic');
    assert.equal((await desk.user.tasks('?query=peas')).length, 1);
  });

  test('[CLI-5] what the server refuses is printed back, stays, and is sent again only when told to', async () => {
    const refused = await desk.run('add', `${'x'.repeat(5_000)} tomorrow`);
    assert.equal(refused.code, 5);
    assert.match(
      refused.err,
      /title.*\nNot added\. It's in the outbox. Retry with posthaste outbox send \w{6}/s,
    );
    // What waits and cannot be understood once there is a server again is kept too: nobody is there to type it again.
    desk.network = 'gone';
    assert.equal((await desk.run('add', 'Sow leeks', '--list', 'Cellar')).code, 6);
    desk.network = 'here';
    assert.match((await desk.run('list')).err, /Not added: Sow leeks\n.*no list “Cellar”/);
    const sentBefore = desk.requests.filter((line) => line.startsWith('POST')).length;
    await desk.good('list');
    assert.equal(await desk.good('outbox', 'send'), 'Sent 0 tasks.');
    assert.equal(desk.requests.filter((line) => line.startsWith('POST')).length, sentBefore);
    assert.match(await desk.good('status'), /outbox {3}2 refused \(see: posthaste outbox\)/);
    const { outbox } = await desk.json<{ outbox: { id: string; said: { text: string } }[] }>('outbox');
    const [long, leeks] = outbox.map(({ id }) => id.slice(-6)) as [string, string];
    assert.match(await desk.good('outbox'), /refused: .*\n.*Sow leeks\n +refused: There's no list “Cellar”/);
    assert.equal((await desk.run('outbox', 'send', long)).code, 5, 'it is as long as before');
    await desk.user.list({ name: 'Cellar' });
    desk.user.server.clock.pass(3_600_000);
    assert.equal(await desk.good('outbox', 'send', leeks), 'Sent one task.');
    await desk.good('outbox', 'drop', long);
    assert.deepEqual(waiting(), []);
    assert.equal((await desk.user.tasks('?query=leeks')).length, 1);
  });

  test('[CLI-5] a token for reading is not tried again and again', async () => {
    const { account, server } = desk.user;
    const reading = { account, kind: 'api', userAgent: '', access: 'read' } as const;
    const { token } = await server.services.sessions.open(reading);
    const before_ = desk.environment;
    desk.environment = { ...before_, POSTHASTE_TOKEN: token };
    const { code, err } = await desk.run('add', 'Not allowed');
    assert.equal(code, 3);
    assert.match(err, /read-only.*in the outbox/s);
    const posts = () => desk.requests.filter((line) => line.startsWith('POST')).length;
    const count = posts();
    await desk.good('list');
    assert.equal(posts(), count);
    desk.environment = before_;
    const [file] = waiting();
    rmSync(join(desk.home, 'outbox', file!));
  });

  test('[CLI-14] what waits for another server is shown, counted nowhere else, and not sent here', async () => {
    const before_ = desk.environment;
    desk.environment = { ...before_, POSTHASTE_URL: 'https://other.example', POSTHASTE_TOKEN: 'ph_other' };
    desk.network = 'gone';
    await desk.run('add', 'For the other one');
    assert.match(await desk.good('status'), /outbox {3}1 to send/);
    desk.network = 'here';
    desk.environment = before_;
    assert.match(await desk.good('status'), /outbox {3}empty/);
    assert.match(
      await desk.good('outbox'),
      /For the other one\n +for another account at https:\/\/other.example/,
    );
    const { outbox } = await desk.json<{ outbox: { id: string }[] }>('outbox');
    await desk.good('outbox', 'send');
    assert.equal((await desk.run('outbox', 'send', outbox[0]!.id)).code, 3);
    assert.deepEqual([waiting().length, await desk.user.tasks('?query=other')], [1, []]);
    await desk.good('outbox', 'drop', outbox[0]!.id);
  });

  test('[CLI-3] a file of the outbox that cannot be read is named and left there', async () => {
    const file = join(desk.home, 'outbox', '0.json');
    writeFileSync(file, '{"id": "cut sh');
    const { code, err } = await desk.run('list');
    assert.deepEqual([code, err], [0, `${file} can't be read. It stays there.`]);
    assert.ok(existsSync(file));
    rmSync(file);
  });

  test('[CLI-3] whatever is typed is in a task or in the outbox', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        'tomorrow',
        'every 2 weeks',
        '#At home',
        '@Garden',
        '#',
        '@',
        '"',
        'for 1h',
        '5pm',
        '\u001b[2J',
        '\u0000',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
        const text = pieces.join(' ');
        const { code, out, err } = await desk.run('add', '--json', '--', text);
        assert.ok(!err.includes('.ts:'), err);
        if (text.trim() === '') assert.equal(code, 2);
        else if (code === 0) assert.notEqual((JSON.parse(out) as { task: Task }).task.title, '');
        else {
          assert.equal(code, 5, err);
          const { outbox } = await desk.json<{ outbox: { id: string; said: { text: string } }[] }>('outbox');
          assert.deepEqual(
            outbox.map(({ said }) => said.text),
            [text],
          );
          await desk.good('outbox', 'drop', ...outbox.map(({ id }) => id));
        }
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  test('[CLI-5] without words nothing is sent', async () => {
    assert.equal((await desk.run('add')).code, 2);
    desk.input = '\n';
    assert.equal((await desk.run('add', '-')).code, 2);
  });

  test('[CLI-17] names are asked for once in ten minutes, and only when a line has one', async () => {
    desk.user.server.clock.pass(3_600_000);
    const before_ = desk.requests.length;
    await add('No names in here');
    await add('Sweep #At home');
    await add('Mop #At home @Garden');
    assert.deepEqual(desk.requests.slice(before_), [
      'POST /api/tasks',
      'GET /api/tasks?limit=1',
      'POST /api/tasks',
      'POST /api/tasks',
    ]);
  });

  test('[CLI-6] an outline becomes tasks under tasks, once, whatever becomes of the answer', async () => {
    desk.input = '- Party\n  - [x] Invite\n  - Cake\n    with candles\n- Tidy up\n';
    desk.network = 'deaf';
    assert.equal((await desk.run('import', '-', '--list', 'Garden')).code, 6);
    desk.network = 'here';
    await desk.good('list');
    const tasks = (await desk.json<{ tasks: Task[] }>('list', '--list', 'Garden', '--status', 'all')).tasks;
    const party = tasks.slice(tasks.findIndex(({ title }) => title === 'Party'));
    assert.deepEqual(
      party.map(({ title, indent_level: level, is_complete: done, notes }) => [title, level, done, notes]),
      [
        ['Party', 0, false, ''],
        ['Invite', 1, true, ''],
        ['Cake', 1, false, 'with candles'],
        ['Tidy up', 0, false, ''],
      ],
    );
    assert.equal((await desk.run('import', 'no-such-file')).code, 4);
    desk.input = ' \n';
    assert.equal((await desk.run('import', '-')).code, 2);
  });

  test('[CLI-6] every encoding is read; what can’t be imported is refused and makes nothing', async () => {
    const inFolder = (name: string, bytes: string | Uint8Array) =>
      writeFileSync(join(desk.folder, name), bytes);
    const titles = async (...words: string[]) =>
      (await desk.json<{ tasks: Task[] }>('import', ...words)).tasks.map(({ title }) => title);
    inFolder('wide.txt', Buffer.from('\uFEFFÜben\nspäter', 'utf16le'));
    assert.deepEqual(await titles('wide.txt'), ['Üben', 'später']);
    desk.input = Buffer.from('Üben\nspäter', 'utf16le');
    assert.deepEqual(await titles('-'), ['Üben', 'später']);
    inFolder('old.txt', Buffer.from('\xdcben', 'latin1'));
    const old = await desk.run('import', 'old.txt');
    assert.deepEqual([old.code, /Windows-1252/.test(old.err)], [0, true]);
    const others: Readonly<Record<string, string | Uint8Array>> = {
      'a.json': '{"format": "posthaste"}',
      'b.txt': '{"format": "posthaste"}',
      'a.ics': 'BEGIN:VCALENDAR\nEND:VCALENDAR',
      'a.txt': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]),
    };
    for (const [name, bytes] of Object.entries(others)) {
      inFolder(name, bytes);
      const { length } = desk.requests;
      const { code, err } = await desk.run('import', name);
      assert.deepEqual(
        [code, err.includes(name), desk.requests.length],
        [2, true, length],
        `${name}: ${err}`,
      );
    }
  });

  test('[CLI-6] more than one call takes is made all the same', async () => {
    desk.input = Array.from({ length: 700 }, (_, at) => `${at % 7 === 0 ? '' : '  '}line ${at}`).join('\n');
    const { tasks } = await desk.json<{ tasks: Task[] }>('import', '-');
    assert.equal(tasks.length, 700);
    assert.equal(tasks.filter(({ parent_id: parent }) => parent === null).length, 100);
  });
});
