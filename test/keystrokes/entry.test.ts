// Tokens while a task is typed in the quick entry dialog; in the line of a list, line-entry.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, mineId } from '#core/ids.ts';
import type { EntryQuestion, QuickEntryAction, QuickEntryView } from '#client/entry/entry-view.ts';
import { keptEntryKey } from '#client/entry/kept-entry-key.ts';
import { fieldOf, type TaskRow } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, list } from './desk.ts';

const at = (wall: string) => Temporal.Instant.from(`${wall}:00Z`).epochMilliseconds;

function task(desk: Desk, title: string): TaskRow {
  const row = [...desk.replica.all()].find(({ type, fields }) => type === 'task' && fields.title === title);
  assert.ok(row?.type === 'task', `there is a task ${title}`);
  return row;
}

function entry(desk: Desk): QuickEntryView {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'quickEntry');
  return dialog.entry;
}

function say(desk: Desk, text: string): void {
  act(desk, { action: 'type', text, caret: text.length });
}

const act = (desk: Desk, action: QuickEntryAction) => desk.app.answer('quickEntry', action);

/** Chooses by hand the first answer to these words. */
function choose(desk: Desk, what: EntryQuestion, words: string): void {
  act(desk, { action: 'ask', what });
  act(desk, { action: 'filter', text: words });
  act(desk, { action: 'pick' });
}

const answers = (desk: Desk) => entry(desk).question?.items.map(({ title }) => title) ?? null;
const chips = (desk: Desk) => entry(desk).tokens.map(({ said, state }) => `${said}, ${state}`);

function opened(tokens: 'suggest' | 'auto' = 'suggest'): Desk {
  const desk = list();
  if (tokens === 'suggest') desk.app.run('setting.quickEntryTokens', { value: tokens });
  for (const name of ['Errands', 'High priority']) desk.app.run('label.create', { name });
  desk.app.run('list.create', { name: 'Home' });
  desk.app.run('go.inbox');
  desk.press('Mod+Shift+Space');
  return desk;
}

