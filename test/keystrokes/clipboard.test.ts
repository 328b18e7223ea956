// Tasks through the clipboard: copied, cut, pasted among the rows and into a title.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { inboxId, type Id } from '#core/ids.ts';
import { fitNotes, fitTitle } from '#client/text/fitting.ts';
import type { Action } from '#sync/rows/operation.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

interface Tree {
  readonly title: string;
  readonly notes: string;
  readonly done: boolean;
  readonly children: readonly Tree[];
}

/** What titles and notes are made of: words, and all that could be taken for a sign of the format. */
const piece = fc.oneof(
  { arbitrary: fc.constantFrom('plan', 'été', '買い物', 'a', '1', 'x'), weight: 3 },
  fc.constantFrom(
    '-',
    '- ',
    '* ',
    '+ ',
    '• ',
    '1. ',
    '2) ',
    'a) ',
    '[ ] ',
    '[x] ',
    '[ ]',
    '[x]',
    '☐',
    '✓',
    '☑\uFE0F ',
    '> ',
    '>',
    '\\',
    '\\\\',
    ' ',
    '  ',
    '\t',
    '\u00A0',
    '\u2003',
    '\u2028',
    '\u0085',
    '\uFEFF',
    '#',
    '`',
    '```',
    '**',
    '_',
    '|',
    '<b>',
    '&amp;',
    '…',
    '👩‍👩‍👧',
    '\u202E',
    '\u200B',
  ),
  { arbitrary: fc.string({ maxLength: 4, unit: 'binary' }), weight: 1 },
);
const line = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
const lines = fc.array(line, { maxLength: 4 }).map((parts) => parts.join('\n'));

function treeOf(depth: number): fc.Arbitrary<Tree> {
  return fc.record({
    // As typed: what cannot be stored never gets so far.
    title: line.map((text) => fitTitle(text).text),
    notes: fc.oneof(
      { arbitrary: fc.constant(''), weight: 2 },
      lines.map((text) => fitNotes(text).text),
    ),
    done: fc.boolean(),
    children: depth === 0 ? fc.constant([]) : fc.array(treeOf(depth - 1), { maxLength: 2 }),
  });
}

function plant(desk: Desk, trees: readonly Tree[], parent: Id): void {
  for (const { title, notes, done, children } of trees) {
    const id = desk.replica.newId();
    const fields = {
      ...(title === '' ? {} : { title }),
      ...(notes === '' ? {} : { notes }),
      ...(done ? { status: { done: START } } : {}),
    };
    const actions: Action[] = [{ a: 'create', id, type: 'task', fields, place: { parent } }];
    assert.deepEqual(desk.replica.issue(actions).verdicts, ['ok']);
    plant(desk, children, id);
  }
}

function grown(desk: Desk, parent: Id): Tree[] {
  return desk.replica
    .children(parent)
    .filter((row) => row.type === 'task' && !row.fields.del)
    .map((row) => ({
      title: fieldOf(row, 'title') ?? '',
      notes: fieldOf(row, 'notes') ?? '',
      done: (fieldOf(row, 'status') ?? null) !== null,
      children: grown(desk, row.id),
    }));
}

const RUNS = Number(process.env['POSTHASTE_COPIES'] ?? 60);

describe('through the clipboard', () => {
  for (const command of ['task.copyText', 'task.copyMarkdown'])
    test(`[OUT-10] what ${command} copies pastes back the same, whatever titles and notes hold`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(treeOf(3), { minLength: 1, maxLength: 4 }), async (trees) => {
          const desk = new Desk();
          plant(desk, trees, inboxId(SCOPE));
          const planted = grown(desk, inboxId(SCOPE));
          desk.press('Mod+A');
          desk.app.run(command);
          await desk.settle();
          desk.app.run('list.create', { name: 'Copy' });
          desk.app.pasted(desk.clipboard ?? '');
          const copy = [...desk.replica.all()].find((held) => fieldOf(held, 'name') === 'Copy');
          assert.ok(copy);
          assert.deepEqual(grown(desk, copy.id), planted);
        }),
        { numRuns: RUNS, seed: 26 },
      );
    });
});

