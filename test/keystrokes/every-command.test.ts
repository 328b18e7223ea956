// Every command there is, by its keys where it has some, else by its name: it does something that can be seen, in a place
// where it applies, and what it changed is taken back by undo. A new command must show something here, or say why not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ArgumentValues, KeyContext } from '#client/commands/command.ts';
import { weekSignals } from '#client/week/signals.ts';
import { commands, standardBindings } from '#client/commands/registry.ts';
import type { AccountPort } from '#client/app/app.ts';
import { type Desk, given } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { fullOffice } from './full-office.ts';
import { living } from './fuzz-world.ts';
import { dialog, inOwnShared, inShared, places, recorded } from './command-places.ts';
import { id } from './office.ts';
import { SharingServer } from './sharing-server.ts';
import { lazyTimeMachine } from '#client/history/lazy.ts';

await lazyTimeMachine.load();

const apple = true;

interface Case {
  /** What is done before it. */
  readonly first?: (desk: Desk) => void | Promise<void>;
  readonly args?: ArgumentValues;
  /** Absent: somebody is signed in. */
  readonly account?: AccountPort;
  /** Undo is not about what it makes. */
  readonly stays?: true;
  /** It is run by its name although it has keys: they mean it elsewhere. */
  readonly byName?: true;
  /** It says why not, in these words: nothing of it can be done here. */
  readonly refuses?: RegExp;
}

/** The Garden with the cursor on “Sow”, which has tasks beneath it and one above. */
function garden(account: AccountPort): Desk {
  const desk = fullOffice({ apple, account });
  desk.timers.advance(1_000);
  desk.app.run('go.list', { list: id('Garden') });
  desk.press('Down');
  assert.equal(desk.rows().find(({ cursor }) => cursor)?.title, 'Sow');
  return desk;
}

const signedIn: AccountPort = {
  ...noAccount,
  email: 'ida@example.org',
  sharing: () => Promise.resolve(new SharingServer()),
  live: () => Promise.resolve(noLive),
};

/** The cursor of the sidebar on a list. */
function onList(desk: Desk, name: string): void {
  if (desk.app.view.focus.get().pane !== 'sidebar') return;
  desk.press('Home');
  const isThere = () => desk.app.view.sidebar.rows.get().some((row) => row.cursor && row.name === name);
  for (let left = 10; left > 0 && !isThere(); left -= 1) desk.press('Down');
  assert.ok(isThere(), name);
}

const inSidebar = (name: string): Case => ({ first: (desk) => onList(desk, name) });
/** A query that is whole. */
const finds: Case = { first: (desk) => desk.app.searchInput('is:open') };
const press = (...keys: readonly string[]): Case => ({ first: (desk) => void desk.press(...keys) });
const open = (name: string, ...keys: readonly string[]): Case => ({
  async first(desk) {
    desk.app.run('go.list', { list: id(name) });
    await desk.settle();
    desk.press(...keys);
  },
});

/** A search that is over. */
const searched = (query: string): Case => ({
  first(desk) {
    desk.press('/');
    desk.app.searchInput(query);
    desk.press('Escape', 'Escape');
  },
});

/** A screen of two lines, of which the first is line `top`. */
const ofTwoLines = (top: number): Case => ({
  first(desk) {
    desk.app.view.rows.resize(2);
    desk.app.view.rows.scrolledTo(top);
  },
});

/** Something rings. */
const ringing: Case = {
  first(desk) {
    const { pane } = desk.app.view.focus.get();
    desk.app.run('task.remind', { value: 'today 9:30' });
    desk.timers.advance(40 * 60_000);
    assert.ok(desk.app.view.reminder.get(), 'it rings');
    if (pane === 'sidebar') desk.press('Shift+F6');
  },
};

/** Time is planned for the task at the cursor. */
const planned: Case = { first: (desk) => void desk.app.run('task.planTime', { value: 'tomorrow 9am' }) };

const lesson: Case = { first: (desk) => void desk.app.run('lesson.start'), stays: true };

