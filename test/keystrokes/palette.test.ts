// The palette: what it lists under each prefix, steps, what the other keys do, memory, and that every command is there.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { commands } from '#client/commands/registry.ts';
import { allLabels } from '#client/labels/label-scopes.ts';
import { iconOfCommand } from '#client/palette/command-icons.ts';
import { guides } from '#client/palette/guides.ts';
import type { Offering } from '#client/palette/offering.ts';
import { definePart } from '#client/app/part.ts';
import type { Action } from '#sync/rows/operation.ts';
import { theme } from '#client/settings/appearance.ts';
import { guideList } from '#site/content/guide-list.ts';
import { Desk } from './desk.ts';
import { keyInput } from './key-input.ts';

const view = (desk: Desk) => desk.app.view.palette.get();
const items = (desk: Desk) => view(desk)?.items ?? [];
const ids = (desk: Desk) => items(desk).map(({ id }) => id);
const headings = (desk: Desk) => items(desk).flatMap(({ heading }) => heading ?? []);

function ask(desk: Desk, query: string): readonly string[] {
  desk.app.paletteInput(query);
  return desk.palette();
}

/** Lists of a folder: Work › Invoices, Work › Ideas; and a label, on the first task. */
function furnished(): Desk {
  const desk = new Desk('> Plan launch\n    Book the café\n  Ship it\n  Call Ida');
  desk.app.run('folder.create', { name: 'Work' });
  const folder = desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Work')?.id as Id;
  const create = (name: string): Action => {
    const id = desk.replica.newId();
    return { a: 'create', id, type: 'list', fields: { listType: 'list', name }, place: { parent: folder } };
  };
  desk.replica.issue([create('Invoices'), create('Ideas')]);
  desk.app.run('label.create', { name: 'High' });
  desk.press('g i');
  return desk;
}

const label = (desk: Desk, name: string) =>
  [...desk.replica.all()].find((row) => row.type === 'label' && row.fields.name === name)?.id as Id;

describe('keys in the palette', () => {
  const active = (desk: Desk) => view(desk)?.active ?? -1;
  for (const apple of [true, false])
    test(`[PAL-24] the key that opens closes, Ctrl and a letter go up and down: ${apple ? 'Apple' : 'others'}`, () => {
      const desk = new Desk('- One', { apple });
      desk.press('Mod+K');
      const first = active(desk);
      desk.press('Ctrl+J', 'Ctrl+N', 'Ctrl+P');
      assert.equal(active(desk), first + 1);
      desk.press('Ctrl+K');
      if (!apple) {
        assert.equal(desk.app.view.palette.get(), null);
        return;
      }
      assert.equal(active(desk), first);
      desk.press('Mod+K');
      assert.equal(desk.app.view.palette.get(), null);
    });
});

