// The search line and the command palette.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { theme } from '#client/settings/appearance.ts';
import { Desk } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

const desk = () =>
  new Desk('> Plan launch\n    Book the café\n  Ship it ✓\n  Call Ida +\n    About the plan');

describe('search', () => {
  test('[FIND-1] narrows as one types, over titles and notes, without case and accents', () => {
    const app = desk();
    const ship = app.rows()[2]?.id as Id;
    app.press('/');
    assert.deepEqual(app.app.view.focus.get(), { pane: 'search' });
    app.type('PLAN');
    assert.equal(app.screen(), '> Plan launch\n  About the plan');
    assert.equal(app.rows()[1]?.path, 'Inbox › Call Ida');
    app.type(' the');
    assert.equal(app.screen(), '> About the plan');
    app.app.searchInput('cafe');
    assert.equal(app.screen(), '> Book the café');
    app.replica.issue([{ a: 'set', id: ship, field: 'notes', value: 'Über den Zaun' }]);
    app.app.searchInput('uber zaun');
    assert.equal(app.screen(), '> Ship it ✓');
    assert.equal(app.app.view.header.get().kind, 'search');
  });

  test('[FIND-1] trashed and cleared tasks, and what is under them, are not found', () => {
    const app = desk();
    app.app.run('task.clearCompleted');
    app.press('Home', 'Delete', '/');
    app.app.searchInput('i');
    assert.equal(app.screen(), '> Call Ida');
    app.app.searchInput('the');
    assert.equal(app.screen(), '> About the plan');
  });

  test('[FIND-1] a longer query finds what a fresh one would', () => {
    const app = new Desk(
      Array.from({ length: 300 }, (_, index) => `${index === 0 ? '>' : ' '} task ${index} ${index % 7}`).join(
        '\n',
      ),
    );
    app.press('/');
    for (const query of ['t', 'ta', 'task 1', 'task 12', 'task 12 3', 'task', '29']) {
      app.app.searchInput(query);
      const narrowed = app.screen();
      app.app.searchInput('');
      app.app.searchInput(query);
      assert.equal(app.screen(), narrowed, query);
    }
  });

  test('[FIND-2] Esc empties, then leaves, and the cursor is where it was', () => {
    const app = desk();
    app.press('Down', 'Ctrl+.', '[', '/');
    app.type('ship');
    app.press('Escape');
    assert.equal(app.app.view.search.get()?.query, '');
    assert.equal(app.rows()[1]?.cursor, true);
    app.press('Escape');
    assert.equal(app.app.view.search.get(), null);
    assert.deepEqual(app.app.view.focus.get(), { pane: 'outline', id: app.rows()[1]?.id, edit: null });
  });

  test('[FIND-3] results stay while they are worked on', () => {
    const app = desk();
    app.press('/');
    app.type('plan');
    app.press('Down', 'Space', 'Enter');
    app.app.draftTitle(app.rows()[0]?.id as Id, 'Something else', 14);
    app.press('Escape');
    assert.equal(app.screen(), '> Something else ✓\n  About the plan');
    app.press('Tab');
    assert.equal(app.rows().length, 2);
    app.press('Delete');
    assert.equal(app.screen(), '> About the plan');
    app.press('o');
    assert.equal(app.app.view.header.get().kind, 'inbox');
    assert.equal(app.rows().find(({ cursor }) => cursor)?.title, 'About the plan');
  });

  test('[FIND-1] an apostrophe is found however it is written', () => {
    const app = new Desk("> Mom’s birthday\n  Fix Dad's bike");
    app.press('/');
    const found = (query: string) => {
      app.app.searchInput(query);
      return app.rows().map(({ title }) => title);
    };
    assert.deepEqual(found("mom's"), ['Mom’s birthday']);
    assert.deepEqual(found('dad’s'), ["Fix Dad's bike"]);
  });

  test('[FIND-3] without results the task can be added', () => {
    const app = desk();
    app.press('/');
    app.type('buy milk');
    assert.match(app.app.view.empty.get()?.heading ?? '', /No task matches “buy milk”/);
    assert.equal(app.press('Down'), false);
    app.press('Enter');
    assert.equal(app.message, 'Added ‘buy milk’ to the Inbox.');
    assert.equal(app.rows().find(({ cursor }) => cursor)?.title, 'buy milk');
  });
});

