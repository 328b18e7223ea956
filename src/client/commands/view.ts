// Commands that change the view: folding, sidebar, theme, Tab.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { theme } from '../settings/appearance.ts';
import { hardcore, tabKey } from '../settings/first.ts';
import { changeSetting } from '../settings/changing.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, refused } from './define.ts';
import { fold, setCollapsed } from './folding.ts';
import { mouseOff } from '../keys/hardcore.ts';

function visibleParents(program: Program): Id[] {
  const { outline, children } = program.workspace;
  const parents: Id[] = [];
  for (let index = 0; index < outline.length; index += 1) {
    const id = outline.at(index);
    if (id !== undefined && children.has(id)) parents.push(id);
  }
  return parents;
}

function collapsedUnderRoot(program: Program): Id[] {
  const { root, children, facts } = program.workspace;
  const found: Id[] = [];
  const waiting: Id[] = root === null ? [] : [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const child of children.of(id).items) {
      if (facts.isCollapsed(child.id)) found.push(child.id);
      waiting.push(child.id);
    }
  }
  return found;
}

function foldAll(program: Program, collapsed: boolean): CommandResult {
  if (!program.workspace.outline.isTree) return refused('Open a list first.');
  program.leaveText();
  const ids = collapsed ? visibleParents(program) : collapsedUnderRoot(program);
  const count = setCollapsed(program, ids, collapsed);
  return announced(`${collapsed ? 'Collapsed' : 'Expanded'} ${counted(count, 'task')}.`);
}

function toggleFold(program: Program): CommandResult {
  const { cursor, children, facts, outline } = program.workspace;
  const folds = outline.showsNested ?? outline.isTree;
  if (cursor === null || !folds || !children.has(cursor)) return refused('No subtasks here.');
  fold(program, [cursor], !facts.isCollapsed(cursor));
  return done;
}

type Theme = (typeof theme)['fallback'];

function setTheme(program: Program, wanted: Theme): CommandResult {
  changeSetting(program, theme, wanted);
  return announced(wanted === 'auto' ? 'Theme follows the system.' : `Theme is ${wanted}.`);
}

function toggleSidebar(program: Program): CommandResult {
  const isVisible = !program.sidebar.visible.get();
  program.sidebar.show(isVisible);
  const { isDrawer } = program.sidebar;
  // A choice in a narrow window does not apply to a wide one.
  if (!isDrawer) program.platform.preferences.set('sidebar', isVisible ? 'shown' : 'hidden');
  if (isVisible ? isDrawer : program.pane === 'sidebar') {
    program.leaveText();
    program.pane = isVisible ? 'sidebar' : 'outline';
  }
  return done;
}

function toggleTab(program: Program): CommandResult {
  changeSetting(program, tabKey, program.tabMovesFocus ? 'indents' : 'moves');
  return announced(program.tabMovesFocus ? 'Tab moves the focus.' : 'Tab indents.');
}

export const viewCommands: readonly Command[] = [
  define({
    id: 'view.collapseAll',
    title: 'Collapse all',
    aliases: ['fold all', 'hide subtasks'],
    group: 'View',
    run: (program) => foldAll(program, true),
  }),
  define({
    id: 'view.expandAll',
    title: 'Expand all',
    aliases: ['unfold all', 'show subtasks'],
    group: 'View',
    run: (program) => foldAll(program, false),
  }),
  define({
    id: 'view.fold',
    title: 'Collapse or expand',
    aliases: ['fold', 'toggle subtasks'],
    group: 'View',
    run: toggleFold,
  }),
  define({
    id: 'view.sidebar',
    title: 'Show or hide the sidebar',
    aliases: ['lists pane', 'hide lists', 'show lists'],
    group: 'View',
    run: toggleSidebar,
  }),
  define({
    id: 'view.archived',
    title: 'Show or hide archived lists',
    aliases: ['archive', 'closed projects'],
    group: 'View',
    run({ sidebar }) {
      sidebar.showsArchived = !sidebar.showsArchived;
      return announced(sidebar.showsArchived ? 'Showing archived lists.' : 'Hiding archived lists.');
    },
  }),
  define({
    id: 'view.theme',
    title: 'Theme…',
    aliases: ['switch theme', 'dark mode', 'light mode', 'appearance', 'colours'],
    group: 'View',
    args: [
      {
        name: 'theme',
        kind: 'choice',
        prompt: 'Which theme?',
        choices: theme.choices,
      },
    ],
    chosen: ({ settings }) => settings.get(theme),
    run(program, args) {
      const wanted = theme.read(args.theme);
      return wanted === null ? refused('No theme has that name.') : setTheme(program, wanted);
    },
  }),
  define({
    id: 'view.themeLight',
    title: 'Light theme',
    aliases: ['bright', 'day'],
    group: 'View',
    run: (program) => setTheme(program, 'light'),
  }),
  define({
    id: 'view.themeDark',
    title: 'Dark theme',
    aliases: ['night', 'black'],
    group: 'View',
    run: (program) => setTheme(program, 'dark'),
  }),
  define({
    id: 'view.themeAuto',
    title: 'System theme',
    aliases: ['auto theme', 'follow the system'],
    group: 'View',
    run: (program) => setTheme(program, 'auto'),
  }),
  define({
    id: 'view.hardcore',
    title: 'Hardcore Mode',
    aliases: ['turn the mouse off', 'disable mouse', 'keyboard only', 'hide pointer', 'turn the mouse on'],
    group: 'View',
    titleNow: ({ settings }) => `Turn ${settings.get(hardcore) ? 'off' : 'on'} Hardcore Mode`,
    run(program) {
      if (program.settings.get(hardcore)) program.part(mouseOff).turn(false);
      else {
        program.leaveText();
        program.dialog.show({
          type: 'confirm',
          text: 'Turn the mouse off in the app?',
          detail: 'Press Esc three times to turn the mouse back on. Touch and screen readers still work.',
          action: 'Turn the mouse off',
          command: 'view.mouseOff',
        });
      }
      return done;
    },
  }),
  define({
    id: 'view.mouseOff',
    title: 'Turn the mouse off',
    group: 'View',
    inPalette: false,
    run(program) {
      program.part(mouseOff).turn(true);
      return done;
    },
  }),
  define({
    id: 'view.tabMovesFocus',
    title: 'Tab moves focus or indents',
    aliases: ['accessibility', 'tab key'],
    group: 'View',
    run: toggleTab,
  }),
];