describe('what the palette lists', () => {
  test('[PAL-1] each prefix narrows it to one kind of thing', () => {
    const desk = furnished();
    desk.press('Mod+K');
    const kinds = (query: string) => {
      desk.app.paletteInput(query);
      return new Set(items(desk).map(({ kind }) => kind));
    };
    assert.deepEqual(kinds('>s'), new Set(['Commands', 'Settings', undefined]));
    assert.deepEqual(kinds('@i'), new Set(['Places']));
    assert.deepEqual(kinds('#h'), new Set(['Labels', undefined]));
    assert.deepEqual(kinds('/ship'), new Set([undefined, 'Tasks']));
    assert.deepEqual(ask(desk, '/ship'), [
      'Search tasks for “ship”',
      'Ship it',
      'Create task “ship” in Inbox',
    ]);
    // Without one it is everything.
    for (const [query, id] of [
      ['invoices', 'list.'],
      ['high', 'label.'],
      ['guide snooz', 'guide.snoozing'],
      ['settings appear', 'settings.Appearance'],
      ['density', 'cmd.setting.density'],
      ['call ida', 'task.'],
    ] as const) {
      desk.app.paletteInput(query);
      assert.ok(ids(desk)[0]?.startsWith(id), `${query}: ${ids(desk)[0]}`);
    }
  });

  test('[PAL-1] a prefix alone lists all of its kind; places opened last come first', () => {
    const desk = furnished();
    desk.press('Mod+P');
    assert.deepEqual(desk.palette(), ['Inbox', 'Work', 'Invoices', 'Ideas']);
    ask(desk, '@ideas');
    desk.press('Enter');
    desk.press('Mod+P');
    assert.deepEqual(desk.palette(), ['Ideas', 'Inbox', 'Work', 'Invoices']);
    assert.deepEqual(headings(desk), ['Lately', 'All']);
    assert.deepEqual(ask(desk, '#'), ['High']);
    assert.equal(ask(desk, '/')[0], 'Type words of a task, or an operator like is:overdue');
    assert.equal(new Desk('> A').press('Mod+P'), true);
  });

  test('[PAL-1] an operator after / is read, and said in words', () => {
    const desk = furnished();
    const first = desk.rows()[0]?.id as Id;
    desk.replica.issue([{ a: 'set', id: first, field: `label:${label(desk, 'High')}`, value: true }]);
    desk.press('Mod+K');
    assert.deepEqual(ask(desk, '/label:High').slice(1), ['Plan launch']);
    assert.match(items(desk)[0]?.hint ?? '', /labeled/);
    desk.press('Enter');
    assert.equal(desk.app.view.search.get()?.query, 'label:High');
  });

  test('[PAL-2] nothing typed: what was run last here, what fits the task, then all by group', () => {
    const desk = new Desk('> A\n  B\n  C');
    const run = (query: string) => {
      desk.press('Mod+K');
      desk.type(query);
      desk.press('Enter');
    };
    run('bookmark');
    run('collapse all');
    desk.press('Mod+K');
    assert.deepEqual(desk.palette().slice(0, 2), ['Collapse all', 'Remove bookmark']);
    assert.equal(view(desk)?.active, 0);
    assert.deepEqual(headings(desk).slice(0, 3), ['Lately', 'A', 'Tasks']);
    const from = items(desk).findIndex(({ heading }) => heading === 'A');
    const to = items(desk).findIndex(({ heading }) => heading === 'Tasks');
    assert.ok(to - from > 0 && to - from <= 8);
    assert.equal(new Set(ids(desk)).size, ids(desk).length, 'nothing stands there twice');
    desk.press('Escape', 'x', 'Down', 'x');
    desk.press('Mod+K');
    assert.ok(headings(desk).includes('2 selected tasks'));
  });

  test('[PAL-32] every command has an icon of what it is about, and no word of its group beside it', () => {
    const plain = [...commands.values()].filter(
      (command) => command.inPalette && iconOfCommand(command) === null,
    );
    assert.deepEqual(
      plain.map(({ id }) => id),
      [],
    );
    const groups = new Set<string>([...commands.values()].map(({ group }) => group));
    const desk = new Desk('> A');
    desk.press('Mod+K');
    assert.deepEqual(
      items(desk).filter(({ hint }) => groups.has(hint)),
      [],
    );
    assert.equal(items(desk).find(({ id }) => id === 'cmd.task.due')?.icon, 'due');
  });

  test('[PAL-32] beside a command stands the value that it would change', () => {
    const desk = new Desk('> A\n  B');
    const hint = (command: string) => items(desk).find(({ id }) => id === `cmd.${command}`)?.hint;
    desk.app.run('task.due', { value: 'tomorrow' });
    desk.app.run('label.create', { name: 'Phone' });
    const label = allLabels(desk.replica)[0]?.row.id ?? '';
    desk.app.run('label.toggle', { label });
    desk.press('Mod+K');
    assert.equal(hint('task.due'), desk.rows()[0]?.due?.text);
    assert.notEqual(hint('task.due'), '');
    assert.equal(hint('label.pick'), 'Phone');
    assert.equal(hint('view.theme'), 'Same as system');
    desk.press('Escape', 'x', 'Down', 'x', 'Mod+K');
    assert.equal(hint('task.due'), '');
  });

  test('[PAL-2] what was run last is kept for each place in which one can be', () => {
    const desk = new Desk('> A');
    const run = (query: string) => {
      desk.press('Mod+K');
      desk.type(query);
      desk.press('Enter');
    };
    run('collapse all');
    desk.press('F6');
    run('new folder');
    desk.press('Escape');
    desk.press('Mod+K');
    assert.equal(desk.palette()[0], 'New folder…');
    desk.press('Escape', 'F6');
    desk.press('Mod+K');
    assert.equal(desk.palette()[0], 'Collapse all');
  });

  test('[PAL-10] a place is found by what it stands in, also step by step', () => {
    const desk = furnished();
    desk.press('Mod+K');
    assert.equal(ask(desk, 'work/inv')[0], 'Invoices');
    assert.equal(ask(desk, '@w/id')[0], 'Ideas');
    assert.equal(items(desk)[0]?.hint, 'List in Work');
    assert.equal(ask(desk, 'work ideas')[0], 'Ideas');
    assert.deepEqual(
      ask(desk, '@work').filter((title) => title !== 'Work'),
      ['Ideas', 'Invoices'],
    );
    assert.ok(!ask(desk, 'inv/work').includes('Invoices'));
    desk.press('Escape', 'm');
    assert.deepEqual(ask(desk, 'w/inv'), ['Invoices', 'Create list “w/inv”']);
  });

  test('[PAL-22] the guides are those of the site, and open there', () => {
    assert.deepEqual(
      guides.map(([id, title]) => [id, title]),
      guideList.map(({ id, title }) => [id, title]),
    );
    const desk = new Desk('> A');
    desk.press('Mod+K');
    ask(desk, 'guide snoozing');
    desk.press('Enter');
    assert.deepEqual(desk.links, ['/guides/snoozing']);
  });

  test('[PAL-23] a part of the app puts its own things into it', () => {
    let runs = 0;
    const macro = { aliases: ['evening'], hint: 'Macro', run: () => (runs += 1) };
    const offering: Offering = {
      kind: 'Macros',
      icon: 'macro',
      scopes: '>',
      bonus: 0,
      offered: () => [
        { ...macro, id: 'macro.1', title: 'Wrap up the day', keys: ['w'] },
        { ...macro, id: 'macro.2', title: 'Wrap gifts', aliases: [], unavailable: 'Select a task first.' },
      ],
    };
    const macros = definePart({ name: 'Macros', create: () => ({}), paletteSources: () => [offering] });
    const desk = new Desk('> A', { parts: [macros] });
    desk.press('Mod+K');
    assert.deepEqual(ask(desk, '>wrap').slice(0, 2), ['Wrap gifts', 'Wrap up the day']);
    assert.deepEqual([items(desk)[1]?.keys, items(desk)[1]?.kind, view(desk)?.active], [['w'], 'Macros', 1]);
    ask(desk, 'evening');
    desk.press('Enter');
    assert.deepEqual([runs, view(desk)], [1, null]);
    desk.press('Mod+K');
    assert.equal(ask(desk, 'wr')[0], 'Wrap up the day');
  });

  test('[PAL-15] nothing is a dead end, and what was not found is kept here until it is copied', async () => {
    const desk = furnished();
    desk.press('Mod+K');
    assert.deepEqual(ask(desk, '#urgent'), ['Create label “urgent”', 'Search tasks for “urgent”']);
    desk.press('Enter');
    assert.ok(label(desk, 'urgent'));
    desk.press('Mod+K');
    ask(desk, 'frobnicate');
    desk.press('Enter');
    assert.equal(desk.message, 'Added ‘frobnicate’ to the Inbox.');
    desk.press('Mod+K');
    ask(desk, 'copy what the palette');
    desk.press('Enter');
    await Promise.resolve();
    assert.equal(desk.clipboard, 'frobnicate');
    assert.equal(desk.app.run('palette.missed').type, 'refused');
  });
});