describe('queries and titles', () => {
  const titles = (app: Desk) =>
    [...app.replica.all()].filter(({ type }) => type === 'task').map((held) => fieldOf(held, 'title'));

  for (const query of [
    'is:overdue',
    '-due:any is:bookmarked',
    'titel:x',
    'due:foo',
    'zebra OR yak',
    '-a -i -e',
  ])
    test(`[FIND-3] “${query}” without results never becomes a task`, () => {
      const app = desk();
      const before = titles(app);
      app.press('/');
      app.app.searchInput(query);
      assert.equal(app.rows().length, 0);
      for (const key of ['Enter', 'Enter', 'Mod+K', 'Escape', 'Enter']) app.press(key);
      app.app.run('search.create');
      app.app.run('outline.leadOn');
      assert.deepEqual(titles(app), before);
    });

  test('[FIND-3] a label or a list that is asked for as a title names it leads to its operator', () => {
    const app = desk();
    app.app.run('label.create', { name: 'Errands' });
    app.app.run('list.create', { name: 'Winter issue' });
    app.press('/');
    const said = (query: string) => {
      app.app.searchInput(query);
      return app.app.view.empty.get()?.text ?? '';
    };
    assert.equal(said('#errands'), 'No task has this label.');
    assert.equal(said('errands'), 'Search for “label:Errands” to find its tasks.');
    assert.equal(said('@winter issue'), 'Search for “list:"Winter issue"” to find its tasks.');
    app.app.run('go.today');
    app.press('/');
    assert.equal(said('upcoming'), 'Add it to the Inbox instead.');
    assert.equal(said('today'), 'Add it to the Inbox instead.');
    assert.equal(said('#nothing'), 'Add it to the Inbox instead.');
  });

  test('[FIND-3] [SEARCH-22] a label as in a title finds its tasks, also beside words; what finds nothing becomes a task', () => {
    const app = desk();
    app.app.run('label.create', { name: 'Errands' });
    app.press('Ctrl+Enter');
    app.type('Water the lawn #errands');
    app.press('Enter');
    app.press('Escape');
    app.press('/');
    const found = (query: string) => {
      app.app.searchInput(query);
      return app.rows().map(({ title }) => title);
    };
    for (const query of ['#errands', 'lawn #errands', '#errands lawn', '#ERRANDS'])
      assert.deepEqual(found(query), ['Water the lawn'], query);
    assert.deepEqual(found('fence #errands'), []);
    assert.equal(app.app.view.empty.get()?.text, 'Add it to the Inbox instead.');
    app.press('Mod+K');
    app.app.paletteInput('fence #errands');
    assert.ok(app.app.view.palette.get()?.items.some(({ id }) => id === 'create.task'));
  });

  test('[FIND-3] a name that is begun as titles have it is offered as its operator, also where words are found', () => {
    const app = desk();
    app.app.run('label.create', { name: 'Errands' });
    app.app.run('list.create', { name: 'Winter issue' });
    app.press('/');
    const offered = (query: string) => {
      app.app.searchInput(query);
      return app.app.view.search.get()?.options.map(({ text }) => text) ?? [];
    };
    assert.deepEqual(offered('#err'), ['label:Errands']);
    assert.deepEqual(offered('milk @win'), ['list:"Winter issue"']);
    assert.deepEqual(offered('#'), []);
    assert.deepEqual(offered('"#err"'), []);
    app.app.searchInput('#errands');
    app.press('Tab');
    assert.equal(app.app.view.search.get()?.query, 'label:Errands ');
  });

  test('[FIND-3] Enter says that no task matches, and the query stays to be put right', () => {
    const app = desk();
    app.press('/');
    app.app.searchInput('is:overdue');
    app.press('Enter');
    assert.equal(app.message, 'No task matches “is:overdue”.');
    assert.equal(app.app.view.search.get()?.query, 'is:overdue');
    assert.equal(app.app.view.empty.get()?.command, 'search.leave');
    app.app.searchInput('titel:x');
    app.press('Enter');
    assert.match(app.message, /There’s no operator “titel:”/);
  });

  test('[FIND-3] words with a colon, a hyphen or quotation marks are titles', () => {
    for (const title of ['Email: Bob', 're-read it & sign', 'Say "hello there"', 'Mix them 3:4!']) {
      const app = desk();
      app.press('/');
      app.app.searchInput(title);
      app.press('Enter');
      assert.ok(titles(app).includes(title), title);
    }
  });

  test('[FIND-5] the palette searches for a query of operators, and offers no task of that name', () => {
    const app = desk();
    const before = titles(app);
    app.press('Mod+K');
    app.app.paletteInput('is:overdue');
    assert.deepEqual(
      app.app.view.palette.get()?.items.map(({ title }) => title),
      ['Search tasks for “is:overdue”'],
    );
    app.press('Enter');
    assert.equal(app.app.view.search.get()?.query, 'is:overdue');
    assert.deepEqual(titles(app), before);
  });
});

