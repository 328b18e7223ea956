// Dragging by a pointer, without a screen: where tasks would go, and what letting go does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, list, LIST, shows } from './desk.ts';

const idAt = (desk: Desk, line: number): Id => {
  const row = desk.rows()[line];
  assert.ok(row);
  return row.id;
};

/** Drags a line to the gap before another one. */
function drag(desk: Desk, line: number, gap: number, level: number): void {
  assert.equal(desk.app.drag.begin(idAt(desk, line), line), true);
  desk.app.drag.over({ type: 'line', gap, level });
  desk.app.drag.drop();
}

const shown = (desk: Desk) => desk.app.view.drag.get();

describe('dragging', () => {
  test('[OUT-20] the line follows, at a level that the lines around it allow', () => {
    const desk = list();
    assert.equal(desk.app.drag.begin(idAt(desk, 3), 3), true);
    assert.deepEqual(shown(desk), { label: 'Ship', line: null, side: null, beside: null });
    const levelAt = (gap: number, level: number) => {
      desk.app.drag.over({ type: 'line', gap, level });
      return shown(desk)?.line?.level;
    };
    // Above everything only the top level; under Plan its level or one deeper; before Write only beneath Plan.
    assert.equal(levelAt(0, 3), 1);
    assert.equal(levelAt(1, 1), 2);
    assert.equal(levelAt(1, 9), 2);
    assert.equal(levelAt(2, 1), 2);
    assert.equal(levelAt(2, 9), 3);
    // Between Send and Rest, where it stands: from the top to beneath Send.
    for (const gap of [3, 4, 5, 6])
      for (const level of [-2, 1, 2, 3, 9])
        assert.equal(levelAt(gap, level), Math.max(1, Math.min(3, level)));
    assert.equal(levelAt(99, 5), 2);
    desk.app.drag.over(null);
    assert.equal(shown(desk)?.line, null);
    desk.app.drag.drop();
    assert.equal(shown(desk), null);
    shows(desk, LIST.replace('>', ' ').replace('  Ship', '> Ship'));
  });

  test('[OUT-21] letting go moves it with all beneath it, as one undo', () => {
    const desk = list();
    drag(desk, 3, 1, 2);
    shows(desk, '  Plan\n>   Ship\n      Pack\n        Label\n    Write\n    Send\n  Rest');
    assert.equal(desk.message, 'Moved ‘Ship’.');
    assert.equal(desk.app.view.status.get().message?.undo, true);
    drag(desk, 1, 5, 3);
    shows(desk, '  Plan\n    Write\n>     Ship\n        Pack\n          Label\n    Send\n  Rest');
    drag(desk, 2, 7, 1);
    shows(desk, '  Plan\n    Write\n    Send\n  Rest\n> Ship\n    Pack\n      Label');
    drag(desk, 4, 0, 1);
    shows(desk, '> Ship\n    Pack\n      Label\n  Plan\n    Write\n    Send\n  Rest');
    desk.press('Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z');
    shows(desk, LIST.replace('>', ' ').replace('  Ship', '> Ship'));
  });

  test('[OUT-21] all that are selected go together, in their order', () => {
    const desk = list();
    // Send, Label, Rest; then Rest is dragged.
    desk.press('Down', 'Down', 'x', 'Down', 'Down', 'Down', 'x', 'Down', 'x');
    drag(desk, 6, 1, 2);
    shows(desk, '  Plan\n *  Send\n *  Label\n>*  Rest\n    Write\n  Ship\n    Pack');
    assert.equal(desk.message, 'Moved 3 tasks.');
    desk.press('Mod+Z');
    shows(desk, '  Plan\n    Write\n *  Send\n  Ship\n    Pack\n *    Label\n>*Rest');
  });

  test('[OUT-21] one that is not selected goes alone', () => {
    const desk = list();
    desk.press('x');
    drag(desk, 6, 0, 1);
    shows(desk, '> Rest\n  Plan\n    Write\n    Send\n  Ship\n    Pack\n      Label');
  });

  test('[OUT-21] nothing goes into itself, and where it stands nothing changes', () => {
    const desk = list();
    const before = desk.everything();
    for (const gap of [3, 4, 5, 6]) drag(desk, 3, gap, 1);
    drag(desk, 4, 5, 2);
    assert.equal(desk.everything(), before);
    desk.press('Mod+Z');
    assert.equal(desk.message, 'Nothing to undo.');
  });

  test('[OUT-6] [OUT-21] into a collapsed task it goes to the end, and that expands', () => {
    const desk = new Desk('> Plan +\n    Write\n  Ship');
    drag(desk, 1, 1, 2);
    shows(desk, '  Plan\n    Write\n>   Ship');
  });

  test('[OUT-21] over the sidebar it goes to the end of a list or under a bookmark', () => {
    const desk = list();
    desk.app.run('list.create', { name: 'Home' });
    const home = desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Home')?.id as Id;
    desk.app.run('folder.create', { name: 'Away' });
    const folder = desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Away')?.id as Id;
    desk.press('Escape', 'g i', 'Mod+B');
    const plan = idAt(desk, 0);
    desk.app.drag.begin(idAt(desk, 3), 3);
    desk.app.drag.over({ type: 'side', id: folder });
    assert.equal(shown(desk)?.side, null);
    desk.app.drag.over({ type: 'side', id: plan });
    assert.equal(shown(desk)?.side, plan);
    desk.app.drag.drop();
    shows(desk, '  Plan\n    Write\n    Send\n>   Ship\n      Pack\n        Label\n  Rest');
    desk.app.drag.begin(plan, 0);
    desk.app.drag.over({ type: 'side', id: plan });
    assert.equal(shown(desk)?.side, null, 'not into itself');
    desk.app.drag.over({ type: 'side', id: home });
    desk.app.drag.drop();
    shows(desk, '> Rest');
    assert.equal(desk.message, 'Moved ‘Plan’ to Home.');
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(desk.rows().length, 7);
  });

  test('[OUT-22] Escape or another key ends it without a change', () => {
    const desk = list();
    for (const key of ['Escape', 'Down', 'x']) {
      desk.app.drag.begin(idAt(desk, 6), 6);
      desk.app.drag.over({ type: 'line', gap: 0, level: 1 });
      assert.equal(desk.press(key), true);
      assert.equal(shown(desk), null);
      desk.app.drag.over({ type: 'line', gap: 0, level: 1 });
      desk.app.drag.drop();
    }
    assert.equal(desk.rows()[6]?.title, 'Rest');
    assert.equal(desk.rows()[6]?.selected, true, 'the key did what it does');
    desk.app.drag.begin(idAt(desk, 6), 6);
    desk.app.drag.cancel();
    assert.equal(shown(desk), null);
  });

  test('[OUT-20] what is typed is kept, and a new task without a title is not dragged', () => {
    const desk = list();
    desk.press('End', 'Enter');
    desk.type('!');
    drag(desk, 0, 7, 1);
    shows(desk, '  Ship\n    Pack\n      Label\n  Rest!\n> Plan\n    Write\n    Send');
    desk.press('Ctrl+Enter');
    const fresh = desk.rows().find(({ editing }) => editing);
    assert.ok(fresh);
    assert.equal(desk.app.drag.begin(fresh.id, fresh.index), false);
  });

  test('[OUT-21] what went meanwhile is not put anywhere', () => {
    const desk = list();
    desk.app.drag.begin(idAt(desk, 6), 6);
    desk.app.drag.over({ type: 'line', gap: 1, level: 2 });
    desk.replica.issue([{ a: 'delete', id: idAt(desk, 0) }]);
    desk.app.drag.drop();
    assert.equal(desk.message, 'What you dragged, or where it was going, is gone.');
    assert.equal(desk.replica.children(inboxId(SCOPE)).length, 3);
  });

  test('[OUT-23] a sorted list, results and the trash take nothing between their lines', () => {
    const desk = list();
    desk.app.run('list.sort', { by: 'alphabetically asc' });
    const before = desk.everything();
    drag(desk, 0, 3, 1);
    assert.equal(desk.everything(), before);
    desk.press('/');
    desk.type('write');
    desk.press('Enter');
    drag(desk, 0, 1, 1);
    assert.match(desk.message, /Leave the search results first|This list is sorted/);
    desk.press('Escape', 'Escape', 'Delete', 'g x');
    assert.equal(desk.app.drag.begin(idAt(desk, 0), 0), false);
  });
});