describe('copying and cutting', () => {
  test('[OUT-10] Mod+C copies the chosen tasks with everything beneath, collapsed or snoozed', async () => {
    const desk = new Desk('> Plan +\n    Write ✓\n    Later\n  Ship\n  Rest');
    desk.press('Right', 'Down', 'Down', 's');
    desk.type('tomorrow');
    desk.press('Enter', 'Home', 'Left', 'x', 'End', 'x', 'Mod+C');
    await desk.settle();
    assert.equal(desk.clipboard, '- Plan\n  - [x] Write\n  - Later\n- Rest');
    assert.equal(desk.message, 'Copied 2 tasks.');
    desk.app.run('task.copyMarkdown');
    await desk.settle();
    assert.equal(desk.clipboard, '- [ ] Plan\n  - [x] Write\n  - [ ] Later\n- [ ] Rest');
  });

  test('[OUT-10] within the app copies have dates and labels too, unless the task reads differently by now', async () => {
    const desk = new Desk('> Plan\n    Write\n  Ship');
    desk.press('d');
    desk.type('tomorrow');
    desk.press('Enter', 'Mod+C');
    await desk.settle();
    desk.press('End');
    desk.app.pasted(desk.clipboard ?? '');
    assert.equal(desk.screen(), '  Plan\n    Write\n  Ship\n> Plan\n    Write');
    assert.ok(desk.rows()[3]?.due);
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '  Plan\n    Write\n> Ship');
    desk.press('Home', 'Down', 'Space', 'End');
    desk.app.pasted(desk.clipboard ?? '');
    assert.equal(desk.screen(), '  Plan\n    Write ✓\n  Ship\n> Plan\n    Write');
    assert.equal(desk.rows()[3]?.due, null);
  });

  test('[OUT-14] a duplicate stands below its task, with all there is about it and beneath it, as one undo', () => {
    const desk = new Desk('> Plan\n    Write ✓\n  Ship\n  Rest');
    desk.press('d');
    desk.type('tomorrow');
    desk.press('Enter', 's');
    desk.type('friday');
    desk.press('Enter', 'Home', 'Shift+S', 'Home');
    desk.app.run('task.duplicate');
    assert.equal(desk.screen(), '  Plan\n    Write ✓\n> Plan\n    Write ✓\n  Ship\n  Rest');
    const [one, , other] = desk.rows();
    assert.deepEqual([other?.due, other?.snoozed], [one?.due, one?.snoozed]);
    assert.ok(other?.snoozed);
    desk.press('Mod+Z', 'End', 'x', 'Up', 'x');
    desk.app.run('task.duplicate');
    assert.equal(desk.screen(), '  Plan\n    Write ✓\n  Ship\n> Ship\n  Rest\n  Rest');
    assert.equal(desk.message, 'Duplicated 2 tasks.');
  });

  test('[OUT-11] Mod+X cuts them, and pasting puts them elsewhere', async () => {
    const desk = new Desk('> Plan\n    Write ✓\n  Ship');
    desk.press('Mod+X');
    await desk.settle();
    assert.equal(desk.screen(), '> Ship');
    assert.equal(desk.message, 'Cut ‘Plan’. Paste it where you want it.');
    desk.app.pasted(desk.clipboard ?? '');
    assert.equal(desk.screen(), '  Ship\n> Plan\n    Write ✓');
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(desk.screen(), '> Plan\n    Write ✓\n  Ship');
  });

  test('[OUT-11] what was cut is pasted as it was, with dates, labels and what lies beneath; then copies', async () => {
    const desk = new Desk('> Plan\n    Write ✓\n  Ship');
    desk.press('d');
    desk.type('tomorrow');
    desk.press('Enter');
    desk.app.run('label.create', { name: 'home' });
    const label = [...desk.replica.all()].find(({ type }) => type === 'label')?.id ?? '';
    desk.app.run('label.toggle', { label });
    const [plan] = desk.rows();
    desk.press('Mod+X');
    await desk.settle();
    // As a system with other line ends gives it back.
    const text = `${(desk.clipboard ?? '').replaceAll('\n', '\r\n')}\r\n`;
    desk.app.pasted(text);
    assert.equal(desk.message, 'Moved ‘Plan’.');
    assert.equal(desk.screen(), '  Ship\n> Plan\n    Write ✓');
    const pasted = desk.rows()[1];
    assert.equal(pasted?.id, plan?.id);
    assert.ok(pasted?.due);
    assert.deepEqual(
      pasted.labels.map(({ name }) => name),
      ['home'],
    );
    desk.app.pasted(text);
    assert.equal(desk.screen(), '  Ship\n  Plan\n    Write ✓\n> Plan\n    Write ✓');
    assert.ok(desk.rows()[3]?.due, 'so has the copy');
    assert.notEqual(desk.rows()[3]?.id, plan?.id);
    desk.press('Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.equal(desk.screen(), '> Plan\n    Write ✓\n  Ship');
  });

  test('[OUT-11] cut into a smart list they get what it asks for', async () => {
    const desk = new Desk('> Plan\n  Ship');
    desk.press('Mod+X');
    await desk.settle();
    desk.press('g t');
    await desk.settle();
    desk.app.pasted(desk.clipboard ?? '');
    assert.deepEqual(
      desk.rows().map(({ title, due }) => [title, due?.overdue]),
      [['Plan', false]],
    );
  });

  test('[OUT-11] where the clipboard refuses they stay, and the text is shown', async () => {
    const desk = new Desk('> Plan\n  Ship');
    desk.refusesCopies = true;
    desk.press('Mod+X');
    await desk.settle();
    assert.deepEqual(desk.app.view.dialog.get(), { type: 'export', text: '- Plan', fileName: 'Tasks.txt' });
    desk.press('Escape');
    assert.equal(desk.screen(), '> Plan\n  Ship');
  });
});