describe('every command', () => {
  test('[PAL-6] is found by its title, and runs or says why not', () => {
    const desk = new Desk('> A\n    B\n  C');
    const missed: string[] = [];
    for (const command of commands.values()) {
      // Listed only where the server has what it is about: plan.test.ts.
      if (command.isListed !== undefined) continue;
      desk.press('Mod+K');
      desk.app.paletteInput(`>${command.title.replace(/…$/, '')}`);
      const item = items(desk).find(({ id }) => id === `cmd.${command.id}`);
      const isSaid = item?.unavailable === null || /[.?!”]$/.test(item?.unavailable ?? '');
      if (!item || !isSaid) missed.push(`${command.id}: ${item?.unavailable}`);
      // Also by the wording that it has just now.
      desk.app.paletteInput(`>${item?.title.replace(/…$/, '')}`);
      if (!items(desk).some(({ id }) => id === `cmd.${command.id}`))
        missed.push(`${command.id}: ${item?.title}`);
      desk.press('Escape');
    }
    assert.deepEqual(missed, []);
  });

  test('[PAL-5] what does not apply is dimmed with its reason where it is meant, and hidden else', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    ask(desk, 'leave the focused task');
    assert.equal(items(desk)[0]?.unavailable, 'No task is focused.');
    desk.press('Enter');
    assert.equal(desk.message, 'No task is focused.');
    ask(desk, 'task');
    assert.ok(!ids(desk).includes('cmd.task.focusOut'));
    ask(desk, 'comp');
    const first = items(desk)[0];
    assert.equal(first?.id, 'cmd.task.complete');
    assert.ok(items(desk).every(({ unavailable }, index) => index > 0 || unavailable === null));
  });

  test('[PAL-5] what is for keys alone works where its key does, and says where that is elsewhere', () => {
    const desk = new Desk('> A\n  B');
    desk.press('Mod+K');
    ask(desk, 'last task');
    desk.press('Enter');
    assert.equal(desk.screen(), '  A\n> B');
    desk.press('Mod+K');
    ask(desk, 'next list');
    assert.equal(items(desk)[0]?.unavailable, 'In the sidebar: press ↓.');
    ask(desk, 'sign out now');
    assert.equal(items(desk)[0]?.unavailable, 'You can only do this in its dialog.');
  });
});

