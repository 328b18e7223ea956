// The editor of keys at the desk: finding, recording, conflicts, taking away, resetting, files, labels, one device alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyEditorAction, KeyEditorView } from '#client/keys/editor-view.ts';
import { sections } from '#client/keys/key-sheet.ts';
import { Desk, outline } from './desk.ts';
import { keyInput } from './key-input.ts';

const TWO = outline(`
  > Plan
    Rest`);

function open(desk: Desk): KeyEditorView {
  desk.press('?');
  return view(desk);
}

function view(desk: Desk): KeyEditorView {
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'keys');
  return dialog.editor;
}

const act = (desk: Desk, action: KeyEditorAction) => desk.app.answer('keys', action);
const find = (desk: Desk, text: string) => act(desk, { action: 'filter', text });
const lines = (desk: Desk) =>
  view(desk).options.map(({ title, caps }) => `${title} ${caps.join(' ')}`.trim());

describe('editor of keys', () => {
  test('[KEY-50] lists every key and every command without one, and finds by words', () => {
    const desk = new Desk(TWO);
    const { options } = open(desk);
    assert.ok(options.length > 150);
    const titles = new Set(options.map(({ title }) => title));
    for (const { title, inPalette } of desk.app.commands.values())
      if (inPalette) assert.ok(titles.has(title), title);
    find(desk, 'snooz');
    assert.ok(lines(desk).includes('Snooze… s'), lines(desk).join('\n'));
  });

  test('[KEY-74] ? shows the keys that most days need; an arrow, Enter or words lead to every key and command', () => {
    const desk = new Desk(TWO);
    const { sheet } = open(desk);
    assert.deepEqual(
      sheet?.slice(0, 2).map(({ title }) => title),
      ['The first five', 'Move around'],
    );
    for (const { lines: of } of sections)
      for (const [title, ...ids] of of)
        for (const id of ids) assert.ok(id !== undefined && desk.app.commands.has(id), `${title}: ${id}`);
    const shown = sheet?.flatMap(({ rows }) => rows).filter(({ keys }) => keys.length === 0);
    assert.deepEqual(shown, []);
    desk.within = ['list'];
    desk.press('Down');
    assert.equal(view(desk).sheet, null);
    assert.equal(view(desk).active, 0);
    find(desk, '');
    assert.ok(view(desk).sheet);
    desk.press('Enter');
    assert.equal(view(desk).sheet, null);
    assert.equal(view(desk).recorder, null);
    find(desk, '');
    find(desk, 'snooz');
    assert.equal(view(desk).sheet, null);
    act(desk, { action: 'byKey' });
    assert.equal(view(desk).sheet, null);
  });

  test('[KEY-74] the sheet reads the keys in effect and marks those of one’s own', () => {
    const desk = new Desk(TWO);
    const rows = (title: string) => view(desk).sheet?.find((group) => group.title === title)?.rows;
    const line = (title: string, name: string) => rows(title)?.find((row) => row.title === name);
    open(desk);
    assert.deepEqual(line('The first five', 'Complete')?.keys[0], ['Space']);
    assert.deepEqual(line('Move around', 'Task before, task after')?.keys, [['↑'], ['↓']]);
    assert.equal(line('The first five', 'Complete')?.isOwn, false);
    const record = (title: string, key: string) => {
      find(desk, title.toLowerCase());
      const chosen = view(desk).options.find((option) => option.title === title);
      act(desk, { action: 'choose', id: chosen?.id ?? '' });
      act(desk, { action: 'record' });
      desk.press(key, 'Enter');
      find(desk, '');
    };
    record('Complete task', 'F7');
    record('Sign in', 'F10');
    assert.deepEqual(line('The first five', 'Complete')?.keys[0], ['F7']);
    assert.equal(line('The first five', 'Complete')?.isOwn, true);
    assert.equal(line('The first five', 'Next task')?.isOwn, false);
    assert.deepEqual(
      rows('Keys of your own')?.map(({ title, keys }) => [title, ...keys]),
      [['Sign in', ['F10']]],
    );
    const printed = desk.app.keySheet().flatMap((group) => group.rows);
    assert.deepEqual(
      new Set(printed.filter(({ isOwn }) => isOwn).map(({ id }) => id)),
      new Set(['task.complete', 'account.signIn']),
    );
    act(desk, { action: 'preset', preset: 'vim' });
    assert.ok(rows('Vim’s own keys'));
  });

  test('[KEY-58] lines that say what they said stay the same, whatever is moved or recorded', () => {
    const desk = new Desk(TWO);
    const before = open(desk).options;
    const others = () => view(desk).options.filter((option, index) => option !== before[index]);
    act(desk, { action: 'move', to: 'down' });
    act(desk, { action: 'record' });
    desk.press('F8');
    assert.deepEqual(others(), []);
    desk.press('Enter');
    act(desk, { action: 'save' });
    const known = new Set(before);
    const isNew = view(desk).options.filter((option) => !known.has(option));
    assert.ok(isNew.some(({ caps }) => caps.includes('F8')));
    assert.ok(isNew.length < 4, isNew.map(({ title }) => title).join('\n'));
  });

  test('[KEY-50] finds by pressing; nothing else happens then', () => {
    const desk = new Desk(TWO);
    open(desk);
    act(desk, { action: 'byKey' });
    desk.press('Space');
    assert.equal(desk.rows()[0]?.done, false);
    assert.ok(view(desk).options.every(({ caps }) => caps[0] === 'Space'));
    desk.press('Backspace', 'g', 'i');
    assert.ok(lines(desk).includes('Go to Inbox g i'));
    desk.press('Escape');
    assert.equal(view(desk).sought, null);
  });

  test('[KEY-51] records a key that then works; the old one no longer does', () => {
    const desk = new Desk(TWO);
    open(desk);
    find(desk, 'complete task');
    const line = view(desk).options.find(
      ({ title, caps }) => title === 'Complete task' && caps[0] === 'Space',
    );
    act(desk, { action: 'choose', id: line?.id ?? '' });
    act(desk, { action: 'record' });
    assert.equal(view(desk).recorder?.isListening, true);
    desk.press('k', 'Enter');
    assert.equal(view(desk).recorder, null);
    assert.match(view(desk).answer?.text ?? '', /^k: Complete task/);
    desk.press('Escape', 'Space');
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('k');
    assert.equal(desk.rows()[0]?.done, true);
    desk.press('Mod+Z', 'Mod+Z', 'Space');
    assert.equal(desk.rows()[0]?.done, true);
  });

  test('[KEY-51] a key is recorded once, however long it is pressed', () => {
    const desk = new Desk(TWO);
    open(desk);
    act(desk, { action: 'record' });
    const hold = (name: string) => desk.app.key(keyInput(name, { apple: true, inText: false, repeat: true }));
    // Enter began it, and is still down.
    assert.equal(hold('Enter'), true);
    desk.press('q');
    assert.equal(hold('q'), true);
    assert.deepEqual(view(desk).recorder?.caps, ['q']);
    assert.equal(view(desk).recorder?.isListening, true);
  });

  test('[KEY-50] [KEY-51] what only keys can do stays listed without its key, and gets one again in its place', () => {
    const desk = new Desk(TWO);
    open(desk);
    const take = (title: string) => {
      find(desk, title.toLowerCase());
      const line = view(desk).options.find((option) => option.title === title);
      act(desk, { action: 'choose', id: line?.id ?? '' });
      return line?.caps;
    };
    for (const title of ['Next task', 'Eight items down']) {
      assert.ok(take(title));
      act(desk, { action: 'remove' });
      assert.deepEqual(take(title), []);
    }
    act(desk, { action: 'record' });
    desk.press('F7', 'Enter');
    assert.ok(view(desk).options.some(({ id }) => id === 'palette F7'));
    take('Next task');
    assert.equal(view(desk).canReset, true);
    act(desk, { action: 'reset' });
    assert.deepEqual(take('Next task'), ['↓']);
  });

  test('[KEY-50] what the grammar of a set reads is listed and found by pressing, and belongs to the set', () => {
    const desk = new Desk(TWO);
    desk.app.run('keys.preset', { value: 'vim' });
    open(desk);
    act(desk, { action: 'byKey' });
    desk.press('d');
    assert.equal(lines(desk)[0], 'Delete: d d, or d and a motion d');
    desk.press('Escape');
    find(desk, 'd and a motion');
    assert.equal(view(desk).canRemove, false);
    assert.equal(view(desk).canReset, false);
    act(desk, { action: 'record' });
    assert.match(view(desk).answer?.text ?? '', /is part of the set/);
    assert.equal(view(desk).recorder, null);
    const groups = desk.app.keySheet();
    const readByVim = groups.find(({ title }) => title === 'Vim’s own keys');
    assert.ok(readByVim?.rows.some(({ keys }) => keys[0]?.join('') === 'd'));
    assert.ok(groups.some(({ title }) => title === 'Not in the Vim set'));
    find(desk, 'finding a letter');
    assert.equal(
      lines(desk)[0],
      'Finding a letter in the line: titles are edited as usual, and / searches f',
    );
    assert.equal(view(desk).canRemove, false);
    act(desk, { action: 'record' });
    assert.match(view(desk).answer?.text ?? '', /^Nothing uses that key here/);
    desk.app.run('label.create', { name: 'Errand' });
    find(desk, 'errand');
    for (const key of ['1', 'd', 'p']) {
      act(desk, { action: 'record' });
      desk.press(key, 'Enter');
      assert.match(view(desk).recorder?.problem ?? '', /taken by the Vim keys/, key);
      act(desk, { action: 'cancel' });
    }
  });

  test('[KEY-43] [KEY-50] a set says which of its keys stay with the browser, and what helps', () => {
    const desk = new Desk(TWO, { apple: false });
    desk.app.run('keys.preset', { value: 'emacs' });
    assert.match(desk.message, /Browser tabs keep some keys: Ctrl\+N \(↓ does the same\)/);
    assert.match(open(desk).about, /Browser tabs keep some keys: Ctrl\+N \(↓ does the same\)/);
    act(desk, { action: 'preset', preset: 'vim' });
    assert.doesNotMatch(view(desk).about, /browser tab/);
  });

  test('[KEY-53] offers to swap with the command that a key is taken from, as one undo', () => {
    const desk = new Desk(TWO);
    open(desk);
    const choose = (title: string, cap: string) => {
      find(desk, title.toLowerCase());
      const line = view(desk).options.find(
        (option) => option.title === title && option.caps.join(' ') === cap,
      );
      act(desk, { action: 'choose', id: line?.id ?? '' });
    };
    choose('Complete task', 'Space');
    act(desk, { action: 'record' });
    desk.press('x');
    assert.equal(view(desk).recorder?.swap, null, 'more may follow');
    desk.press('Enter');
    assert.equal(view(desk).recorder?.swap, 'Swap: Space for “Select task”');
    act(desk, { action: 'swap' });
    assert.equal(view(desk).recorder, null);
    desk.press('Escape', 'x');
    assert.equal(desk.rows()[0]?.done, true);
    desk.press('Space');
    assert.equal(desk.rows()[0]?.selected, true);
    desk.press('Mod+Z', 'Mod+Z', 'Escape', 'Space');
    assert.equal(desk.rows()[0]?.done, true, 'as it was');
    // A new key beside the old one leaves none to give, and one that hides several cannot be swapped.
    open(desk);
    choose('Complete task', 'Space');
    act(desk, { action: 'add' });
    desk.press('x', 'Enter');
    assert.equal(view(desk).recorder?.swap, null);
    act(desk, { action: 'cancel' });
    choose('Complete task', 'Space');
    act(desk, { action: 'record' });
    desk.press('g', 'Enter');
    assert.equal(view(desk).recorder?.swap, null);
  });

  test('[KEY-53] says which label loses its key', () => {
    const desk = new Desk(TWO);
    desk.app.run('label.create', { name: 'Errand' });
    open(desk);
    find(desk, 'errand');
    act(desk, { action: 'record' });
    desk.press('q', 'Enter');
    find(desk, 'complete task');
    act(desk, { action: 'record' });
    desk.press('q', 'Enter');
    assert.match(view(desk).recorder?.notes.join(' ') ?? '', /q adds the label “Errand” now/);
  });

  test('[KEY-52] Escape stops recording, and is no part of a sequence without modifiers', () => {
    const desk = new Desk(TWO);
    open(desk);
    act(desk, { action: 'record' });
    desk.press('Escape');
    assert.equal(view(desk).recorder, null);
    act(desk, { action: 'record' });
    desk.press('q', 'w', 'Escape');
    assert.deepEqual(view(desk).recorder?.caps, ['q', 'w']);
    assert.equal(view(desk).recorder?.isListening, false);
    act(desk, { action: 'again' });
    desk.press('Shift+Escape', 'Escape');
    assert.deepEqual(view(desk).recorder?.caps, ['⇧Esc']);
  });

  test('[KEY-53] says what a key is taken from, hides, or is kept away by, before it is saved', () => {
    const desk = new Desk(TWO);
    open(desk);
    find(desk, 'complete task');
    act(desk, { action: 'record' });
    desk.press('s', 'Enter');
    assert.match(view(desk).recorder?.notes.join(' ') ?? '', /s is “Snooze…” now/);
    act(desk, { action: 'again' });
    desk.press('g', 'Enter');
    assert.match(view(desk).recorder?.notes.join(' ') ?? '', /g hides g i/);
    act(desk, { action: 'again' });
    desk.press('Mod+W', 'Enter');
    assert.match(view(desk).recorder?.notes.join(' ') ?? '', /uses this key/);
    act(desk, { action: 'again' });
    desk.press('s', 'Enter');
    act(desk, { action: 'save' });
    find(desk, 'snooz');
    assert.ok(!lines(desk).includes('Snooze… s'));
    act(desk, { action: 'resetAll' });
    find(desk, 'snooz');
    assert.ok(lines(desk).includes('Snooze… s'));
  });

  test('[KEY-53] a letter is refused where it would be text', () => {
    const desk = new Desk(TWO);
    open(desk);
    find(desk, 'next line');
    const line = view(desk).options.find(({ title }) => title === 'Next line');
    act(desk, { action: 'choose', id: line?.id ?? '' });
    act(desk, { action: 'record' });
    desk.press('b', 'Enter');
    assert.match(view(desk).recorder?.problem ?? '', /types text/);
    act(desk, { action: 'save' });
    assert.equal(view(desk).answer?.isError, true);
  });

  test('[KEY-51] a command without a key gets one; it can be taken away, and all be reset', () => {
    const desk = new Desk(TWO);
    open(desk);
    find(desk, 'copy as text');
    act(desk, { action: 'record' });
    desk.press('Alt+Shift+C', 'Enter');
    find(desk, 'copy as text');
    assert.equal(view(desk).options[0]?.isOwn, true);
    assert.equal(view(desk).canReset, true);
    act(desk, { action: 'remove' });
    find(desk, 'copy as text');
    assert.deepEqual(view(desk).options[0]?.caps, []);
    find(desk, '');
    desk.press('Mod+Z');
    find(desk, 'copy as text');
    assert.deepEqual(view(desk).options[0]?.caps, ['⌥⇧C']);
  });

  test('[KEY-54] goes to a file and comes back; what is no such file changes nothing', async () => {
    const desk = new Desk(TWO);
    open(desk);
    find(desk, 'copy as text');
    act(desk, { action: 'record' });
    desk.press('y', 'Enter');
    act(desk, { action: 'preset', preset: 'emacs' });
    act(desk, { action: 'export' });
    const [file] = desk.files;
    assert.ok(file);
    const other = new Desk(TWO);
    open(other);
    other.picked = { name: 'keys.json', text: file.text };
    act(other, { action: 'import' });
    await other.settle();
    assert.equal(view(other).preset, 'emacs');
    assert.deepEqual(other.app.keysOf('task.copyText'), [['⌥W'], ['y']]);
    for (const text of [
      '{',
      '{}',
      '{"format":"posthaste-keys","version":2}',
      file.text.replace('"y"', '"a  b"'),
      file.text.replace('"y"', '"y Escape"'),
      file.text.replace('"y"', '"Escape y"'),
      file.text.replace('"task.copyText"', '"task.nothing"'),
      file.text.replace('"navigate"', '"edit"'),
    ]) {
      other.picked = { name: 'bad.json', text };
      act(other, { action: 'import' });
      await other.settle();
      assert.match(view(other).answer?.text ?? '', /Nothing changed/, text);
    }
    assert.equal(view(other).preset, 'emacs');
  });

  test('[KEY-55] a device can go its own way', () => {
    const desk = new Desk(TWO);
    open(desk);
    act(desk, { action: 'preset', preset: 'emacs' });
    act(desk, { action: 'sync' });
    assert.equal(view(desk).isSynced, false);
    assert.equal(view(desk).preset, 'emacs');
    act(desk, { action: 'preset', preset: 'vim' });
    assert.equal(view(desk).preset, 'vim');
    act(desk, { action: 'sync' });
    assert.equal(view(desk).preset, 'emacs');
  });

  test('[KEY-55] without sequences only single presses are bound, and recording ends with the first', () => {
    const desk = new Desk(TWO);
    open(desk);
    act(desk, { action: 'chords', isOn: false });
    assert.ok(view(desk).options.every(({ caps }) => caps.length < 2));
    act(desk, { action: 'record' });
    desk.press('q');
    assert.equal(view(desk).recorder?.isListening, false);
    desk.app.closeDialog();
    desk.press('g');
    assert.deepEqual(desk.app.view.status.get().pending, []);
  });

  test('[KEY-56] a label is given a key like a command', () => {
    const desk = new Desk(TWO);
    desk.app.run('label.create', { name: 'Home' });
    open(desk);
    find(desk, 'home');
    const line = view(desk).options.findIndex(({ title }) => title === 'Home');
    act(desk, { action: 'choose', id: view(desk).options[line]?.id ?? '' });
    act(desk, { action: 'record' });
    desk.press('s', 'Enter');
    assert.match(view(desk).recorder?.problem ?? '', /taken by “Snooze…”/);
    act(desk, { action: 'again' });
    desk.press('q', 'Enter');
    desk.app.closeDialog();
    desk.press('q');
    assert.deepEqual(
      desk.rows()[0]?.labels.map(({ name }) => name),
      ['Home'],
    );
  });
});