describe('pasting among the rows', () => {
  test('[FLOW-1] in a smart list the tasks get what it asks for', async () => {
    const desk = new Desk('> Plan');
    desk.press('g t');
    await desk.settle();
    desk.app.pasted('One\n\tTwo\nThree');
    assert.deepEqual(
      desk.rows().map(({ title, level, due }) => [title, level, due?.overdue]),
      [
        ['One', 1, false],
        ['Two', 2, undefined],
        ['Three', 1, false],
      ],
    );
    assert.equal(desk.rows()[0]?.cursor, true);
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '');
  });
});

describe('pasting into a title', () => {
  const paste = (desk: Desk, text: string, from?: number, to?: number) => {
    const focus = desk.app.view.focus.get();
    const id = focus.pane === 'outline' ? focus.id : null;
    assert.ok(id);
    const { length } = desk.row(id)?.title ?? '';
    return desk.app.pastedInTitle(id, { text, from: from ?? length, to: to ?? from ?? length });
  };

  test('[OUT-12] the first line goes into it, the rest becomes tasks beneath and below', () => {
    const desk = new Desk('> Plan\n    Write\n  Ship');
    desk.press('Enter');
    assert.equal(paste(desk, 'A\n\tB\n\t\tC\nD\n\tE', 4), true);
    assert.equal(desk.screen(), '  PlanA\n    B\n      C\n    Write\n  D\n>   E|\n  Ship');
    assert.equal(desk.message, 'Pasted 5 tasks.');
    desk.type('!');
    desk.press('Escape');
    assert.equal(desk.rows()[5]?.title, 'E!');
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(desk.screen(), '> Plan\n    Write\n  Ship');
  });

  test('[OUT-12] in place of what is selected, with what was typed before it', () => {
    const desk = new Desk('> Plan the launch\n  Ship');
    desk.press('Enter');
    desk.type('!');
    paste(desk, '- [x] Buy\n- [ ] Sell', 5, 8);
    assert.equal(desk.screen(), '  Plan Buy launch!\n> Sell|\n  Ship');
    desk.press('Escape', 'Mod+Z');
    assert.equal(desk.screen(), '> Plan the launch!\n  Ship');
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '> Plan the launch\n  Ship');
  });

  test('[OUT-12] into a new task: bullets, numbers and checkboxes, and one undo for all', () => {
    for (const text of [
      '- [x] Milk\n  fresh\n- [ ] Eggs',
      '1. [x] Milk\n    fresh\n2. Eggs',
      '☑ Milk\n  fresh\n☐ Eggs',
    ]) {
      const desk = new Desk('> Plan +\n    Write');
      const before = desk.everything();
      desk.press('Alt+Enter');
      paste(desk, text);
      assert.equal(desk.screen(), '  Plan\n    Write\n    Milk ✓\n>   Eggs|');
      assert.equal(desk.rows()[2]?.hasNotes, true);
      desk.press('Escape', 'Mod+Z');
      assert.equal(desk.screen(), '> Plan\n    Write');
      desk.press('Mod+Z');
      assert.equal(desk.message, 'Nothing to undo.');
      assert.notEqual(desk.everything(), before, 'the new task lies in the trash');
    }
  });

  test('[OUT-12] one line, and what is not being edited, is left to the field', () => {
    const desk = new Desk('> Plan\n  Ship');
    const id = desk.rows()[0]?.id as Id;
    assert.equal(desk.app.pastedInTitle(id, { text: 'A\nB', from: 0, to: 0 }), false);
    desk.press('Enter');
    assert.equal(paste(desk, '- A\n'), false);
    assert.equal(desk.screen(), '> Plan|\n  Ship');
  });

  test('[OUT-12] a title too long and very many lines lose nothing', () => {
    const desk = new Desk('> Plan\n  Ship');
    desk.press('Enter');
    paste(
      desk,
      `${'x'.repeat(4_100)}\n  noted\n${Array.from({ length: 2_600 }, (_, at) => `t${at}`).join('\n')}`,
    );
    desk.timers.advance(1_000);
    assert.equal(desk.app.view.rows.count.get(), 2_603);
    assert.equal(desk.rows()[0]?.hasNotes, true);
    desk.press('Escape', 'Mod+Z');
    desk.timers.advance(1_000);
    assert.equal(desk.screen(), '> Plan\n  Ship');
  });
});