describe('steps', () => {
  test('[PAL-3] each value is asked for under chips; Backspace goes back one step', () => {
    const desk = furnished();
    desk.press('Mod+K');
    ask(desk, 'rename label');
    desk.press('Enter');
    assert.deepEqual([view(desk)?.steps, view(desk)?.prompt], [['Rename label'], 'Rename which label?']);
    desk.press('Enter');
    assert.deepEqual([view(desk)?.steps, view(desk)?.prompt], [['Rename label', 'High'], 'New name']);
    desk.press('Backspace');
    assert.deepEqual(view(desk)?.steps, ['Rename label']);
    desk.press('Backspace');
    assert.deepEqual(view(desk)?.steps, []);
    ask(desk, 'rename label');
    desk.press('Enter', 'Enter');
    desk.type('Urgent');
    desk.press('Enter');
    assert.equal(desk.message, 'Renamed label ‘High’ to ‘Urgent’.');
    desk.press('Mod+Z');
    assert.ok(label(desk, 'High'));
  });

  test('[PAL-3] a theme, a date and a list are asked for, and the command writes them', () => {
    const desk = furnished();
    const answer = (query: string, value: string) => {
      desk.press('Mod+K');
      ask(desk, query);
      desk.press('Enter');
      desk.type(value);
      desk.press('Enter');
    };
    answer('theme', 'dark');
    assert.equal(desk.app.setting(theme).get(), 'dark');
    answer('set due date', 'fri 5pm');
    assert.match(desk.row(desk.rows()[0]?.id as Id)?.due?.text ?? '', /17:00/);
    answer('move to list', 'invoices');
    assert.match(desk.message, /^Moved ‘Plan launch’ to Invoices\./);
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(desk.rows()[0]?.due, null);
  });

  test('[PAL-4] the step of labels shows what each would do, and makes a new one with its task as one undo', () => {
    const desk = furnished();
    desk.app.run('label.toggle', { label: label(desk, 'High') });
    desk.press('Shift+Down', 'Shift+Down');
    desk.app.run('label.toggle');
    assert.deepEqual([items(desk)[0]?.state, items(desk)[0]?.hint], ['some', 'on 1 of 3']);
    desk.type('Waiting');
    assert.deepEqual(desk.palette(), ['Create label “Waiting”']);
    desk.press('Enter');
    assert.match(desk.message, /Labeled 3 tasks with ‘Waiting’/);
    desk.press('Mod+Z');
    assert.equal(label(desk, 'Waiting') === undefined || desk.rows()[1]?.labels.length === 0, true);
  });

  test('[PAL-15] a step in which nothing fits says so', () => {
    const desk = furnished();
    for (const [id, query] of [
      ['view.theme', 'pink'],
      ['label.rename', 'nowhere'],
      ['palette.name', 'frobnicate'],
      ['go.task', 'frobnicate'],
    ] as const) {
      desk.app.run(id);
      const [title = ''] = ask(desk, query);
      assert.match(title, /^(?:Nothing has that name|No task has these words)$/, id);
      assert.notEqual(items(desk)[0]?.unavailable, null);
      desk.press('Escape');
    }
  });

  test('[PAL-18] Tab goes into what asks or holds something, and completes the rest', () => {
    const desk = furnished();
    desk.press('Mod+K');
    ask(desk, 'move to li');
    assert.equal(view(desk)?.refine?.verb, 'answer');
    desk.press('Tab');
    assert.deepEqual(view(desk)?.steps, ['Move to list']);
    desk.press('Escape', 'Mod+K');
    ask(desk, 'undo');
    assert.equal(ask(desk, 'collapse a')[0], 'Collapse all');
    desk.press('Tab');
    assert.equal(view(desk)?.query, 'Collapse all');
    ask(desk, '@work');
    desk.press('Tab');
    assert.deepEqual([view(desk)?.steps, desk.palette()], [['Work'], ['Invoices', 'Ideas']]);
    desk.press('Backspace');
    ask(desk, '@inbox');
    desk.press('Tab');
    assert.deepEqual(desk.palette(), ['Plan launch', 'Ship it', 'Call Ida']);
    assert.deepEqual(ask(desk, 'ca'), ['Call Ida', 'Book the café']);
    desk.press('Enter');
    assert.equal(desk.rows().find(({ cursor }) => cursor)?.title, 'Call Ida');
  });

  test('[PAL-18] within a label are its tasks', () => {
    const desk = furnished();
    desk.press('Down');
    desk.app.run('label.toggle', { label: label(desk, 'High') });
    desk.press('Mod+K');
    ask(desk, '#high');
    desk.press('Tab');
    assert.deepEqual(desk.palette(), ['Book the café']);
  });
});

