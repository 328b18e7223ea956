// What links into the app ask for, and what is refused: a table of addresses, and hostile ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readLink, type Link } from './read.ts';

const ID = '01890000-0000-7000-8000-000000000001';

function linkOf(address: string): Link {
  const result = readLink(address);
  assert.ok(result.ok, result.ok ? '' : `${address}: ${result.problem}`);
  return result.value;
}

const problemOf = (address: string) => {
  const result = readLink(address);
  return result.ok ? null : result.problem;
};

describe('links into the app', () => {
  test('[LINK-1] name lists by id or by the names on the way down', () => {
    assert.deepEqual(linkOf(`/app/open/lists/id/${ID}`), { type: 'list', place: { type: 'id', id: ID } });
    assert.deepEqual(linkOf('/app/open/lists/path/Home/Garden%2FBeds'), {
      type: 'list',
      place: { type: 'path', names: ['Home', 'Garden/Beds'] },
    });
    for (const same of [
      'posthaste:lists/path/Home',
      'posthaste://lists/path/Home',
      'POSTHASTE:lists/path/Home',
    ])
      assert.deepEqual(linkOf(same), linkOf('web+posthaste:lists/path/Home'), same);
    assert.deepEqual(linkOf('web+posthaste://lists/path/Home'), {
      type: 'list',
      place: { type: 'path', names: ['Home'] },
    });
    for (const address of ['lists', 'lists/id/x', 'lists/path', 'lists/elsewhere/x', 'lists/path/%E0%A4%A'])
      assert.match(problemOf(`/app/open/${address}`) ?? '', /needs an id or a path/);
  });

  test('[LINK-9] name a task by its id only', () => {
    assert.deepEqual(linkOf(`/app/open/tasks/id/${ID}`), { type: 'open task', id: ID });
    for (const address of ['tasks', 'tasks/id/x', 'tasks/path/Home', `tasks/${ID}`])
      assert.match(problemOf(`/app/open/${address}`) ?? '', /needs its id/);
  });

  test('[LINK-2] a task comes with everything that the parameters say', () => {
    const query =
      'title=Buy+milk&dueAtTimestamp=1764000000&startsAtQuery=tomorrow&durationMinutes=15&notes=a%0Ab' +
      '&label=Errands&label=at%20Home&shouldSelectItem=true&shouldPrepend=';
    assert.deepEqual(linkOf(`/app/open/quick-entry/path/Home?${query}`), {
      type: 'task',
      task: {
        place: { type: 'path', names: ['Home'] },
        title: 'Buy milk',
        notes: 'a\nb',
        due: { at: 1_764_000_000_000 },
        start: { words: 'tomorrow' },
        duration: 15,
        labels: ['Errands', 'at Home'],
        selects: true,
        prepends: true,
        asks: false,
        problems: [],
      },
    });
    const task = linkOf('/app/open/quick-entry?title=x&shouldSelectItem=false&dueAtTimestamp=1764000000123');
    assert.ok(task.type === 'task');
    assert.deepEqual(
      [task.task.selects, task.task.prepends, task.task.due],
      [false, false, { at: 1_764_000_000_123 }],
    );
  });

  test('[LINK-2] what is not understood is said part by part, and the rest is kept', () => {
    const taskOf = (query: string) => {
      const link = linkOf(`/app/open/quick-entry?${query}`);
      assert.ok(link.type === 'task');
      return link.task;
    };
    for (const minutes of ['abc', '-5', '0', '1.5', '1e9'])
      assert.deepEqual(taskOf(`title=x&durationMinutes=${minutes}`).problems, [
        `“${minutes}” isn’t a number of minutes.`,
      ]);
    const task = taskOf(
      'title=Gone&notes=hello&dueAtTimestamp=blah&dueAtQuery=monday&startsAtTimestamp=9e99&durationMinutes=a',
    );
    assert.deepEqual(
      [task.title, task.notes, task.due, task.start, task.duration],
      ['Gone', 'hello', { words: 'monday' }, null, null],
    );
    assert.deepEqual(task.problems, [
      '“blah” isn’t a timestamp.',
      '“9e99” isn’t a timestamp.',
      '“a” isn’t a number of minutes.',
    ]);
    assert.deepEqual(taskOf('title=x&due=tomorrow&labels=a&labels=b&Notes=').problems, [
      'Posthaste doesn’t know ‘due’ in this link.',
      'Posthaste doesn’t know ‘labels’ in this link.',
      'Posthaste doesn’t know ‘Notes’ in this link.',
    ]);
    assert.deepEqual(taskOf('a=&b=&c=&d=&e=&f=&g=').problems.slice(4), [
      'Posthaste doesn’t know ‘e’ in this link.',
      'It has 2 more that are unknown.',
    ]);
    assert.deepEqual(taskOf('title=x&&utm_source=mail&UTM_id=1&fbclid=2&gclid=3&').problems, []);
  });

  test('[LINK-3] lists and folders need a name', () => {
    assert.deepEqual(linkOf('/app/open/create-list/path/Home?name=Garden'), {
      type: 'create',
      kind: 'list',
      name: 'Garden',
      place: { type: 'path', names: ['Home'] },
    });
    assert.deepEqual(linkOf('/app/open/create-folder?name=Work'), {
      type: 'create',
      kind: 'folder',
      name: 'Work',
      place: null,
    });
    assert.match(problemOf('/app/open/create-list?name=+') ?? '', /needs a name/);
  });

  test('[LINK-4] what is shared becomes a title and notes', () => {
    const shared = linkOf('/app/open/share?title=A+page&text=Read+this&url=https%3A%2F%2Fexample.org');
    assert.ok(shared.type === 'task');
    assert.deepEqual([shared.task.title, shared.task.notes], ['A page', 'Read this\nhttps://example.org']);
    assert.equal(shared.task.asks, true);
    const more = linkOf('/app/open/share?title=A+page&files=1');
    assert.deepEqual(more.type === 'task' && [more.task.problems, more.task.asks], [[], true]);
  });

  test('[LINK-5] a macro gets the values of its variables; what is not understood says so', () => {
    assert.deepEqual(linkOf(`/app/open/run-macro/id/${ID}?x=1&utm_source=m&2=no&y=a+b`), {
      type: 'macro',
      id: ID,
      values: { x: '1', y: 'a b' },
    });
    for (const address of [
      '/app/open/format-disk',
      '/app',
      '/elsewhere',
      'data:text/html,x',
      'https://example.org',
    ])
      assert.equal(problemOf(address), 'Posthaste can’t read this link.');
  });

  test('[SHARE-124] an invitation is letters, digits, - and _', () => {
    const link = { type: 'invitation', token: 'aB-9_' };
    assert.deepEqual(linkOf('/app/open/accept-list-invite/aB-9_'), link);
    assert.deepEqual(linkOf('web+posthaste:accept-list-invite/aB-9_'), link);
    for (const part of ['', '%3Cb%3E', 'a/b', '%', '..', 'a'.repeat(201)])
      assert.match(
        problemOf(`/app/open/accept-list-invite/${part}`) ?? '',
        /^This invitation link is incomplete\./,
      );
  });

  test('[LINK-8] a promo code is letters, digits, - and _', () => {
    assert.deepEqual(linkOf('/app/open/enter-promo-code/SAVE-10'), { type: 'promo', code: 'SAVE-10' });
    for (const part of ['', '%3Cb%3E', 'a/b', '%', '%20', '..'])
      assert.equal(problemOf(`/app/open/enter-promo-code/${part}`), 'This link has no promo code.');
  });

  test('[LINK-5] an address of our protocol is unwrapped once', () => {
    const inner = encodeURIComponent('web+posthaste:quick-entry?title=x');
    assert.equal(linkOf(`/app/open?u=${inner}`).type, 'task');
    assert.notEqual(problemOf(`/app/open?u=${encodeURIComponent('https://example.org')}`), null);
    const twice = encodeURIComponent(`web+posthaste:?u=${inner}`);
    assert.deepEqual(linkOf(`/app/open?u=${twice}`), { type: 'home' });
  });

  test('[LINK-5] nothing that a page can put into a link makes it throw, and everything has a length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.webQueryParameters(), (path, query) => {
        for (const address of [path, `/app/open/${path}`, `/app/open/quick-entry/${path}?${query}`])
          readLink(address);
      }),
      { numRuns: 5_000, seed: 1 },
    );
    const long = linkOf(
      `/app/open/quick-entry?title=${'x'.repeat(5_000)}&notes=${'y'.repeat(30_000)}${'&label=a'.repeat(90)}`,
    );
    assert.ok(long.type === 'task');
    assert.deepEqual(
      [long.task.title.length, long.task.notes.length, long.task.labels.length],
      [1_000, 20_000, 50],
    );
    assert.equal(problemOf(`/app/open/quick-entry?title=${'x'.repeat(70_000)}`), 'This link is too long.');
  });
});
