// What the palette remembers of choices and names, and how it finds tasks among very many.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';

const view = (desk: Desk) => desk.app.view.palette.get();
const items = (desk: Desk) => view(desk)?.items ?? [];
const ids = (desk: Desk) => items(desk).map(({ id }) => id);

function ask(desk: Desk, query: string): readonly string[] {
  desk.app.paletteInput(query);
  return desk.palette();
}

describe('what the palette remembers', () => {
  test('[PAL-9] what was chosen for a query is first for it, and no more after 30 days', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    ask(desk, 'th');
    const at = ids(desk).indexOf('cmd.view.themeAuto');
    assert.ok(at > 0);
    desk.app.pressPaletteItem(at);
    desk.press('Mod+K');
    ask(desk, 'th');
    assert.equal(ids(desk)[0], 'cmd.view.themeAuto');
    desk.press('Escape');
    desk.timers.advance(31 * 86_400_000);
    desk.press('Mod+K');
    ask(desk, 'th');
    assert.notEqual(ids(desk)[0], 'cmd.view.themeAuto');
  });

  test('[PAL-8] use swaps neighbours and never lifts a word above the beginning of a title', () => {
    const desk = new Desk('> A');
    const choose = (query: string, id: string) => {
      desk.press('Mod+K');
      ask(desk, query);
      desk.app.pressPaletteItem(ids(desk).indexOf(id));
      desk.press('Escape', 'Escape');
    };
    for (let time = 0; time < 30; time += 1) choose('show or hide archived', 'cmd.view.archived');
    desk.press('Mod+K');
    ask(desk, 'arch');
    assert.equal(
      ids(desk).find((id) => id !== 'cmd.list.archive'),
      'cmd.view.archived',
    );
    ask(desk, 'sh');
    assert.equal(ids(desk)[0], 'cmd.view.archived');
    ask(desk, 'collapse');
    const before = ids(desk)[0];
    desk.press('Escape');
    for (let time = 0; time < 30; time += 1) choose('collapse or', 'cmd.view.fold');
    desk.press('Mod+K');
    ask(desk, 'collapse');
    assert.deepEqual([before, ids(desk)[0]], ['cmd.view.collapseAll', 'cmd.view.fold']);
    ask(desk, 'expand');
    assert.equal(ids(desk)[0], 'cmd.view.expandAll');
  });

  test('[PAL-13] anything can have an alias, which finds it first; it is one undo, and can be removed', () => {
    const desk = new Desk('> A');
    desk.app.run('list.create', { name: 'Invoices' });
    desk.press('g i');
    desk.press('Mod+K');
    ask(desk, 'set an alias');
    desk.press('Enter');
    ask(desk, 'invoices');
    desk.press('Enter');
    desk.type('Dough');
    desk.press('Enter');
    assert.equal(desk.message, '‘Dough’ finds Invoices in the palette now.');
    desk.press('Mod+K');
    assert.equal(ask(desk, 'dough')[0], 'Invoices');
    assert.equal(ask(desk, 'dou')[0], 'Invoices');
    desk.press('Enter');
    assert.equal(desk.app.view.header.get().title, 'Invoices');
    desk.press('Mod+K');
    ask(desk, 'remove an alias');
    desk.press('Enter');
    assert.deepEqual(desk.palette(), ['dough']);
    desk.press('Enter');
    assert.equal(desk.message, 'Removed the alias.');
    desk.press('Mod+K');
    assert.equal(ask(desk, 'dough')[0], 'Create task “dough” in Inbox');
    desk.press('Escape', 'Mod+Z', 'Mod+K');
    assert.equal(ask(desk, 'dough')[0], 'Invoices');
    assert.equal(desk.app.run('palette.name', { item: 'cmd.edit.undo', name: '>x' }).type, 'refused');
  });
});

describe('tasks in portions', () => {
  /** A clock that every look moves on, so that one key has time for little. */
  function many(): Desk {
    const desk = new Desk('> Other');
    const place = { parent: inboxId(SCOPE) };
    const actions = Array.from({ length: 3_000 }, (_, index): Action => {
      const title = index === 2_900 ? 'Needle' : index % 2 === 0 ? `hay ${index} needles` : `straw ${index}`;
      return { a: 'create', id: desk.replica.newId(), type: 'task', fields: { title }, place };
    });
    for (let at = 0; at < actions.length; at += 500) desk.replica.issue(actions.slice(at, at + 500));
    let at = desk.replica.now();
    desk.replica.now = () => (at += 3);
    return desk;
  }

  test('[PAL-16] the first are there at once, the rest comes after the frame and moves no item that somebody is at', () => {
    const desk = many();
    desk.press('Mod+K');
    ask(desk, 'needle');
    const first = ids(desk);
    assert.ok(first.length > 2 && !desk.palette().includes('Needle'));
    desk.press('Down');
    const at = view(desk)?.active ?? -1;
    desk.timers.advance(1_000);
    assert.deepEqual(ids(desk).slice(0, at + 1), first.slice(0, at + 1));
    assert.equal(view(desk)?.active, at);
    assert.equal(desk.palette()[at + 1], 'Needle');
    assert.ok(items(desk).length <= 51);
  });

  test('[PAL-16] what leads on where nothing was found yet gives way to what is found', () => {
    const desk = many();
    desk.press('Mod+K');
    ask(desk, 'hay 2800');
    assert.equal(desk.palette()[0], 'Create task “hay 2800” in Inbox');
    desk.timers.advance(1_000);
    assert.equal(desk.palette()[0], 'hay 2800 needles');
    assert.equal(view(desk)?.active, 0);
    ask(desk, 'hay 2800 n');
    desk.timers.advance(1_000);
    assert.equal(desk.palette()[0], 'hay 2800 needles');
  });
});
