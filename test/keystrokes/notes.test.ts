// Notes by keys: links that open, keys that go to the field, notes of lists, and the way out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NotesAct } from '#client/app/app.ts';
import { Desk } from './desk.ts';

/** A field that remembers what it was told; `meant` are the keys that mean something at its caret. */
function fieldOf(desk: Desk, meant: readonly NotesAct[] = [], link: string | null = null): NotesAct[] {
  const acts: NotesAct[] = [];
  desk.app.notesField({
    act(what) {
      acts.push(what);
      return meant.includes(what);
    },
    linkAtCaret: () => link,
  });
  return acts;
}

const choices = (desk: Desk) => (desk.app.view.palette.get()?.items ?? []).map(({ title }) => title);

describe('notes by keys', () => {
  test('[NOTE-10] one link opens at once, of several one is asked for', () => {
    const desk = new Desk(
      '> See https://example.org/a.\n  No link\n  [Docs](https://example.org/d) and tel:+361 me@example.org',
    );
    desk.press('Mod+O');
    assert.deepEqual(desk.links, ['https://example.org/a']);
    desk.press('Down', 'Mod+O');
    assert.equal(desk.message, 'There’s no link in the title or notes.');
    desk.press('Down', 'Mod+O');
    assert.deepEqual(choices(desk), ['Docs', 'me@example.org', 'Open all 2 links']);
    desk.type('me');
    desk.press('Enter');
    assert.deepEqual(desk.links.slice(1), ['mailto:me@example.org']);
    desk.press('Mod+O', 'Up', 'Enter');
    assert.deepEqual(desk.links.slice(2), ['https://example.org/d', 'mailto:me@example.org']);
    desk.press('Mod+O', 'Escape');
    assert.equal(desk.links.length, 4);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
  });

  test('[NOTE-10] in notes it is the link at the caret, else those of the note', () => {
    const desk = new Desk('> A');
    desk.press('n');
    desk.type('see https://example.org/a');
    fieldOf(desk, [], 'https://example.org/caret');
    desk.press('Mod+O');
    assert.deepEqual(desk.links, ['https://example.org/caret']);
    fieldOf(desk);
    desk.press('Mod+O');
    assert.deepEqual(desk.links.slice(1), ['https://example.org/a']);
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'notes' });
  });

  test('[NOTE-9] [NOTE-6] keys of notes go to the field, and do nothing else without one', () => {
    const desk = new Desk('> A');
    desk.press('n', 'Mod+B');
    assert.match(desk.message, /hasn’t loaded yet/);
    const acts = fieldOf(desk, ['bold']);
    assert.equal(desk.press('Mod+B', 'Mod+I', 'Mod+E', 'Mod+Shift+X', 'Mod+Shift+L', 'Mod+Enter'), true);
    assert.deepEqual(acts, ['bold', 'italic', 'code', 'strike', 'link', 'checkbox']);
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Escape');
    assert.deepEqual(desk.app.run('notes.bold'), { type: 'refused', reason: 'Open the notes first.' });
  });

  test('[NOTE-8] [NOTE-11] Tab leads on where it means nothing, and after Escape', () => {
    const desk = new Desk('> A');
    desk.press('n');
    const acts = fieldOf(desk, ['indent']);
    assert.equal(desk.press('Tab'), true);
    assert.equal(desk.press('Shift+Tab'), false);
    assert.deepEqual(acts, ['indent', 'outdent']);
    desk.press('Escape');
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    assert.equal(desk.rows()[0]?.cursor, true);
    assert.equal(desk.press('Tab'), false);
    // Whoever came by Tab goes on by it.
    desk.app.focusArrived('notes', 'tab', null);
    assert.equal(desk.press('Tab'), false);
  });

  test('[NOTE-12] the notes of a list are opened from it, and leaving them leads back', () => {
    const desk = new Desk('> A');
    const list = desk.app.view.header.get().title;
    desk.press('Shift+N');
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'notes' });
    assert.equal(desk.app.view.notes.get()?.kind, 'list');
    assert.equal(desk.app.view.notes.get()?.title, list);
    desk.type('What is here');
    desk.press('Escape');
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    assert.equal(desk.app.view.notes.get(), null);
    desk.press('Shift+N');
    assert.equal(desk.app.view.notes.get()?.text, 'What is here');
    desk.press('Mod+/');
    assert.equal(desk.app.view.notes.get(), null);

    desk.press('Mod+I');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'details');
    assert.equal(dialog.details.notes, 'What is here');
    assert.deepEqual(
      dialog.details.facts.filter(({ name }) => name.endsWith('tasks')),
      [
        { name: 'Open tasks', text: '1' },
        { name: 'Completed tasks', text: '0' },
      ],
    );
    desk.press('Escape');

    desk.press('F6', 'n');
    assert.equal(desk.app.view.notes.get()?.kind, 'list');
    desk.press('Escape');
    assert.equal(desk.app.view.focus.get().pane, 'sidebar');
    desk.press('Escape', 'n');
    assert.equal(desk.app.view.notes.get()?.kind, 'task');
    desk.type('of the task');
    desk.press('Shift+Tab', 'Escape', 'Mod+Z');
    assert.equal(desk.rows()[0]?.hasNotes, false);
    desk.press('Mod+Z', 'Shift+N');
    assert.equal(desk.app.view.notes.get()?.text, '');
  });
});