describe('palette', () => {
  test('[FIND-4] opens, closes, and gives the focus back', () => {
    const app = desk();
    app.press('Mod+K');
    assert.deepEqual(app.app.view.focus.get(), { pane: 'palette' });
    assert.equal(app.app.view.palette.get()?.active, 0);
    app.press('Up', 'Down', 'Ctrl+N', 'PageDown');
    assert.equal(app.app.view.palette.get()?.active, 9);
    app.press('Mod+K');
    assert.equal(app.app.view.palette.get(), null);
    assert.equal(app.app.view.focus.get().pane, 'outline');
  });

  test('[FIND-4] finds commands by title, alias and initials, and shows their keys', () => {
    const app = desk();
    const first = (query: string) => {
      app.app.paletteInput(query);
      return app.app.view.palette.get()?.items[0];
    };
    app.press('Mod+K');
    assert.equal(first('complete')?.title, 'Complete task');
    assert.deepEqual(first('complete')?.keys, ['Space']);
    assert.deepEqual(first('go to inbox')?.keys, ['g', 'i']);
    assert.equal(first('zoom in')?.title, 'Focus on task');
    assert.equal(first('cct')?.title, 'Clear completed tasks');
    assert.equal(first('indnet')?.title, 'Indent task');
    assert.deepEqual(first('inden')?.matches, [[0, 5]]);
  });

  test('[FIND-4] tasks from two characters on, and to where they are', () => {
    const app = desk();
    app.press('Mod+K');
    app.type('a');
    assert.equal(app.palette().includes('About the plan'), false);
    app.app.paletteInput('about pl');
    assert.equal(app.palette()[0], 'About the plan');
    app.press('Enter');
    assert.equal(app.rows().find(({ cursor }) => cursor)?.title, 'About the plan');
  });

  test('[FIND-5] what does not apply says why; nothing is a dead end', () => {
    const app = new Desk();
    app.press('Mod+K');
    app.type('indent task');
    const [item] = app.app.view.palette.get()?.items ?? [];
    assert.equal(item?.unavailable, 'Select a task first.');
    app.app.pressPaletteItem(0);
    assert.equal(app.message, 'Select a task first.');
    app.app.paletteInput('xyzzy');
    assert.deepEqual(app.palette(), ['Create task “xyzzy” in Inbox', 'Search tasks for “xyzzy”']);
    app.press('Enter');
    assert.equal(app.screen(), '> xyzzy');
    app.press('Mod+K');
    app.type('xyzz');
    app.press('Up', 'Enter');
    assert.equal(app.app.view.search.get()?.query, 'xyzz');
    assert.equal(app.screen(), '> xyzzy');
  });

  test('[FIND-6] a value is asked for, Backspace goes back, the list may be new', () => {
    const app = desk();
    app.press('m');
    assert.deepEqual(app.app.view.palette.get()?.steps, ['Move to list']);
    app.press('Backspace');
    assert.deepEqual(app.app.view.palette.get()?.steps, []);
    app.press('Escape', 'm');
    app.type('Errands');
    assert.deepEqual(app.palette(), ['Create list “Errands”']);
    app.press('Enter');
    assert.equal(app.message, 'Moved ‘Plan launch’ to Errands.');
    app.press('Mod+Z');
    assert.equal(app.rows().length, 4);
    assert.equal(app.sidebar(), '>*Inbox');
  });

  test('[FIND-7] what was chosen for a query is first for it, also after a restart', () => {
    const app = desk();
    app.press('Mod+K');
    app.type('th');
    const before = app.palette();
    const at = before.indexOf('Dark theme');
    assert.ok(at > 0);
    app.app.pressPaletteItem(at);
    assert.equal(app.app.setting(theme).get(), 'dark');
    const again = new Desk('> A', { preferences: app.preferences });
    assert.equal(again.app.setting(theme).get(), 'dark');
    again.press('Mod+K');
    assert.equal(again.palette()[0], 'Dark theme');
    again.type('th');
    assert.equal(again.palette()[0], 'Dark theme');
  });

  test('[FIND-4] > narrows to commands', () => {
    const app = desk();
    app.press('Mod+K');
    app.type('>about the plan');
    assert.deepEqual(app.palette(), [
      'Create task “about the plan” in Inbox',
      'Search tasks for “about the plan”',
    ]);
  });
});