describe('what a command does not take', () => {
  test('[PAL-3] stays in the field, and it is said why', () => {
    const desk = new Desk('> Plan');
    desk.app.run('setting.themeGradient');
    desk.type('linear-gradient(red, blu');
    desk.press('Enter');
    assert.match(desk.message, /^Write gradients as/);
    const view = desk.app.view.palette.get();
    assert.equal(view?.query, 'linear-gradient(red, blu');
    assert.deepEqual(view.steps, ['Theme gradient']);
    desk.type('e)');
    desk.press('Enter');
    assert.equal(desk.app.view.palette.get(), null);
    assert.match(desk.message, /^Theme gradient: /);
  });
});

describe('the other key', () => {
  test('[PAL-17] does the other thing that an item can do, and the footer says which', () => {
    const desk = furnished();
    desk.press('Mod+K');
    ask(desk, '@invoices');
    assert.deepEqual(view(desk)?.second, { verb: 'move the task here', keys: ['⌥↵'] });
    desk.press('Alt+Enter');
    assert.equal(desk.message, 'Moved ‘Plan launch’ to Invoices.');
    desk.press('Mod+K');
    ask(desk, '#high');
    desk.press('Alt+Enter');
    assert.match(desk.message, /Labeled ‘.*’ with ‘High’/);
    desk.press('Mod+K');
    ask(desk, 'call ida');
    desk.press('Alt+Enter');
    assert.equal(desk.app.view.header.get().kind, 'task');
    desk.press('Mod+K');
    ask(desk, 'guide snoozing');
    assert.equal(view(desk)?.second, null);
    assert.equal(desk.press('Alt+Enter'), false);
    ask(desk, 'indent');
    desk.press('Alt+Enter');
    assert.equal(desk.app.view.dialog.get()?.type, 'keys');
  });
});

