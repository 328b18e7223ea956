// Smart lists at the keyboard: saved from the search, opened, worked in, and explained.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtInId } from '#client/search/built-in.ts';
import { must } from '#core/assert.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { id, office } from './office.ts';
import { registersOf, fieldOf } from '#sync/rows/row.ts';

function saved(query: string, name = 'Mine'): Desk {
  const desk = office();
  desk.press('/');
  desk.app.searchInput(query);
  desk.press('Mod+Enter');
  desk.type(name);
  desk.press('Enter');
  assert.equal(desk.app.view.header.get().title, name);
  return desk;
}

const counts = (desk: Desk) =>
  Object.fromEntries(desk.app.view.sidebar.rows.get().map(({ name, openCount }) => [name, openCount]));

describe('smart lists', () => {
  test('[SMART-1] a search is saved by a key, counted and live', () => {
    const desk = saved('is:open -in:work (is:snoozed OR is:leaf)');
    assert.equal(desk.app.view.header.get().kind, 'smart');
    assert.equal(desk.screen(), '> Pay rent\n  Plant tulips');
    assert.equal(counts(desk)['Mine'], 2);
    desk.press('Space');
    assert.equal(desk.screen(), '> Plant tulips');
    assert.equal(counts(desk)['Mine'], 1);
    desk.press('Mod+Z');
    assert.equal(counts(desk)['Mine'], 2);
    desk.press('Mod+Z');
    assert.equal(counts(desk)['Mine'], undefined, 'its creation is taken back, too');
  });

  test('[SMART-2] nested tasks, and those that match twice', () => {
    const desk = saved('is:due');
    assert.equal(desk.screen(), '> Quarterly café report\n    Collect numbers\n  Collect numbers');
    const lines = desk.rows().map(({ line }) => line);
    assert.equal(new Set(lines).size, 3);
    desk.press('Down', 'Down');
    assert.deepEqual(
      desk.rows().map(({ cursor }) => cursor),
      [false, false, true],
    );
    desk.press('Up');
    assert.deepEqual(
      desk.rows().map(({ cursor }) => cursor),
      [false, true, false],
    );
    desk.press('Left', 'Left');
    assert.equal(desk.screen(), '> Quarterly café report +\n  Collect numbers');
    for (const [query, screen] of [
      ['is:due disable:duplicates', '> Quarterly café report +'],
      ['is:due disable:nested', '> Quarterly café report\n  Collect numbers'],
      ['is:due enable:nested limit:1', '> Quarterly café report +'],
    ] as const) {
      desk.app.run('list.editQuery');
      assert.deepEqual(desk.app.view.focus.get(), { pane: 'search' });
      desk.app.searchInput(query);
      desk.press('Mod+Enter');
      assert.equal(desk.app.view.header.get().title, 'Mine');
      assert.equal(desk.screen(), screen, query);
    }
  });

  test('[SMART-2] going from match to match comes to an end where a task has two lines', () => {
    const desk = saved('is:due');
    for (const command of ['search.sameWord', 'search.sameWordBack']) {
      assert.deepEqual(desk.app.run(command), {
        type: 'refused',
        reason: 'Nothing else here matches ‘Quarterly’.',
      });
      assert.equal(desk.rows()[0]?.cursor, true);
    }
  });

  test('[SMART-3] [SMART-11] in the order asked for, else of creation; what has no such date comes last', () => {
    const titles = (desk: Desk) => desk.rows().map(({ title }) => title);
    const desk = saved('is:open list:Inbox');
    desk.timers.advance(1_000);
    desk.replica.issue([
      { a: 'create', id: id('A'), type: 'task', fields: { title: 'A' }, place: { parent: inboxId(SCOPE) } },
    ]);
    assert.deepEqual(titles(desk), ['Pay rent', 'A']);
    assert.deepEqual(
      titles(saved('is:open disable:nested -list:Inbox (is:leaf OR has:snooze OR is:parent) sort:due-date')),
      ['Collect numbers', 'Quarterly café report', 'Plant tulips'],
    );
    assert.deepEqual(
      titles(
        saved('is:open disable:nested -list:Inbox (is:leaf OR has:snooze OR is:parent) sort:due-date-desc'),
      ),
      ['Plant tulips', 'Quarterly café report', 'Collect numbers'],
    );
  });

  test('[SMART-4] a new task gets what the query asks for, or it is said why not', () => {
    const desk = saved('list:Garden label:waiting due:"next week" snoozed:tomorrow');
    desk.press('Enter');
    desk.type('Dig');
    desk.press('Escape');
    const made = desk.replica.row(
      desk.app.view.focus.get().pane === 'outline' ? (desk.rows()[0]?.id as Id) : id('x'),
    );
    assert.equal(fieldOf(made, 'title'), 'Dig');
    assert.equal(fieldOf(made, 'place')?.parent, id('Garden'));
    assert.deepEqual(fieldOf(made, 'due'), { on: '2026-11-30' });
    assert.equal(registersOf(made)[`label:${id('Waiting')}`], true);
    assert.equal(desk.screen(), '> Dig');
    assert.equal(counts(desk)['Mine'], 1);
    const other = saved('rent', 'Words');
    other.press('Ctrl+Enter');
    assert.equal(other.message, 'You can’t add a task here. It would not be with “rent”.');
    const none = saved('has:attachment', 'Files');
    assert.match(none.app.view.empty.get()?.text ?? '', /^You can’t add a task here/);
  });

  test('[SMART-5] a title that matches no more stays until it is left', () => {
    const desk = saved('rent');
    desk.press('Enter');
    const rent = desk.rows()[0]?.id as Id;
    desk.app.draftTitle(rent, 'Pay', 3);
    desk.timers.advance(5_000);
    assert.equal(fieldOf(desk.replica.row(rent), 'title'), 'Pay');
    assert.equal(desk.screen().includes('Pay'), true);
    desk.press('Escape');
    assert.equal(desk.rows().length, 0);
  });

  test('[SMART-8] who is snoozed is away until then, unless the query asks', () => {
    const desk = saved('list:Garden');
    assert.equal(desk.rows().length, 0);
    assert.equal(counts(desk)['Mine'], 0);
    desk.app.run('task.whyNotHere', { task: id('Plant tulips') });
    assert.equal(desk.message, '‘Plant tulips’ isn’t here because it’s snoozed.');
    desk.app.run('view.snoozed');
    assert.equal(desk.screen(), '> Plant tulips');
    assert.equal(counts(desk)['Mine'], 1);
    desk.app.run('view.snoozed');
    assert.equal(desk.rows().length, 0);
    desk.timers.advance(4 * 86_400_000);
    desk.app.tick();
    assert.equal(desk.screen(), '> Plant tulips');
    assert.equal(counts(desk)['Mine'], 1);
    for (const query of ['is:snoozed', 'list:Garden snoozed:any', 'has:snooze'])
      assert.equal(saved(query).screen(), '> Plant tulips', query);
  });

  test('[SMART-8] what hangs below who is snoozed stays by its own date', () => {
    const desk = saved('is:due');
    assert.equal(desk.screen(), '> Quarterly café report\n    Collect numbers\n  Collect numbers');
    desk.app.run('task.snooze');
    desk.type('in 3 days');
    desk.press('Enter');
    assert.equal(desk.screen(), '> Collect numbers');
  });

  test('[SMART-6] [SMART-11] Today and Upcoming are there by their keys, and follow the days', () => {
    const desk = office();
    desk.press('g t');
    assert.equal(desk.screen(), '> Collect numbers\n  Quarterly café report\n    Collect numbers');
    assert.equal(desk.app.view.header.get().count, 2);
    desk.press('g u');
    const asleep = [...desk.replica.all()].find((row) => (fieldOf(row, 'snooze') ?? null) !== null);
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Plant tulips'],
      'by the day that it comes back',
    );
    assert.ok(asleep);
    const rent = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === 'Pay rent')?.id as Id;
    const value = { on: '2026-11-28' };
    desk.replica.issue([
      { a: 'set', id: rent, field: 'due', value },
      { a: 'set', id: id('Plant tulips'), field: 'due', value },
    ]);
    assert.equal(
      desk.screen(),
      '  Pay rent\n> Plant tulips',
      'what wakes after it is due stands by that day',
    );
    desk.timers.advance(86_400_000);
    desk.app.tick();
    assert.equal(desk.screen(), '> Plant tulips', 'tomorrow has become today');
    desk.press('g t');
    assert.equal(desk.app.view.header.get().count, 3, 'what is snoozed waits');
    desk.timers.advance(2 * 86_400_000);
    desk.app.tick();
    assert.equal(desk.app.view.header.get().count, 4);
    assert.ok(START > 0);
  });

  test('[SMART-11] what is snoozed until later today is in Upcoming until it is back in Today', () => {
    const desk = office();
    const titles = (key: string) => {
      desk.press(key);
      return desk.rows().map(({ title }) => title);
    };
    desk.press('g t');
    const [first] = desk.rows();
    assert.ok(first);
    desk.app.run('task.snooze', { value: 'in 2 hours' });
    assert.ok(!titles('g t').includes(first.title));
    const away = () => desk.app.view.header.get().away;
    assert.deepEqual([away().snoozed, away().showsSnoozed], [1, false], 'Today says that something waits');
    for (const row of desk.rows()) desk.replica.issue([{ a: 'set', id: row.id, field: 'due', value: null }]);
    assert.equal(desk.app.view.empty.get()?.heading, 'Nothing left for now');
    assert.equal(desk.app.view.empty.get()?.text, 'One task is snoozed until later.');
    desk.app.run('view.snoozed');
    assert.ok(titles('g t').includes(first.title), 'and shows it when asked');
    desk.app.run('view.snoozed');
    assert.ok(!titles('g t').includes(first.title));
    assert.ok(titles('g u').includes(first.title));
    assert.equal(away().snoozed, 0, 'nothing waits where it is shown');
    desk.timers.advance(3 * 3_600_000);
    desk.app.tick();
    assert.ok(!titles('g u').includes(first.title));
    assert.ok(titles('g t').includes(first.title));
  });

  test('[SMART-6] Today and Upcoming are not deleted: they would be there again', () => {
    const desk = office();
    for (const [key, name] of [
      ['g t', 'Today'],
      ['g u', 'Upcoming'],
    ] as const) {
      desk.press(key);
      desk.app.run('list.delete');
      assert.equal(desk.message, `‘${name}’ is always there.`);
      assert.equal(desk.app.view.header.get().title, name);
    }
  });

  test('[SMART-12] beside Today stands how many of it are overdue', () => {
    const desk = office();
    const late = () => desk.app.view.sidebar.rows.get().map(({ name, lateCount }) => [name, lateCount]);
    desk.press('g t');
    assert.deepEqual(late().slice(0, 2), [
      ['Today', 1],
      ['Upcoming', 0],
    ]);
    desk.press('Space');
    assert.deepEqual(late()[0], ['Today', 0]);
  });

  test('[SMART-6] a Today or Upcoming of an earlier version is brought up to date when it is opened, one’s own is not', () => {
    const desk = office();
    for (const [key, name, formerly] of [
      ['g t', 'today', ['is:due -is:snoozed sort:due-date']],
      [
        'g u',
        'upcoming',
        [
          'is:incomplete due:>today sort:due-date',
          'is:incomplete (due:>today OR snoozed:>today) sort:due-date',
        ],
      ],
    ] as const) {
      desk.press(key);
      const id = builtInId(SCOPE, name);
      const query = () => fieldOf(desk.replica.row(id), 'query');
      const after = (value: string) => {
        desk.replica.issue([{ a: 'set', id, field: 'query', value }]);
        desk.press('g i', key);
        return query();
      };
      const built = query();
      for (const former of formerly) assert.equal(after(former), built);
      assert.equal(after('due:>today'), 'due:>today');
    }
  });

  test('[SMART-9] what is sorted by due date stands under its days, which rows do not say again', () => {
    const desk = new Desk(
      ['> Late', '  Parcel', '  Essay', '  Trash', '  Rent', '  Dentist', '  Hall'].join('\n'),
    );
    const due = (title: string, text: string) => {
      desk.app.pressRow(must(desk.rows().find((row) => row.title === title)?.id, title), {
        shift: false,
        mod: false,
      });
      desk.press('d');
      desk.app.paletteInput(text);
      desk.press('Enter');
    };
    due('Late', '20 nov 2026');
    due('Parcel', 'today');
    due('Essay', 'today 14:00');
    due('Trash', 'today 20:00');
    due('Rent', 'tomorrow');
    due('Dentist', '1 dec 9am');
    due('Hall', '9 dec');
    const screen = () =>
      desk
        .rows()
        .flatMap(({ title, heading, due: said, dueTime }) => [
          ...(heading === null
            ? []
            : [
                [heading.text.replaceAll(/\s*–\s*/g, '–'), heading.detail, heading.count]
                  .filter(Boolean)
                  .join(' '),
              ]),
          `  ${title} ${dueTime ?? said?.text ?? ''}`.trimEnd(),
        ]);
    desk.app.run('go.today');
    assert.deepEqual(screen(), [
      'Overdue 1',
      '  Late Fri 20 Nov',
      'Today Friday 27 November 2',
      '  Parcel',
      '  Essay 14:00',
      'This evening 1',
      '  Trash 20:00',
    ]);
    assert.equal(desk.rows()[0]?.heading?.isLate, true);
    desk.app.run('go.upcoming');
    assert.deepEqual(screen(), [
      'Tomorrow Saturday 28 November 1',
      '  Rent',
      'Tuesday 1 December 1',
      '  Dentist 09:00',
      '7–13 December 1',
      '  Hall Wed 9 Dec',
    ]);
    // One more joins a day, and the next day they are called otherwise.
    due('Hall', '1 dec');
    assert.deepEqual(screen().slice(2), ['Tuesday 1 December 2', '  Hall', '  Dentist 09:00']);
    desk.timers.advance(3 * 86_400_000);
    desk.app.tick();
    assert.deepEqual(screen(), ['Tomorrow Tuesday 1 December 2', '  Hall', '  Dentist 09:00']);
  });

  test('[SMART-9] other lists have no headings', () => {
    const desk = saved('is:due sort:title');
    assert.ok(desk.rows().length > 0);
    assert.deepEqual(
      desk.rows().filter(({ heading }) => heading !== null),
      [],
    );
  });

  test('[SEARCH-4] a query that is not understood shows nothing, says why, and is not saved as one', () => {
    const desk = saved('is:open');
    const list = desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Mine')?.id as Id;
    desk.app.run('list.editQuery');
    desk.app.searchInput('is:open titel:rent');
    desk.app.run('search.save');
    assert.match(desk.message, /no operator “titel:”.*Fix the query first/);
    assert.equal(desk.app.view.search.get()?.query, 'is:open titel:rent', 'what was typed stays');
    assert.equal(fieldOf(desk.replica.row(list), 'query'), 'is:open');
    // Another device or program can write one.
    desk.press('Escape', 'Escape');
    desk.replica.issue([{ a: 'set', id: list, field: 'query', value: 'is:open due:foo' }]);
    assert.equal(desk.screen(), '');
    assert.equal(counts(desk)['Mine'], 0);
    assert.match(desk.app.view.empty.get()?.text ?? '', /“foo” isn’t a date/);
    assert.equal(desk.app.view.empty.get()?.command, 'list.editQuery');
    desk.app.run('task.whyNotHere', { task: id('Pay rent') });
    assert.match(desk.message, /“foo” isn’t a date/);
  });

  test('[SMART-7] says why a task is here, and why another is not', () => {
    const desk = saved('is:due label:high');
    desk.app.run('task.whyHere');
    assert.equal(
      desk.message,
      '‘Quarterly café report’ is here because it is due today or earlier and not completed, and is labeled high.',
    );
    desk.app.run('task.whyNotHere');
    desk.type('collect');
    desk.press('Enter');
    assert.equal(desk.message, '‘Collect numbers’ is not here because it is not labeled high.');
  });

  test('[SMART-1] renamed and deleted as other lists', () => {
    const desk = saved('rent');
    desk.app.run('list.rename');
    const list = desk.app.view.sidebar.rows.get().find(({ kind }) => kind === 'smart')?.id as Id;
    desk.app.draftName(list, 'Money');
    desk.press('Enter');
    assert.equal(counts(desk)['Money'], 1);
    desk.app.run('list.delete');
    assert.equal(counts(desk)['Money'], undefined);
    assert.equal(desk.app.view.header.get().kind, 'inbox');
  });

  test('[KEY-8] Enter behind a new task of Today opens another one there', async () => {
    const desk = new Desk('> First');
    desk.press('g t');
    for (let times = 0; times < 4; times += 1) await desk.settle();
    desk.press('Ctrl+Enter');
    for (const title of ['Buy stamps', 'Book flights']) {
      desk.type(title);
      desk.press('Enter');
    }
    desk.press('Escape');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Buy stamps', 'Book flights'],
    );
  });
});
