// Tokens while a task is typed in the line of a list.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId } from '#core/ids.ts';
import { fieldOf, registersOf, type TaskRow } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { SCOPE } from './desk-engine.ts';
import { type Desk, list } from './desk.ts';
import { office } from './office.ts';
import { SeededRandom } from '../simulator/random.ts';

function task(desk: Desk, title: string): TaskRow {
  const row = [...desk.replica.all()].find(({ type, fields }) => type === 'task' && fields.title === title);
  assert.ok(row?.type === 'task', `there is a task ${title}`);
  return row;
}

describe('in a line', () => {
  const shown = (desk: Desk) =>
    desk.rows().flatMap(({ tokens }) => tokens.map(({ said, state }) => `${said}, ${state}`));

  const due = (desk: Desk, title: string) => fieldOf(task(desk, title), 'due') ?? null;
  const others = new Set(
    list()
      .rows()
      .map(({ title }) => title),
  );
  /** Of what was written here. */
  const titles = (desk: Desk) => desk.rows().flatMap(({ title }) => (others.has(title) ? [] : [title]));
  const writing = (desk: Desk) => {
    const focus = desk.app.view.focus.get();
    return focus.pane === 'outline' && focus.edit !== null;
  };

  function suggesting(): Desk {
    const desk = list();
    desk.app.run('setting.lineTokens', { value: 'suggest' });
    return desk;
  }

  test('[ENTRY-4] a suggestion stands beside the line; the right arrow accepts, one undo takes all back', () => {
    const desk = suggesting();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann tomorrow');
    assert.deepEqual(shown(desk), ['due Sat 28 Nov, suggested']);
    desk.press('Right');
    assert.deepEqual(shown(desk), []);
    assert.equal(desk.message, 'Due Sat 28 Nov. Backspace undoes it.');
    desk.type('for 45m');
    assert.deepEqual(shown(desk), ['takes 45 min, suggested']);
    desk.press('Right', 'Escape');
    const row = task(desk, 'Call Ann');
    assert.deepEqual([row.fields.duration, row.fields.due], [45, { on: '2026-11-28' }]);
    const before = [...desk.replica.all()].length;
    desk.press('Mod+Z');
    assert.equal([...desk.replica.all()].length, before);
    assert.notEqual(fieldOf(desk.replica.row(row.id), 'del') ?? null, null);
  });

  for (const next of ['Enter', 'Ctrl+Enter'])
    test(`[KEY-8] ${next} behind a task that goes to another list begins the next one where it was`, () => {
      const desk = office();
      desk.press('g i', 'Ctrl+Enter');
      desk.type('A');
      desk.press('Enter');
      desk.type('B');
      desk.press('Escape', 'Up', 'Ctrl+Enter');
      desk.type('Milk @Garden');
      desk.press(next);
      assert.equal(desk.screen(), '  Pay rent\n  A\n> |\n  B\n  Buy milk ✓');
      desk.type('Next');
      desk.press(next);
      assert.equal(desk.screen(), '  Pay rent\n  A\n  Next\n> |\n  B\n  Buy milk ✓');
    });

  test('[TIME-28] a day in the title of a task keeps its time, and a time its day', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann monday 10am');
    desk.press('Escape', 'Enter');
    desk.type(' tuesday');
    assert.deepEqual(shown(desk), ['due Tue 1 Dec, 10:00, counts']);
    desk.press('Escape', 'Enter');
    const at = (wall: string) => ({
      at: Temporal.Instant.from(`${wall}:00Z`).epochMilliseconds,
      zone: 'UTC',
    });
    assert.deepEqual(due(desk, 'Call Ann'), at('2026-12-01T10:00'));
    desk.type(' at 4pm');
    desk.press('Escape');
    assert.deepEqual(due(desk, 'Call Ann'), at('2026-12-01T16:00'));
  });

  test('[ENTRY-16] a repeat with an end repeats, and leaving the line says that the end stays', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Yoga every sat until october');
    assert.deepEqual(shown(desk), ['every Saturday, first Sat 28 Nov, counts']);
    desk.press('Escape');
    assert.equal(
      desk.message,
      '‘Yoga until october’: every Saturday, first Sat 28 Nov. A repeat can’t have an end, so ‘until october’ stays.',
    );
    assert.deepEqual(due(desk, 'Yoga until october'), { on: '2026-11-28' });
  });

  test('[ENTRY-4] Backspace right after accepting puts the words back and the date away', () => {
    const desk = suggesting();
    desk.press('Ctrl+Enter');
    desk.type('Call tomorrow');
    desk.press('Right', 'Backspace');
    assert.deepEqual(shown(desk), []);
    desk.press('Escape');
    assert.equal(due(desk, 'Call tomorrow'), null);
  });

  test('[ENTRY-4] what is only suggested and not accepted stays words', () => {
    const desk = suggesting();
    desk.press('Ctrl+Enter');
    desk.type('Call tomorrow');
    desk.press('Escape');
    assert.equal(due(desk, 'Call tomorrow'), null);
  });

  test('[ENTRY-4] what is recognized is marked where it stands', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann tomorrow for 45m');
    const [token] = desk.rows().flatMap(({ tokens }) => tokens);
    assert.deepEqual(
      [token?.at, token?.text, token?.said, token?.state],
      [9, 'tomorrow for 45m', 'due Sat 28 Nov, 45 min', 'counts'],
    );
  });

  for (const [how, ...keys] of [
    ['Enter', 'Enter', 'Escape'],
    ['Escape', 'Escape'],
    ['an arrow', 'Up'],
    ['a new task', 'Ctrl+Enter', 'Escape'],
    ['a look elsewhere', 'Mod+K', 'Escape', 'Escape'],
  ] as const)
    test(`[ENTRY-4] ${how} takes it, and one undo takes all back`, () => {
      const desk = list();
      desk.press('Ctrl+Enter');
      desk.type('Call Ann tomorrow for 45m');
      desk.press(...keys);
      const row = task(desk, 'Call Ann');
      assert.deepEqual([row.fields.due, row.fields.duration], [{ on: '2026-11-28' }, 45]);
      desk.press('Escape', 'Mod+Z');
      assert.deepEqual(titles(desk), []);
    });

  test('[ENTRY-4] what was set is said', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann tomorrow 5pm for 45m');
    desk.press('Escape');
    assert.equal(desk.message, '‘Call Ann’: due Sat 28 Nov, 17:00, 45 min.');
  });

  test('[ENTRY-4] Backspace in the new line gives the words back, to be written on', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann tomorrow');
    desk.press('Enter');
    assert.equal(due(desk, 'Call Ann') === null, false);
    desk.press('Backspace');
    assert.deepEqual(titles(desk), ['Call Ann tomorrow']);
    assert.equal(due(desk, 'Call Ann tomorrow'), null);
    assert.ok(writing(desk));
    assert.deepEqual(shown(desk), []);
    desk.type(' by friday');
    assert.deepEqual(shown(desk), ['due Fri 4 Dec, counts']);
    desk.press('Escape');
    assert.deepEqual(due(desk, 'Call Ann tomorrow'), { on: '2026-12-04' });
  });

  test('[ENTRY-4] Backspace in a new line that was begun otherwise only removes it', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann tomorrow');
    desk.press('Escape', 'Up', 'Down', 'x', 'Escape', 'd');
    desk.type('friday');
    desk.press('Enter', 'Ctrl+Enter', 'Backspace', 'Escape');
    assert.deepEqual(titles(desk), ['Call Ann']);
    assert.deepEqual(due(desk, 'Call Ann'), { on: '2026-12-04' });
  });

  for (const [when, ...keys] of [
    ['while it is typed', 'Mod+Shift+L', 'Escape'],
    ['after it was taken', 'Escape', 'Mod+Shift+L', 'Escape'],
    ['in the line that was begun', 'Enter', 'Mod+Shift+L', 'Escape'],
  ] as const)
    test(`[ENTRY-3] [ENTRY-4] one key keeps the words ${when}`, () => {
      const desk = list();
      desk.press('Ctrl+Enter');
      desk.type('Read tomorrow every friday');
      desk.press(...keys);
      assert.deepEqual(titles(desk), ['Read tomorrow every friday']);
      const { fields } = task(desk, 'Read tomorrow every friday');
      assert.deepEqual([fields.due ?? null, fields.repeat ?? null], [null, null]);
      desk.press('Mod+Shift+L');
      assert.equal(desk.message, 'There’s no date or label in the title.');
    });

  test('[ENTRY-4] words taken and given back leave the line as it was, whatever else stands in it', () => {
    const random = new SeededRandom(4_711);
    const words = [
      'Call',
      'Ann',
      ' ',
      '  ',
      'tomorrow',
      'every friday',
      'for 45m',
      '日本',
      'é',
      '👩‍👩‍👧',
      '“today”',
      '24/7',
      '?',
    ];
    for (let round = 0; round < 60; round += 1) {
      const desk = list();
      const line = `x ${Array.from({ length: 6 }, () => random.pick(words)).join(' ')}`;
      desk.press('Ctrl+Enter');
      desk.type(line);
      const isMarked = shown(desk).length > 0;
      desk.press('Enter', ...(isMarked ? ['Backspace'] : ['Escape']));
      const draft = desk.app.view.focus.get();
      assert.deepEqual(titles(desk), [line]);
      if (isMarked) {
        assert.ok(draft.pane === 'outline' && draft.edit, line);
        assert.equal(draft.edit.caret, 'end');
      }
      const { fields } = task(desk, line);
      assert.deepEqual(
        [fields.due ?? null, fields.repeat ?? null, fields.duration ?? null],
        [null, null, null],
        line,
      );
    }
  });

  test('[ENTRY-5] what a title held is marked and suggested, and counts once accepted', () => {
    const desk = list();
    desk.app.run('setting.lineTokens', { value: 'off' });
    desk.press('Ctrl+Enter');
    desk.type('Pay tomorrow');
    assert.deepEqual(shown(desk), []);
    desk.press('Escape');
    desk.app.run('setting.lineTokens', { value: 'auto' });
    desk.press('Enter');
    assert.deepEqual(shown(desk), ['due Sat 28 Nov, suggested']);
    desk.type(' please');
    assert.deepEqual(shown(desk), ['due Sat 28 Nov, suggested']);
    desk.press('Escape');
    assert.equal(due(desk, 'Pay tomorrow please'), null);
    desk.press('Enter', 'Right', 'Escape');
    assert.deepEqual(due(desk, 'Pay please'), { on: '2026-11-28' });
  });

  test('[ENTRY-1] an input method that is composing says nothing yet', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    const focus = desk.app.view.focus.get();
    assert.ok(focus.pane === 'outline' && focus.id);
    desk.app.draftTitle(focus.id, 'Call tomorrow ', 14, true);
    assert.deepEqual(shown(desk), []);
    desk.app.draftTitle(focus.id, 'Call tomorrow ', 14);
    assert.deepEqual(shown(desk), ['due Sat 28 Nov, counts']);
  });

  const snooze = (desk: Desk, title: string) => {
    const mine = desk.replica.row(mineId(SCOPE, task(desk, title).id));
    return mine?.type === 'mine' ? [mine.fields.snooze ?? null, mine.fields.snoozeCount ?? 0] : null;
  };

  test('[ENTRY-1] a series begins on one of its days, at the time that is said apart from it, and not before its start', () => {
    const desk = list();
    const add = (line: string, title: string) => {
      desk.press('Ctrl+Enter');
      desk.type(line);
      desk.press('Escape');
      const { due: when, start, repeat } = task(desk, title).fields;
      return [when ?? null, start ?? null, repeat !== undefined];
    };
    const at = (wall: string) => ({
      at: Temporal.Instant.from(`${wall}:00Z`).epochMilliseconds,
      zone: 'UTC',
    });
    assert.deepEqual(add('every monday laundry 8pm', 'laundry'), [at('2026-11-30T20:00'), null, true]);
    assert.deepEqual(add('Stretch every day at 6:45 starting tomorrow', 'Stretch'), [
      at('2026-11-28T06:45'),
      { on: '2026-11-28' },
      true,
    ]);
    const club = add('Book club last friday of every month 8pm', 'Book club');
    assert.deepEqual(club, [at('2026-11-27T20:00'), null, true]);
  });

  test('[ENTRY-15] a name that is begun at the end of the line is completed by the right arrow', () => {
    const desk = list();
    for (const name of ['Errands', 'High priority', 'Errand boy']) desk.app.run('label.create', { name });
    desk.app.run('list.create', { name: 'Home' });
    desk.app.run('go.inbox');
    desk.press('Ctrl+Enter');
    desk.type('Buy milk tomorrow #err');
    assert.deepEqual(shown(desk), [
      '#Errands, suggested',
      '#Errand boy, suggested',
      'New label #err, suggested',
      'due Sat 28 Nov, counts',
    ]);
    desk.type('ands');
    assert.deepEqual(shown(desk), ['due Sat 28 Nov, counts', '#Errands, counts']);
    desk.type(' #hi');
    desk.press('Right');
    desk.type('@ho');
    desk.app.run('edit.accept', { by: '0' });
    desk.press('Escape');
    assert.equal(desk.message, '‘Buy milk’: due Sat 28 Nov, #Errands, #High priority, @Home.');
    desk.app.run('go.list', { list: 'Home' });
    assert.equal(fieldOf(task(desk, 'Buy milk'), 'title'), 'Buy milk');
  });

  const labelsNamed = (desk: Desk, name: string) =>
    [...desk.replica.all()].filter(
      (row) => row.type === 'label' && fieldOf(row, 'name') === name && !fieldOf(row, 'del'),
    );

  test('[REP-1] a series of hours that says no time starts at the next quarter of an hour, however it is set', () => {
    const desk = list();
    const now = desk.replica.now();
    desk.press('Ctrl+Enter');
    desk.type('Give meds every 8 hours');
    desk.press('Escape');
    const { due } = task(desk, 'Give meds').fields;
    assert.ok(
      due && 'at' in due && due.at > now && due.at - now <= 15 * 60_000 && due.at % (15 * 60_000) === 0,
    );
    desk.press('Ctrl+Enter');
    desk.type('Eye drops');
    desk.press('Escape');
    desk.app.run('task.repeat', { value: 'every 6 hours' });
    assert.deepEqual(task(desk, 'Eye drops').fields.due, due);
    desk.press('Space');
    assert.deepEqual(task(desk, 'Eye drops').fields.due, { ...due, at: due.at + 6 * 3_600_000 });
  });

  test('[ENTRY-18] a label that does not exist is made with its task, as one undo', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Water plants #home tomorrow #home');
    desk.press('Escape');
    assert.equal(desk.message, '‘Water plants’: #home (new), due Sat 28 Nov, #home (new).');
    const [label, ...others] = labelsNamed(desk, 'home');
    assert.ok(label && others.length === 0);
    assert.equal(registersOf(task(desk, 'Water plants'))[`label:${label.id}`], true);
    desk.press('Mod+Z');
    assert.equal(labelsNamed(desk, 'home').length, 0);
    // Undone, it is new again.
    desk.press('Ctrl+Enter');
    desk.type('Sweep #home');
    desk.press('Escape');
    assert.equal(desk.message, '‘Sweep’: #home (new).');
    desk.press('Ctrl+Enter');
    desk.type('Dust #home');
    desk.press('Escape');
    assert.equal(desk.message, '‘Dust’: #home.');
    assert.equal(labelsNamed(desk, 'home').length, 1);
  });

  test('[ENTRY-18] a label that was made goes with the words that are given back', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Fix crash #backend');
    desk.press('Enter', 'Backspace');
    assert.equal(desk.message, 'They stay words.');
    desk.press('Escape');
    assert.ok(titles(desk).includes('Fix crash #backend'));
    assert.equal(labelsNamed(desk, 'backend').length, 0);
  });

  test('[ENTRY-4] a list that does not exist is named', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Sweep @Shed');
    desk.press('Escape');
    assert.equal(desk.message, 'There’s no list ‘Shed’, so @Shed stays.');
    desk.press('Ctrl+Enter');
    desk.type('Fix issue #12');
    desk.press('Escape');
    assert.equal(desk.message, '');
  });

  test('[TOUCH-9] each of several phrases can be kept as words or accepted by a press', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Call Ann ~45min tomorrow 5pm #garage');
    const recognized = () => desk.app.view.recognized.get().map(({ said }) => said);
    assert.deepEqual(recognized(), ['takes 45 min', 'due Sat 28 Nov, 17:00', '#garage (new)']);
    desk.app.run('edit.keepWords', { by: '1' });
    assert.deepEqual(recognized(), ['takes 45 min', '#garage (new)']);
    desk.app.run('edit.accept', { by: '7' });
    desk.press('Escape');
    assert.equal(desk.message, '‘Call Ann tomorrow 5pm’: takes 45 min, #garage (new).');
  });

  test('[ENTRY-15] a new label or list is made where it is named, and one undo takes all of it back', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Tape #garage');
    assert.deepEqual(shown(desk), ['#garage (new), counts']);
    desk.type(' @Cellar');
    desk.press('Right');
    desk.press('Escape');
    assert.equal(desk.message, '‘Tape’: #garage (new), @Cellar.');
    const named = (type: string, name: string) =>
      [...desk.replica.all()].filter(
        (row) => row.type === type && fieldOf(row, 'name') === name && !fieldOf(row, 'del'),
      );
    assert.equal(named('label', 'garage').length, 1);
    const [cellar] = named('list', 'Cellar');
    assert.ok(cellar);
    assert.equal(placeOf(task(desk, 'Tape'))?.parent, cellar.id);
    desk.press('Escape');
    desk.press('Mod+Z');
    assert.equal(named('label', 'garage').length, 0);
    assert.equal(named('list', 'Cellar').length, 0);
    assert.ok(!titles(desk).some((title) => title.startsWith('Tape')));
  });

  test('[ENTRY-4] a label that exists is not said to be missing when its words stay', () => {
    const desk = suggesting();
    desk.app.run('label.create', { name: 'Errands' });
    desk.press('Ctrl+Enter');
    desk.type('Buy milk #errands');
    desk.press('Escape');
    assert.ok(titles(desk).includes('Buy milk #errands'));
    assert.doesNotMatch(desk.message, /no label/);
    desk.press('Ctrl+Enter');
    desk.type('Buy bread #errands #shop');
    desk.press('Escape');
    assert.equal(desk.message, 'There’s no label ‘shop’, so #shop stays.');
  });

  test('[ENTRY-4] a priority stays in the title, hides no date beside it, and is said to be none', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Renew insurance p1 Jan 15');
    desk.press('Enter');
    assert.match(desk.message, /due Fri 15 Jan 2027\. There are no priorities, so p1 stays\. Try a label\.$/);
    desk.press('Escape');
    assert.ok(titles(desk).includes('Renew insurance p1'));
    assert.equal(JSON.stringify(fieldOf(task(desk, 'Renew insurance p1'), 'due')), '{"on":"2027-01-15"}');
  });

  test('[ENTRY-13] a start, a range of days and a snooze are set with the line, and one undo takes all back', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Diet starting monday');
    desk.press('Escape');
    assert.equal(desk.message, '‘Diet’: starts Mon 30 Nov.');
    assert.deepEqual(task(desk, 'Diet').fields.start, { on: '2026-11-30' });
    assert.equal(due(desk, 'Diet'), null);
    desk.press('Ctrl+Enter');
    desk.type('Retreat 4-6 dec');
    desk.press('Escape');
    const { fields } = task(desk, 'Retreat');
    assert.deepEqual([fields.start, fields.due], [{ on: '2026-12-04' }, { on: '2026-12-06' }]);
    desk.press('Ctrl+Enter');
    desk.type('Ask Ben until monday');
    desk.press('Escape');
    assert.equal(desk.message, '‘Ask Ben’: snoozed until Mon 30 Nov.');
    assert.deepEqual(snooze(desk, 'Ask Ben'), [{ on: '2026-11-30' }, 1]);
    assert.ok(!titles(desk).includes('Ask Ben'));
    const { id } = task(desk, 'Ask Ben');
    desk.press('Mod+Z');
    assert.notEqual(fieldOf(desk.replica.row(id), 'del') ?? null, null);
  });

  test('[ENTRY-13] a snooze is given back with its words', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Ask Ben until monday');
    desk.press('Enter', 'Backspace');
    assert.deepEqual(titles(desk), ['Ask Ben until monday']);
    assert.deepEqual(snooze(desk, 'Ask Ben until monday'), [null, 0]);
    desk.press('Escape');
    assert.deepEqual(snooze(desk, 'Ask Ben until monday'), [null, 0]);
  });

  test('[ENTRY-9] what leads out of the open smart list is said, with the reason', () => {
    const desk = office();
    desk.press('/');
    desk.app.searchInput('is:open due:today');
    desk.press('Mod+Enter');
    desk.type('Mine');
    desk.press('Enter', 'Ctrl+Enter');
    desk.type('Call Ann tomorrow');
    desk.press('Escape');
    assert.equal(desk.message, '‘Call Ann’: due Sat 28 Nov. It is not here because it is not due today.');
    assert.ok(!desk.rows().some(({ title }) => title.startsWith('Call Ann')));
  });

  test('[ENTRY-9] what leads out of Today is said to be in Upcoming', () => {
    const desk = office();
    desk.press('g t', 'Ctrl+Enter');
    desk.type('Call Ann tomorrow');
    desk.press('Escape');
    assert.equal(desk.message, '‘Call Ann’: due Sat 28 Nov. You’ll find it in Upcoming.');
    desk.press('g u', 'Ctrl+Enter');
    desk.type('Call Ben today');
    desk.press('Escape');
    assert.equal(desk.message, '‘Call Ben’: due Fri 27 Nov. You’ll find it in Today.');
  });

  test('[ENTRY-9] in a smart list what is said counts beside what it asks for', () => {
    const desk = office();
    desk.press('/');
    desk.app.searchInput('is:open has:due');
    desk.press('Mod+Enter');
    desk.type('Mine');
    desk.press('Enter', 'Ctrl+Enter');
    desk.type('Call Ann tomorrow for 45m');
    desk.press('Right', 'Escape');
    const row = [...desk.replica.all()].find((held) => String(fieldOf(held, 'title')).startsWith('Call Ann'));
    assert.deepEqual(fieldOf(row, 'due'), { on: '2026-11-28' });
    assert.equal(fieldOf(row, 'duration'), 45);
    assert.ok(desk.rows().some(({ id }) => id === row?.id));
    assert.equal(desk.replica.row(mineId(SCOPE, row?.id ?? SCOPE)), undefined);
  });
});