describe('quick entry', () => {
  test('[ENTRY-7] labels can be chosen, stand among the chips and can be left out', () => {
    const desk = opened();
    say(desk, 'Call Ann #errands');
    choose(desk, 'label', 'high');
    assert.equal(entry(desk).question, null);
    assert.deepEqual(chips(desk), ['#High priority, counts', '#Errands, counts']);
    act(desk, { action: 'ask', what: 'label' });
    assert.deepEqual(
      entry(desk).question?.items.map(({ title, state }) => [title, state]),
      [
        ['Errands', 'all'],
        ['High priority', 'all'],
      ],
    );
    act(desk, { action: 'pick', index: 1 });
    assert.deepEqual([chips(desk), entry(desk).text], [['#Errands, counts'], 'Call Ann #errands']);
    choose(desk, 'label', 'high');
    act(desk, { action: 'refuse', index: 0 });
    assert.deepEqual([chips(desk), entry(desk).text], [['#Errands, counts'], 'Call Ann #errands']);
    choose(desk, 'label', 'high');
    act(desk, { action: 'save' });
    const given = Object.entries(task(desk, 'Call Ann').fields).filter(([field]) =>
      field.startsWith('label:'),
    );
    assert.equal(given.length, 2);
  });

  test('[ENTRY-7] [ENTRY-15] a label or a list that does not exist is offered as a new one, and made once it is chosen', () => {
    const desk = opened('auto');
    say(desk, 'Sort tools');
    act(desk, { action: 'ask', what: 'label' });
    act(desk, { action: 'filter', text: 'garage' });
    assert.deepEqual(answers(desk), ['New label #garage']);
    act(desk, { action: 'pick' });
    assert.deepEqual([chips(desk), entry(desk).answer], [['#garage, counts'], 'Created label #garage.']);
    act(desk, { action: 'ask', what: 'list' });
    act(desk, { action: 'filter', text: 'cellar' });
    assert.deepEqual(answers(desk), ['New list @cellar']);
    act(desk, { action: 'pick' });
    assert.deepEqual([entry(desk).list?.name, entry(desk).answer], ['cellar', 'Created list @cellar.']);
    act(desk, { action: 'save' });
    assert.equal(desk.message, 'Added ‘Sort tools’, #garage to cellar.');
  });

  test('[ENTRY-7] the list is chosen by keys, stands for one that was typed, and stays for the next task', () => {
    const desk = opened('auto');
    act(desk, { action: 'ask', what: 'list' });
    assert.deepEqual(answers(desk), ['Inbox', 'Home']);
    desk.within = ['list'];
    desk.press('ArrowDown', 'ArrowUp', 'Ctrl+N', 'Enter');
    desk.within = [];
    assert.deepEqual([entry(desk).question, entry(desk).list?.name], [null, 'Home']);
    say(desk, 'Sweep @home');
    assert.deepEqual(chips(desk), ['@Home, counts']);
    choose(desk, 'list', 'inb');
    assert.deepEqual([entry(desk).text, entry(desk).list?.isInbox, chips(desk)], ['Sweep ', true, []]);
    choose(desk, 'list', 'home');
    act(desk, { action: 'save', staysOpen: true });
    assert.equal(entry(desk).answer, 'Added ‘Sweep’ to Home.');
    assert.equal(entry(desk).list?.name, 'Home');
  });

  test('[ENTRY-7] Escape leaves a question for the line, then the line for the list; typing leaves it too', () => {
    const desk = opened('auto');
    say(desk, 'Call Ann');
    act(desk, { action: 'ask', what: 'due' });
    act(desk, { action: 'filter', text: 'tom' });
    desk.press('Escape');
    assert.deepEqual([entry(desk).question, entry(desk).text], [null, 'Call Ann']);
    act(desk, { action: 'ask', what: 'repeat' });
    say(desk, 'Call Ann now');
    assert.equal(entry(desk).question, null);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[ENTRY-7] a day that has passed can be chosen, though none is read in the line', () => {
    const desk = opened('auto');
    say(desk, 'Call Ann 2026-11-02');
    assert.deepEqual(chips(desk), []);
    choose(desk, 'due', '2026-11-02');
    assert.deepEqual(chips(desk), ['due Mon 2 Nov, counts']);
  });

  test('[ENTRY-7] [TIME-28] a date and a repeat can be chosen, and replace words that counted for another', () => {
    const desk = opened('auto');
    say(desk, 'Water the plants tomorrow 5pm #errands');
    act(desk, { action: 'ask', what: 'due' });
    // The month is that of the date the task has, and another day keeps its time.
    assert.equal(entry(desk).question?.month?.held, '2026-11-28');
    act(desk, { action: 'day', day: '2026-12-04' });
    assert.deepEqual(
      [entry(desk).text, chips(desk)],
      ['Water the plants #errands', ['due Fri 4 Dec, 17:00, counts', '#Errands, counts']],
    );
    choose(desk, 'due', 'dec 5');
    act(desk, { action: 'ask', what: 'due' });
    act(desk, { action: 'step', step: { months: 1 } });
    assert.deepEqual(
      [entry(desk).question?.query, entry(desk).question?.month?.day],
      ['2027-01-05 17:00', '2027-01-05'],
    );
    desk.press('Escape');
    act(desk, { action: 'ask', what: 'repeat' });
    for (const [index] of (answers(desk) ?? []).slice(0, 6).entries()) {
      act(desk, { action: 'ask', what: 'repeat' });
      act(desk, { action: 'pick', index });
    }
    act(desk, { action: 'save' });
    const { fields } = task(desk, 'Water the plants');
    assert.deepEqual(fields.due, { at: Date.parse('2026-12-05T17:00Z'), zone: 'UTC' });
    assert.equal(fields.repeat?.unit, 'years');
  });

  test('[ENTRY-7] “No due date” leaves the words in the title, and words of a repeat lead to its question', () => {
    const desk = opened('auto');
    say(desk, 'Water the plants tomorrow');
    choose(desk, 'due', 'none');
    assert.deepEqual([entry(desk).text, chips(desk)], ['Water the plants tomorrow', []]);
    choose(desk, 'due', 'every 2 weeks');
    assert.deepEqual([entry(desk).question?.what, entry(desk).question?.query], ['repeat', 'every 2 weeks']);
    act(desk, { action: 'pick' });
    assert.deepEqual(chips(desk), ['every 2 weeks, counts']);
  });

  test('[ENTRY-2] [ENTRY-7] a date typed after one was chosen stands alone; refused, the chosen one counts again', () => {
    const desk = opened('auto');
    say(desk, 'Water the plants');
    choose(desk, 'due', '2026-12-04');
    say(desk, 'Water the plants tomorrow');
    assert.deepEqual(chips(desk), ['due Sat 28 Nov, counts']);
    act(desk, { action: 'refuse', index: 0 });
    assert.deepEqual(chips(desk), ['due Fri 4 Dec, counts']);
    act(desk, { action: 'save' });
    assert.deepEqual(fieldOf(task(desk, 'Water the plants tomorrow'), 'due'), { on: '2026-12-04' });
  });

  test('[ENTRY-2] a date that is only suggested leaves the chosen one alone until it is taken', () => {
    const desk = opened();
    say(desk, 'Prepare for tomorrow, the last');
    choose(desk, 'due', '2026-12-04');
    assert.deepEqual(
      [entry(desk).text, chips(desk)],
      ['Prepare for tomorrow, the last', ['due Fri 4 Dec, counts', 'due Sat 28 Nov, suggested']],
    );
    act(desk, { action: 'accept', index: 1 });
    assert.deepEqual(chips(desk), ['due Sat 28 Nov, counts']);
  });

  test('[ENTRY-2] [ENTRY-15] what is only offered is named as that, what counts by how it is left out', () => {
    const desk = opened();
    say(desk, 'Call Ann tomorrow #errands');
    assert.deepEqual(
      entry(desk).tokens.map(({ act: name, lead, color }) => [name, lead, color !== undefined]),
      [
        ['Suggested: due Sat 28 Nov', 'due ', false],
        ['Keep “#errands” as words', '#', true],
      ],
    );
  });

  for (const [mode, example, steps] of [
    ['suggest', 'Call Ann tomorrow 5pm, then Tab', ['tab', 'save']],
    ['auto', 'Call Ann tomorrow 5pm', ['save']],
  ] as const)
    test(`[ENTRY-2] the example in the empty line does what it says (${mode})`, () => {
      const desk = opened(mode);
      assert.equal(entry(desk).example, example);
      say(desk, 'Call Ann tomorrow 5pm');
      for (const action of steps) act(desk, { action });
      assert.deepEqual(fieldOf(task(desk, 'Call Ann'), 'due'), { at: at('2026-11-28T17:00'), zone: 'UTC' });
    });

  test('[ENTRY-2] for a finger the example speaks of tapping, and of no date where none is read', () => {
    const desk = new Desk('', { touch: true });
    desk.press('Mod+Shift+Space');
    assert.equal(entry(desk).example, 'Call Ann tomorrow 5pm');
    desk.app.closeDialog();
    desk.app.run('setting.quickEntryTokens', { value: 'suggest' });
    desk.press('Mod+Shift+Space');
    assert.equal(entry(desk).example, 'Call Ann tomorrow 5pm, then tap it');
    desk.app.closeDialog();
    desk.app.run('setting.quickEntryTokens', { value: 'off' });
    desk.press('Mod+Shift+Space');
    assert.equal(entry(desk).example, 'Call Ann');
  });

  test('[ENTRY-7] it stays open on a touch screen, until the person says otherwise', () => {
    const desk = new Desk('', { touch: true });
    const add = (text: string) => {
      desk.press('Mod+Shift+Space');
      say(desk, text);
      act(desk, { action: 'save' });
      return desk.app.view.dialog.get()?.type ?? null;
    };
    assert.equal(add('One'), 'quickEntry');
    desk.press('Escape');
    desk.app.run('setting.keepAdding');
    assert.equal(add('Two'), null);
    assert.equal(add('Three'), null);
  });

  test('[ENTRY-2] [ENTRY-7] what is said is shown, leaves the title and is set, as one undo', () => {
    const desk = opened('auto');
    say(desk, 'Call Ann fri 5pm for 45m #errands @home');
    assert.deepEqual(chips(desk), [
      'due Fri 4 Dec, 17:00, 45 min, counts',
      '#Errands, counts',
      '@Home, counts',
    ]);
    assert.equal(entry(desk).list?.name, 'Home');
    act(desk, { action: 'notes', text: 'About the party' });
    act(desk, { action: 'save' });
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, 'Added ‘Call Ann’, due Fri 4 Dec, 17:00, 45 min, #Errands to Home.');
    const { fields } = task(desk, 'Call Ann');
    const home = [...desk.replica.all()].find((held) => fieldOf(held, 'name') === 'Home');
    const label = [...desk.replica.all()].find((held) => fieldOf(held, 'name') === 'Errands');
    assert.deepEqual(fields.due, { at: at('2026-12-04T17:00'), zone: 'UTC' });
    assert.equal(fields.duration, 45);
    assert.equal(fields.notes, 'About the party');
    assert.equal(fields[`label:${label?.id}`], true);
    assert.equal(fields.place.parent, home?.id);
    desk.press('Mod+Z');
    assert.notEqual(fieldOf(task(desk, 'Call Ann'), 'del') ?? null, null);
    assert.match(desk.message, /^Undone: added ‘Call Ann’/);
  });

  test('[ENTRY-13] a snooze is set with the new task, for the person alone, as one undo', () => {
    const desk = opened('auto');
    say(desk, 'Ask Ben snooze until monday');
    assert.deepEqual(chips(desk), ['snoozed until Mon 30 Nov, counts']);
    act(desk, { action: 'save' });
    assert.equal(desk.message, 'Added ‘Ask Ben’, snoozed until Mon 30 Nov to the Inbox.');
    const { id, fields } = task(desk, 'Ask Ben');
    assert.equal(fields.due ?? null, null);
    const mine = desk.replica.row(mineId(SCOPE, id));
    assert.deepEqual([fieldOf(mine, 'snooze'), fieldOf(mine, 'snoozeCount')], [{ on: '2026-11-30' }, 1]);
    desk.press('Mod+Z');
    assert.notEqual(fieldOf(desk.replica.row(id), 'del') ?? null, null);
  });

  test('[ENTRY-2] a repeat begins on its first day, by the settings', () => {
    const desk = opened();
    desk.press('Escape');
    desk.app.run('setting.missedRepeats', { value: 'every' });
    desk.press('Mod+Shift+Space');
    say(desk, 'Water plants every tue at 9');
    assert.deepEqual(chips(desk), ['every Tuesday, first Tue 1 Dec, 09:00, suggested']);
    act(desk, { action: 'tab' });
    act(desk, { action: 'save' });
    const { fields } = task(desk, 'Water plants');
    assert.deepEqual(fields.due, { at: at('2026-12-01T09:00'), zone: 'UTC' });
    assert.equal(fields.repeat?.missed, 'every');
  });

  test('[ENTRY-3] Backspace right behind words keeps them, the button of a chip too', () => {
    const desk = opened('auto');
    say(desk, 'Call tomorrow #errands');
    assert.deepEqual(entry(desk).refusable, [13, 22]);
    act(desk, { action: 'back', caret: 22 });
    assert.deepEqual(chips(desk), ['due Sat 28 Nov, counts']);
    act(desk, { action: 'refuse', index: 0 });
    assert.deepEqual(chips(desk), []);
    act(desk, { action: 'save' });
    assert.equal(fieldOf(task(desk, 'Call tomorrow #errands'), 'due'), undefined);
  });

  test('[ENTRY-2] a sign counts at once, a date once it is taken, by Tab or its chip', () => {
    const desk = opened();
    say(desk, 'Call Ann on friday for 45m #errands @home now');
    assert.deepEqual(chips(desk), ['due Fri 4 Dec, 45 min, suggested', '#Errands, counts', '@Home, counts']);
    assert.deepEqual([entry(desk).tabAccepts, entry(desk).refusable], [true, [35, 41]]);
    act(desk, { action: 'tab' });
    assert.equal(entry(desk).text, 'Call Ann #errands @home now');
    assert.deepEqual([entry(desk).tabAccepts, entry(desk).restores], [false, true]);
    act(desk, { action: 'back', caret: 9 });
    assert.equal(entry(desk).text, 'Call Ann on friday for 45m #errands @home now');
    say(desk, 'Call Ann on monday #errands @home now');
    act(desk, { action: 'accept', index: 0 });
    act(desk, { action: 'save' });
    const { fields } = task(desk, 'Call Ann now');
    assert.deepEqual(fields.due, { on: '2026-11-30' });
  });

  test('[ENTRY-2] [ENTRY-4] what is suggested waits for Tab, and Backspace gives the words back', () => {
    const desk = list();
    desk.app.run('setting.quickEntryTokens', { value: 'suggest' });
    desk.press('Mod+Shift+Space');
    say(desk, 'Call tomorrow');
    assert.deepEqual(chips(desk), ['due Sat 28 Nov, suggested']);
    assert.equal(entry(desk).tabAccepts, true);
    act(desk, { action: 'tab' });
    assert.equal(entry(desk).text, 'Call ');
    assert.deepEqual(chips(desk), ['due Sat 28 Nov, counts']);
    assert.equal(entry(desk).restores, true);
    act(desk, { action: 'back', caret: 5 });
    assert.equal(entry(desk).text, 'Call tomorrow');
    assert.deepEqual(chips(desk), []);
    say(desk, 'Call tomorrow, pay on sunday');
    act(desk, { action: 'save' });
    assert.equal(fieldOf(task(desk, 'Call tomorrow, pay on sunday'), 'due'), undefined);
  });

  test('[ENTRY-6] a line of nothing else is a title; nothing at all is asked for', () => {
    const desk = opened();
    act(desk, { action: 'save' });
    assert.equal(entry(desk).answer, 'Type what you need to do.');
    say(desk, 'tomorrow');
    act(desk, { action: 'save' });
    assert.equal(fieldOf(task(desk, 'tomorrow'), 'due'), undefined);
  });

  test('[ENTRY-7] names are completed by Tab', () => {
    const desk = opened();
    say(desk, 'Buy milk #hi');
    assert.deepEqual(entry(desk).completions, ['#High priority', 'New label #hi']);
    act(desk, { action: 'tab' });
    assert.equal(entry(desk).text, 'Buy milk #High priority ');
    assert.deepEqual(chips(desk), ['#High priority, counts']);
    say(desk, 'Buy milk #High priority @h');
    act(desk, { action: 'complete', index: 0 });
    act(desk, { action: 'save' });
    assert.match(desk.message, /to Home\.$/);
  });

  test('[ENTRY-18] a new label is made with the task; a list that is not made stays in the title, and that is said', () => {
    const desk = opened('auto');
    say(desk, 'Buy tape #garage');
    assert.deepEqual(entry(desk).completions, []);
    assert.deepEqual(chips(desk), ['#garage (new), counts']);
    act(desk, { action: 'save' });
    assert.equal(desk.message, 'Added ‘Buy tape’, #garage (new) to the Inbox.');
    desk.press('Mod+Z');
    assert.ok(
      ![...desk.replica.all()].some((row) => fieldOf(row, 'name') === 'garage' && !fieldOf(row, 'del')),
    );
    desk.press('Mod+Shift+Space');
    say(desk, 'Sweep @cellar');
    act(desk, { action: 'save' });
    assert.equal(
      desk.message,
      'Added ‘Sweep @cellar’ to the Inbox. There’s no list ‘cellar’, so @cellar stays.',
    );
  });

  test('[ENTRY-18] no label is left of a task that its list does not take', () => {
    const line = { text: 'Buy tape #garage', accepted: [], literal: [], old: [] };
    const list = deriveId('list', 'that is gone');
    const kept = { version: 1, line, notes: '', list, reason: '', asksForList: false };
    const desk = new Desk('', { preferences: new Map([[keptEntryKey(0), JSON.stringify(kept)]]) });
    desk.press('Mod+Shift+Space');
    act(desk, { action: 'save' });
    assert.equal(entry(desk).answer, 'You can’t add it to that list. Choose another.');
    assert.equal(entry(desk).text, 'Buy tape #garage');
    assert.ok(
      ![...desk.replica.all()].some((row) => fieldOf(row, 'name') === 'garage' && !fieldOf(row, 'del')),
    );
  });

  test('[LINK-2] what comes from elsewhere while something waits is another task, and both reasons are kept', async () => {
    const desk = opened('auto');
    say(desk, 'My draft');
    desk.press('Escape');
    for (const query of [
      'title=Call%20Bob&dueAtQuery=blurgsday&notes=hello',
      'title=Pay%20rent&label=nolabel',
    ]) {
      desk.app.follow(`/app/open/quick-entry?${query}`);
      await desk.settle();
    }
    const seen = [];
    for (let count = 0; count < 3; count += 1) {
      const { text, notes, reason } = entry(desk);
      seen.push([text, notes, reason === '']);
      act(desk, { action: 'save' });
    }
    assert.deepEqual(seen, [
      ['Pay rent', '', false],
      ['Call Bob', 'hello', false],
      ['My draft', '', true],
    ]);
    assert.equal(desk.app.view.dialog.get(), null);
    for (const title of ['Pay rent', 'Call Bob', 'My draft']) assert.ok(task(desk, title), title);
  });

  test('[ENTRY-7] leaving keeps what was typed; it can stay open for the next', () => {
    const desk = opened('auto');
    say(desk, 'Call tomorrow');
    desk.press('Escape');
    assert.equal(desk.message, 'Not added yet. Quick entry keeps what you typed.');
    desk.press('Mod+Shift+Space');
    assert.equal(entry(desk).text, 'Call tomorrow');
    act(desk, { action: 'save', staysOpen: true });
    assert.equal(entry(desk).text, '');
    assert.equal(entry(desk).answer, 'Added ‘Call’, due Sat 28 Nov to the Inbox.');
    say(desk, 'Write');
    choose(desk, 'list', 'home');
    act(desk, { action: 'save', staysOpen: true });
    assert.equal(entry(desk).answer, 'Added ‘Write’ to Home.');
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Mod+Shift+Space');
    assert.equal(entry(desk).text, '');
  });

  test('[ENTRY-7] what was typed and not added is there after the app was closed, as it stood', () => {
    const desk = opened('auto');
    say(desk, 'Read “today” on friday');
    act(desk, { action: 'refuse', index: 0 });
    choose(desk, 'due', 'in 3 days');
    act(desk, { action: 'notes', text: 'https://example.com/a' });
    const before = entry(desk);
    const later = new Desk('', { preferences: desk.preferences });
    later.timers.advance(1);
    assert.equal(later.message, '‘Read “today” on friday’ isn’t added yet. Quick entry has kept it.');
    later.press('Mod+Shift+Space');
    const { text, tokens, notes } = entry(later);
    assert.deepEqual([text, tokens, notes], [before.text, before.tokens, before.notes]);
    act(later, { action: 'save' });
    assert.deepEqual(task(later, 'Read “today” on friday').fields.due, { on: '2026-11-30' });
    const added = new Desk('', { preferences: desk.preferences });
    added.timers.advance(1);
    assert.equal(added.message, '');
  });

  test('[ENTRY-7] what is offered a second time, because its page was loaded again, stands there once', async () => {
    const link = '/app/open/quick-entry?title=Water&notes=Roses&durationMinutes=45&dueAtQuery=whenever';
    const desk = opened('auto');
    desk.press('Escape');
    const offer = async (to: Desk) => {
      to.app.follow(link);
      await to.settle();
      const { text, notes, tokens } = entry(to);
      return [text, notes, tokens.map(({ said }) => said)];
    };
    const once = ['Water', 'Roses', ['takes 45 min']];
    assert.deepEqual(await offer(desk), once);
    assert.deepEqual(await offer(new Desk('', { preferences: desk.preferences })), once);
  });

  test('[ENTRY-7] it opens over the palette and while a title is written, which is kept', () => {
    const desk = list();
    desk.press('Mod+K', 'Mod+Shift+Space');
    assert.equal(desk.app.view.palette.get(), null);
    assert.equal(entry(desk).text, '');
    desk.press('Escape', 'Ctrl+Enter');
    desk.type('Half a line');
    desk.press('Mod+Shift+Space');
    say(desk, 'Other');
    act(desk, { action: 'save' });
    assert.ok(task(desk, 'Half a line'));
    assert.ok(task(desk, 'Other'));
  });

  test('a text that is too long goes on in the notes', () => {
    const desk = opened('auto');
    say(desk, `${'x'.repeat(4_100)} tomorrow`);
    act(desk, { action: 'save' });
    const { fields } = task(desk, 'x'.repeat(4_000));
    assert.equal(fields.notes, 'x'.repeat(100));
    assert.deepEqual(fields.due, { on: '2026-11-28' });
  });
});