describe('opening and closing', () => {
  test('[PAL-21] the focus goes back to the row or the caret that it came from, and follows a task that moved', () => {
    const desk = new Desk('> A\n  B\n  C');
    desk.press('Down', 'Enter');
    desk.type('ee');
    const id = desk.rows()[1]?.id ?? null;
    const key = (name: string, caret: number) =>
      desk.app.key({ ...keyInput(name, { apple: true, inText: true }), caret });
    key('Mod+K', 1);
    // The caret of the palette's own field is another one.
    key('Escape', 0);
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'outline', id, edit: { caret: 1 } });
    assert.equal(desk.screen(), '  A\n> Bee|\n  C');
    desk.press('Escape', 'Mod+K');
    ask(desk, 'move task up');
    desk.press('Enter');
    assert.equal(desk.screen(), '> Bee\n  A\n  C');
    assert.deepEqual(desk.app.view.focus.get().pane, 'outline');
  });

  test('[PAL-20] keys of a screen reader pass', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    assert.equal(desk.press('Ctrl+Alt+Down'), false);
    assert.equal(desk.press('Ctrl+Alt+Right'), false);
    assert.equal(desk.press('Home'), false);
  });
});

describe('what the palette says of keys', () => {
  const keysBeside = (desk: Desk, title: string) => {
    desk.press('Mod+k');
    desk.type(title);
    const item = desk.app.view.palette.get()?.items.find((each) => each.title === title);
    desk.press('Mod+k');
    return item?.keys.join(' ');
  };

  test('[PAL-30] a key that does something else here is not shown', () => {
    const desk = furnished();
    assert.equal(keysBeside(desk, 'New task'), '⌃↵');
    assert.equal(keysBeside(desk, 'New list…'), '');
    desk.press('F6');
    assert.equal(desk.app.view.focus.get().pane, 'sidebar');
    assert.equal(keysBeside(desk, 'New list…'), '⌃↵');
    assert.equal(keysBeside(desk, 'New task'), '');
  });

  test('[PAL-31] “Go to list” leads to smart lists too; tasks cannot be moved there', () => {
    const desk = furnished();
    desk.press('/');
    desk.type('Ida');
    desk.press('Mod+Enter');
    desk.type('Calls');
    desk.press('Enter', 'g i', 'g l');
    desk.type('Calls');
    desk.press('Enter');
    assert.equal(desk.screen(), '> Call Ida');
    desk.press('m');
    desk.type('Calls');
    const titles = desk.app.view.palette.get()?.items.map(({ title }) => title);
    assert.deepEqual(titles, ['Create list “Calls”']);
  });
});