/** Notes whose field knows what is asked of it. */
const notesField: Case = {
  first: (desk) =>
    desk.app.notesField({
      act: (what) => (desk.links.push(what), true),
      linkAtCaret: () => 'https://a.test',
    }),
};

const noAccountYet: Case = { account: noAccount };

function atTheBeginning(desk: Desk): void {
  desk.press('Enter');
  desk.app.run('edit.caretFirst');
}

const CASES: Readonly<Record<string, Case>> = {
  'agenda.today': press('l'),
  'planning.back': press('Right'),
  'account.signIn': noAccountYet,
  'account.signUp': noAccountYet,
  'application.recovered': {
    first: (desk) => desk.engine.recover({ a: 'set', id: id('Sow'), field: 'title', value: 'Lost' }),
  },
  'block.move': planned,
  'block.longer': planned,
  'block.shorter': planned,
  'block.remove': planned,
  'block.save': planned,
  'comments.down': press('Up', 'Up'),
  'comments.name': { first: (desk) => desk.app.answer('comments', { action: 'type', text: '@a', caret: 2 }) },
  'comments.remove': press('Up'),
  'dialog.close': press('i'),
  'edit.accept': {
    first: (desk) => {
      // A line is read by the setting of the moment in which it is begun.
      desk.press('Escape');
      desk.app.run('setting.lineTokens', { value: 'suggest' });
      desk.press('Enter');
      desk.type(' tomorrow');
    },
  },
  'edit.caretFirst': press('Enter'),
  'edit.caretLast': press('Enter'),
  'edit.caretLeft': press('Enter'),
  'edit.caretRight': press('Enter'),
  'edit.caretWordLeft': press('Enter'),
  'edit.caretWordRight': press('Enter'),
  'edit.deleteRight': { first: atTheBeginning },
  'edit.killRest': { first: atTheBeginning },
  'edit.killWord': { first: atTheBeginning },
  'edit.killWordBack': press('Enter'),
  'edit.yank': {
    first(desk) {
      atTheBeginning(desk);
      desk.app.run('edit.killRest');
    },
  },
  'edit.backspace': { ...press('Ctrl+Enter'), stays: true },
  'file.attach': { refuses: /Files couldn’t load/ },
  'file.attachClipboard': { refuses: /Files couldn’t load/ },
  'file.show': { refuses: /Files couldn’t load/ },
  'file.importClipboard': { first: (desk) => void (desk.clipboard = '- one') },
  'calendars.file': { first: (desk) => void (desk.sources = [given('a.ics', 'BEGIN:VCALENDAR')]) },
  'file.import': { first: (desk) => void (desk.sources = [given('a.txt', '- one')]) },
  'go.forward': {
    first(desk) {
      const { pane } = desk.app.view.focus.get();
      desk.app.run('go.back');
      if (pane === 'sidebar') desk.press('Shift+F6');
    },
  },
  'history.undo': {
    stays: true,
    first(desk) {
      desk.app.closeDialog();
      desk.press('Space', 'g h');
      desk.press('Enter');
    },
  },
  'options.up': press('Down'),
  'options.pageUp': press('Down'),
  'options.first': press('Down'),
  'labels.createPrivate': {
    async first(desk) {
      await inShared(desk);
      await dialog('label.pick', 'dialog.labels', 'list')(desk);
      desk.app.answer('labels', { action: 'filter', text: 'gift' });
    },
    byName: true,
  },
  'calendar.threeDays': press('1'),
  'slot.next': press('Up'),
  'slot.previous': press('Down', 'Down'),
  'slot.plan': press('Down', 'Down'),
  'slot.complete': press('Escape', 'Down', 'F6', 'b'),
  'slot.other': press('Escape', 'Down', 'F6', 'b'),
  'options.complete': { first: (desk) => desk.app.answer('labels', { action: 'filter', text: 'Wai' }) },
  'settings.firstTab': press('Right'),
  'moments.newer': press('Left'),
  'moments.muchNewer': press('Left'),
  'edit.redo': { ...press('Space', 'Mod+Z'), stays: true },
  'edit.undo': { ...press('Space'), stays: true },
  'lesson.start': { stays: true },
  'lesson.end': lesson,
  'lesson.skip': lesson,
  'dialog.confirm': { refuses: /No question is waiting/ },
  'macro.stop': {
    first(desk) {
      desk.app.run('macro.record');
      desk.app.run('task.due', { value: 'tomorrow' });
    },
  },
  'macro.edit': { first: recorded },
  'macro.try': { first: recorded },
  'steps.run': {
    first(desk) {
      for (const index of [3, 2]) {
        desk.app.answer('macroEditor', { action: 'choose', index });
        desk.app.answer('macroEditor', { action: 'remove' });
      }
    },
  },
  'macro.duplicate': { first: recorded },
  'macro.delete': { first: recorded },
  'macro.rename': { first: recorded },
  'macro.links': { first: recorded },
  'macro.share': { first: recorded },
  'macro.import': {
    first: (desk) =>
      void (desk.clipboard = '{"v":1,"name":"Plan","steps":[{"cmd":"task.complete","args":{}}],"vars":[]}'),
  },
  'list.archive': inSidebar('Garden'),
  'list.delete': inSidebar('Garden'),
  'list.editQuery': open('Due soon'),
  'list.clearAfter': { first: inShared },
  'list.hide': { first: inShared },
  'list.leave': { first: inShared },
  'list.mute': { first: inShared },
  'list.takeBack': { first: inOwnShared },
  'list.moveDown': inSidebar('Garden'),
  'list.moveUp': inSidebar('Garden'),
  'list.nest': inSidebar('Garden'),
  'list.unnest': inSidebar('Reports'),
  'month.enter': {
    first(desk) {
      desk.press('Escape', 'd');
      desk.type('fri');
    },
  },
  'notes.indent': notesField,
  'notes.openLink': notesField,
  'notes.outdent': notesField,
  'outline.escape': press('x'),
  'palette.acceptAndStay': {
    stays: true,
    first(desk) {
      if (!desk.app.view.palette.get()?.month) desk.press('Escape', 'd');
    },
  },
  'palette.accept': {
    first(desk) {
      if (desk.app.view.palette.get()?.month) return;
      desk.press('Escape', 'Mod+K');
      desk.type('go to inbox');
    },
  },
  'palette.back': press('Escape', 'm'),
  'palette.missed': {
    first(desk) {
      desk.press('Mod+K');
      desk.type('frobnicate');
      desk.press('Enter');
    },
  },
  'palette.unname': {
    first: (desk) => void desk.app.run('palette.name', { item: 'cmd.task.complete', name: 'fin' }),
  },
  'reminder.complete': ringing,
  'reminder.dismiss': ringing,
  'reminder.dismissAll': ringing,
  'reminder.open': ringing,
  'reminder.snooze': ringing,
  'reminder.snoozeHour': ringing,
  'reminder.snoozeTomorrow': ringing,
  'search.create': {
    first(desk) {
      desk.press('/');
      desk.type('Something new');
    },
  },
  'selection.clear': press('x'),
  'search.down': finds,
  'search.enter': finds,
  'search.save': finds,
  'sidebar.first': inSidebar('Garden'),
  'sidebar.left': inSidebar('Work'),
  'cursor.screenMiddle': press('Home'),
  'search.next': searched('seeds'),
  'search.previous': searched('seeds'),
  'view.foldOpen': press('Left'),
  'view.scrollBottom': ofTwoLines(1),
  'view.scrollMiddle': ofTwoLines(0),
  'view.scrollTop': ofTwoLines(0),
  'sharing.again': {
    first: (desk) => desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false }),
  },
  'sidebar.up': inSidebar('Garden'),
  'sync.download': { refuses: /Everything’s synced/ },
  'sync.downloadDamaged': { refuses: /./ },
  'sync.enable': { first: (desk) => desk.engine.detach() },
  'task.assign': { first: inShared },
  'task.clear': press('Up'),
  'task.focusOut': {
    first(desk) {
      desk.app.run('task.focusIn');
    },
  },
  'task.moveDown': press('Up'),
  'task.once': open('Sorted', 'Home', 'Down'),
  'task.openLinks': open('Sorted', 'Home'),
  'task.outdent': press('Down'),
  'task.paste': { first: (desk) => void (desk.clipboard = 'One\nTwo') },
  'task.restore': press('Delete', 'g x'),
  // Who has no account number belongs to no list.
  'task.take': { first: inShared, refuses: /Share the list first/ },
  'task.skip': open('Sorted', 'Home', 'Down'),
  'task.unclear': {
    first(desk) {
      desk.press('/');
      desk.app.searchInput('is:cleared');
      desk.press('Enter');
    },
  },
  'task.whyHere': open('Due soon'),
  'task.whyNotHere': { ...open('Due soon'), args: { task: id('Rake leaves') } },
  'trash.empty': press('Delete'),
};

