// What is on paper: every line of what is open, whether it is on screen or not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { MOST_LINES } from '#client/printing/paper.ts';
import { list, Desk } from './desk.ts';

const printed = (desk: Desk) => must(desk.prints.at(-1), 'something was printed');

describe('printing', () => {
  test('[FLOW-10] all lines of the open list are on paper, with their dates, and what is typed as well', () => {
    const desk = new Desk(`> Plan\n${Array.from({ length: 300 }, (_, at) => `Task ${at}`).join('\n')}`);
    desk.press('d');
    desk.type('29 nov');
    desk.press('Enter', 'Down', 'Space', 'F2');
    desk.type('Task 0 more');
    desk.app.run('application.print');
    const { title, about, lines, left } = printed(desk);
    assert.equal(title, 'Inbox');
    assert.equal(about, '301 tasks · 1 completed · Friday, 27 November 2026');
    assert.deepEqual([lines.length, left], [301, 0]);
    const [first, second] = lines;
    assert.deepEqual([first?.title, first?.details, first?.isDone], ['Plan', 'due Sun 29 Nov', false]);
    assert.deepEqual([second?.title, second?.isDone], ['Task 0 more', true]);
  });

  test('[FLOW-10] notes only where they are asked for, subtasks at their level, headings above theirs', () => {
    const desk = list();
    const [plan] = desk.rows();
    desk.replica.issue([{ a: 'set', id: must(plan, 'a task').id, field: 'notes', value: 'Call first' }]);
    desk.app.run('application.print');
    assert.deepEqual(
      printed(desk)
        .lines.map(({ notes }) => notes)
        .filter(Boolean),
      [],
    );
    desk.app.run('application.printNotes');
    assert.equal(printed(desk).lines[0]?.notes, 'Call first');
    assert.ok(printed(desk).lines.some(({ level }) => level === 2));
    desk.app.run('application.print');
    assert.equal(printed(desk).lines[0]?.notes, '');
    desk.press('d');
    desk.type('tomorrow');
    desk.press('Enter');
    desk.app.run('go.upcoming');
    desk.app.run('application.print');
    const { title, lines } = printed(desk);
    assert.deepEqual([title, lines[0]?.title], ['Upcoming', 'Plan']);
    assert.match(lines[0]?.heading ?? '', /^Tomorrow/);
  });

  test('[FLOW-10] a dialog prints itself', () => {
    const desk = list();
    desk.app.run('keys.print');
    desk.app.run('application.print');
    assert.deepEqual(desk.prints, [null]);
  });

  test('[FLOW-10] of very many lines it is said how many are left out', () => {
    const desk = new Desk(Array.from({ length: MOST_LINES + 3 }, (_, at) => `Task ${at}`).join('\n'));
    desk.app.run('application.print');
    assert.deepEqual([printed(desk).lines.length, printed(desk).left], [MOST_LINES, 3]);
  });
});
