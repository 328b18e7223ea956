// A capability is added to the app with one line: `parts: [counter]`. The part below brings a command with a key, a dialog, a
// palette source, a setting, and state that follows changes; nothing else in the app knows of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { define, done } from '#client/commands/define.ts';
import { spoken } from '#client/history/sentences.ts';
import { definePart, type Part, type PartHooks } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { toggle } from '#client/settings/setting.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import { Desk } from './desk.ts';

declare module '#client/dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly counter: {
      readonly view: { readonly count: number };
      readonly action: { readonly action: 'reset' };
    };
  }
}

const countsUp = toggle({
  key: 'counter.on',
  title: 'Count completed tasks',
  help: 'The counter goes up with every task that is completed.',
  tab: 'Behavior',
  aliases: ['tally of the counter'],
  scope: 'account',
  fallback: true,
});

class Counter implements PartHooks {
  readonly #program: Program;
  count = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  apply(changes: readonly RowChange[]): void {
    if (!this.#program.settings.get(countsUp)) return;
    this.count += changes.filter(({ before, after }) => !isDone(before) && isDone(after)).length;
  }

  openDialog(): void {
    const program = this.#program;
    const refresh = () => program.dialog.show({ type: 'counter', count: this.count });
    program.dialog.open({
      type: 'counter',
      isTyping: false,
      submit: () => {
        this.count = 0;
        refresh();
      },
      refresh,
      leave: () => undefined,
    });
  }
}

const counter: Part<Counter> = definePart({
  name: 'Counter',
  create: (program) => new Counter(program),
  commands: [
    define({
      id: 'counter.open',
      title: 'Show the counter',
      group: 'View',
      icon: 'timer',
      run(program) {
        program.part(counter).openDialog();
        return done;
      },
    }),
  ],
  keys: [{ context: 'navigate', keys: 'Mod+Alt+9', command: 'counter.open' }],
  dialogs: { counter: { name: 'Counter' } },
  settings: [countsUp],
  paletteSources: (program) => [
    {
      kind: 'Counter',
      icon: 'macro',
      scopes: '>',
      bonus: 0,
      offered: () => [
        {
          id: 'counter.zero',
          title: 'Forget what was counted',
          aliases: [],
          hint: 'Counter',
          unavailable: program.part(counter).count === 0 ? 'Nothing was counted.' : null,
          run: () => (program.part(counter).count = 0),
        },
      ],
    },
  ],
});

const counted = (desk: Desk) => {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'counter' ? dialog.count : null;
};

describe('a part of the app', () => {
  const desk = () => new Desk('> A\n- B', { parts: [counter] });

  test('its key runs its command, its dialog shows what it counted and answers', () => {
    const app = desk();
    app.press('Space', 'ArrowDown', 'Space', 'Mod+Alt+9');
    assert.equal(counted(app), 2);
    assert.equal(app.app.dialogFrame('counter').name, 'Counter');
    app.app.answer('counter', { action: 'reset' });
    assert.equal(counted(app), 0);
    app.press('Escape');
    assert.equal(counted(app), null);
  });

  test('the palette knows its command with its key, and what it offers', () => {
    const app = desk();
    app.press('Space', 'Mod+K');
    app.app.paletteInput('show the counter');
    const [first] = app.app.view.palette.get()?.items ?? [];
    assert.deepEqual([first?.title, first?.keys.length, first?.icon], ['Show the counter', 1, 'timer']);
    app.app.paletteInput('forget what was');
    app.press('Enter', 'Mod+Alt+9');
    assert.equal(counted(app), 0);
  });

  test('its setting stands in the settings, has a command, and counts', () => {
    const app = desk();
    app.app.run('settings.open');
    const dialog = app.app.view.dialog.get();
    assert.ok(dialog?.type === 'settings');
    app.app.answer('settings', { action: 'filter', text: 'tally of the counter' });
    const found = app.app.view.dialog.get();
    assert.deepEqual(
      found?.type === 'settings' && found.settings.rows.map(({ title, help }) => [title, help]),
      [['Count completed tasks', 'The counter goes up with every task that is completed.']],
    );
    app.press('Escape', 'Escape');
    assert.equal(app.app.run('setting.counter.on').type, 'done');
    app.press('Space', 'Mod+Alt+9');
    assert.equal(counted(app), 0);
  });

  test('the history says what its setting was changed to', async () => {
    const app = desk();
    assert.equal(app.app.run('setting.counter.on').type, 'done');
    app.app.run('history.everything');
    await import('#client/history/book.ts');
    for (let n = 0; n < 3; n += 1) await app.settle();
    const dialog = app.app.view.dialog.get();
    assert.ok(dialog?.type === 'history');
    assert.match(spoken(dialog.history.entries[0]?.sentence ?? []), /^You changed .* to off$/);
  });

  test('its key stands on the sheet of keys and in the editor of keys, and takes no other key away', () => {
    const app = desk();
    const sheet = app.app.keySheet().flatMap(({ rows }) => rows);
    assert.ok(sheet.some(({ title }) => title === 'Show the counter'));
    app.app.run('help.keys');
    app.app.answer('keys', { action: 'filter', text: 'show the counter' });
    const dialog = app.app.view.dialog.get();
    assert.deepEqual(dialog?.type === 'keys' && dialog.editor.options.map(({ title }) => title), [
      'Show the counter',
    ]);
    const clash = definePart({
      name: 'Clash',
      create: () => ({}),
      keys: [{ context: 'navigate', keys: 'Mod+Alt+9', command: 'task.complete' }],
    });
    assert.throws(() => new Desk('> A', { parts: [counter, clash] }), /is counter.open and task.complete/);
  });

  test('without the line for it, nothing of it is there', () => {
    const app = new Desk('> A');
    assert.equal(app.app.run('counter.open').type, 'refused');
    assert.throws(() => app.app.dialogFrame('counter'), /No part has a dialog/);
  });
});

describe('the moment at which the first screen has been idle', () => {
  for (const isLate of [false, true])
    test(`comes once to a part that ${isLate ? 'was loaded after it' : 'was there'}`, () => {
      let program: Program | null = null;
      let idle = 0;
      const eye = definePart({
        name: 'Eye',
        create(found) {
          program = found;
          return {};
        },
      });
      const waiting = definePart({
        name: 'Waiting',
        create: () => ({
          idle() {
            idle += 1;
          },
        }),
      });
      const desk = new Desk('> A', { parts: isLate ? [eye] : [eye, waiting] });
      assert.equal(idle, 0);
      desk.timers.advance(1_000);
      // Set while the desk was made.
      if (isLate) (program as Program | null)?.parts.add([waiting]);
      assert.equal(idle, 1);
      desk.timers.advance(10_000);
      assert.equal(idle, 1);
    });
});