/** Everything a person can see, hear or find elsewhere. */
function seen(desk: Desk): string {
  const { view } = desk.app;
  const signals = Object.entries(view).flatMap(([name, part]) =>
    'get' in part ? [[name, (part as { get(): unknown }).get()] as const] : [],
  );
  return JSON.stringify([
    ...signals,
    weekSignals(desk.engine).view.get(),
    weekSignals(desk.engine).slot.get(),
    desk.rows(),
    view.sidebar.rows.get(),
    view.sidebar.visible.get(),
    view.rows.top.get(),
    [...desk.preferences],
    desk.caret,
    [...desk.replica.all()],
    desk.clipboard,
    desk.links,
    desk.files,
    desk.prints,
    desk.reloads,
    desk.engine.nudges,
    desk.engine.sync,
    desk.outside,
  ]);
}

async function tryOut(command: string, context: KeyContext | null, keys: string | null): Promise<void> {
  const { first, args, byName, refuses, stays, account = signedIn } = CASES[command] ?? {};
  const desk = garden(account);
  if (context !== null && byName !== true) {
    const place = places[context];
    assert.ok(place, `Say in “places” of this file how a person comes to the context “${context}”.`);
    await place(desk);
  }
  await first?.(desk);
  await desk.settle();
  const before = seen(desk);
  const content = living(desk);
  const ran: string[] = [];
  desk.app.onRun = (name) => void ran.push(name);
  if (keys === null || byName === true) desk.app.run(command, args);
  else assert.equal(desk.press(keys), true, `${keys} is taken`);
  desk.app.onRun = null;
  assert.ok(ran.includes(command), `${keys ?? command} ran ${ran.join(', ') || 'nothing'}`);
  await desk.settle();
  await desk.settle();
  assert.doesNotMatch(desk.message, /failed:/);
  if (refuses) assert.match(desk.message, refuses);
  else
    assert.notEqual(
      desk.app.view.status.get().message?.tone,
      'error',
      `${desk.message} If ${command} needs more than a task at the cursor, say in CASES of this file what.`,
    );
  assert.notEqual(
    seen(desk),
    before,
    `nothing is to be seen of ${command}; CASES of this file brings the desk where there is`,
  );
  if (living(desk) === content || stays) return;
  desk.app.closeDialog();
  desk.app.run('palette.close');
  // A new task left empty goes by itself.
  desk.press('Escape');
  for (let left = 3; left > 0 && living(desk) !== content; left -= 1) desk.app.run('edit.undo');
  assert.equal(living(desk), content, 'undo takes it back');
}

describe('every command', () => {
  const here = standardBindings.filter(({ only }) => only === undefined || only === 'apple');
  for (const command of commands.keys()) {
    const bound = here.filter((binding) => binding.command === command);
    for (const { context, keys } of bound)
      test(`[OUT-31] ${command}, by ${keys} (${context})`, () => tryOut(command, context, keys));
    if (bound.length === 0) test(`[OUT-31] ${command}, by its name`, () => tryOut(command, null, null));
  }
});