describe('dragging lists', () => {
  const lineOf = (desk: Desk, name: string): Id => {
    const row = desk.app.view.sidebar.rows.get().find((line) => line.name === name);
    assert.ok(row, name);
    return row.id;
  };
  const names = (desk: Desk) => desk.lists().map(({ name, level }) => `${'  '.repeat(level - 1)}${name}`);

  function put(desk: Desk, name: string, by: string, part: 'before' | 'after' | 'into'): void {
    assert.equal(desk.app.drag.begin(lineOf(desk, name), -1), true, name);
    desk.app.drag.over({ type: 'beside', id: lineOf(desk, by), part });
    desk.app.drag.drop();
  }

  function furnished(): Desk {
    const desk = new Desk('> A');
    for (const name of ['Home', 'Garden']) desk.app.run('list.create', { name });
    desk.app.run('folder.create', { name: 'Work' });
    desk.press('g i');
    return desk;
  }

  test('[OUT-25] before and after others, into folders and out of them, each as one undo', () => {
    const desk = furnished();
    assert.deepEqual(names(desk), ['Inbox', 'Home', 'Garden', 'Work']);
    put(desk, 'Work', 'Home', 'before');
    assert.deepEqual(names(desk), ['Inbox', 'Work', 'Home', 'Garden']);
    assert.equal(desk.message, 'Moved ‘Work’.');
    put(desk, 'Garden', 'Work', 'into');
    assert.deepEqual(names(desk), ['Inbox', 'Work', '  Garden', 'Home']);
    assert.equal(desk.message, 'Moved list ‘Garden’ into ‘Work’.');
    put(desk, 'Home', 'Garden', 'after');
    assert.deepEqual(names(desk), ['Inbox', 'Work', '  Garden', '  Home']);
    put(desk, 'Garden', 'Inbox', 'after');
    assert.deepEqual(names(desk), ['Inbox', 'Garden', 'Work', '  Home']);
    desk.press('Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.deepEqual(names(desk), ['Inbox', 'Home', 'Garden', 'Work']);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
  });

  test('[OUT-25] the Inbox stays, and nothing goes into itself, a list or a bookmark', () => {
    const desk = furnished();
    desk.press('Mod+B');
    assert.equal(desk.app.drag.begin(lineOf(desk, 'Inbox'), -1), false);
    assert.equal(desk.app.drag.begin(lineOf(desk, 'A'), -1), false);
    put(desk, 'Garden', 'Work', 'into');
    const before = names(desk);
    const impossible = [
      ['Work', 'Garden', 'after'],
      ['Work', 'Work', 'into'],
      ['Home', 'Garden', 'into'],
      ['Home', 'Inbox', 'before'],
      ['Home', 'A', 'after'],
      ['Home', 'Work', 'before'],
    ] as const;
    for (const [name, by, part] of impossible) {
      put(desk, name, by, part);
      assert.deepEqual(names(desk), before, `${name} ${part} ${by}`);
    }
    desk.app.drag.begin(lineOf(desk, 'Home'), -1);
    desk.app.drag.over({ type: 'beside', id: lineOf(desk, 'Work'), part: 'into' });
    desk.press('Escape');
    desk.app.drag.drop();
    assert.deepEqual(names(desk), before);
  });
});
