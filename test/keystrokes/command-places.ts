// Where keys count: brings a desk into each context of the keymap, as a person would.
import type { MacroField } from '#client/macros/editor/editor-view.ts';
import type { KeyContext } from '#client/commands/command.ts';
import { type Desk, given } from './desk.ts';
import { id } from './office.ts';

/** Something has been recorded, and is a macro. */
export const recorded = (desk: Desk): void => {
  desk.app.run('macro.record');
  desk.app.run('task.due', { value: 'tomorrow' });
  desk.app.run('macro.stop');
  desk.press('Escape', 'Escape');
};

/** The dialog that a command opens, with the focus on what names these contexts. */
export const dialog =
  (command: string, ...within: readonly KeyContext[]) =>
  async (desk: Desk): Promise<void> => {
    desk.app.run(command);
    for (let n = 0; n < 3; n += 1) await desk.settle();
    desk.within = within;
  };

/** Two changes that were recovered, the first of which has the focus. */
async function recovered(desk: Desk): Promise<void> {
  for (const value of ['Lost', 'Lost too'])
    desk.engine.recover({ a: 'set', id: id('Sow'), field: 'title', value });
  await dialog('application.recovered', 'dialog.recovered', 'list')(desk);
  const shown = desk.app.view.dialog.get();
  desk.outside.option = shown?.type === 'recovered' ? String(shown.items[0]?.seq) : null;
}

async function replacing(desk: Desk): Promise<void> {
  await dialog('edit.replace', 'dialog.replace', 'list')(desk);
  desk.app.answer('replace', { action: 'say', said: { find: 'So', replacement: 'Mo' } });
  await desk.settle();
  desk.outside.option = '';
}

/** A list of two people is open. */
export async function inShared(desk: Desk): Promise<void> {
  desk.app.run('go.list', { list: desk.holdShared('Trip', ['Book']) });
  await desk.settle();
}

/** One that the person owns. */
export async function inOwnShared(desk: Desk): Promise<void> {
  desk.app.run('go.list', { list: desk.holdShared('Trip', ['Book'], undefined, { role: 'owner' }) });
  await desk.settle();
}

/** Its dialog, with the focus on one of the people. */
async function sharing(desk: Desk): Promise<void> {
  await inShared(desk);
  await dialog('list.share', 'dialog.share', 'list')(desk);
  desk.outside.option = '1';
}

/** What a macro would change of several tasks. */
async function tryingMacro(desk: Desk): Promise<void> {
  recorded(desk);
  desk.press('Mod+A', 'Mod+K');
  desk.app.paletteInput('try a macro on the selection');
  desk.press('Enter', 'Enter');
  await desk.until(() => {
    const dialog = desk.app.view.dialog.get();
    return dialog?.type === 'macroTrial' && dialog.trial.step === 'shown';
  });
  desk.within = ['dialog.macroTrial', 'list'];
}

/** A macro with three steps, the second a script, in its editor. `field`: the one that has the focus; null: the list. */
const editingMacro = (field: MacroField | null) => async (desk: Desk) => {
  await dialog('macro.new', 'dialog.macroEditor')(desk);
  for (const query of ['complete task', 'run javascript', 'set due date']) {
    desk.app.answer('macroEditor', { action: 'add' });
    desk.app.answer('macroEditor', { action: 'query', text: query });
    desk.app.answer('macroEditor', { action: 'addStep', index: 0 });
  }
  desk.app.answer('macroEditor', { action: 'choose', index: 2 });
  if (field !== null) desk.app.answer('macroEditor', { action: 'enter', field });
  desk.within = field === null ? ['dialog.macroSteps', 'dialog.macroEditor', 'list'] : ['dialog.macroEditor'];
};

/** The public links of that list, with one of them open. */
async function linking(desk: Desk): Promise<void> {
  await inShared(desk);
  await dialog('list.publicLinks', 'dialog.publicLinks', 'list')(desk);
  desk.app.answer('publicLinks', { action: 'create' });
  desk.app.answer('publicLinks', { action: 'yes', minutes: null });
  await desk.settle();
}

/** The comments of a task of that list, with two of them. */
async function commenting(desk: Desk): Promise<void> {
  await inShared(desk);
  await dialog('task.comments', 'dialog.comments')(desk);
  for (const text of ['One', 'Two']) {
    desk.app.answer('comments', { action: 'type', text, caret: text.length });
    desk.app.answer('comments', { action: 'send' });
  }
}

/** The calendars of the account, the first of which has the focus. */
async function choosingCalendar(desk: Desk): Promise<void> {
  await dialog('calendar.sources', 'dialog.calendars', 'list')(desk);
  await desk.until(() => {
    const shown = desk.app.view.dialog.get();
    if (shown?.type !== 'calendars' || shown.calendars.busy !== null) return false;
    desk.outside.option = shown.calendars.calendars?.[0]?.id ?? null;
    return true;
  });
}

/** The calendar beside the outline, with a block at the slot, which is tomorrow. */
export async function inCalendar(desk: Desk): Promise<void> {
  desk.app.run('calendar.show');
  await desk.until(() => desk.app.view.focus.get().pane === 'calendar');
  desk.press('3', 'Right', 'b');
}

/** Brings the desk where a context counts. */
export const places: Readonly<Record<string, (desk: Desk) => unknown>> = {
  navigate: () => undefined,
  global: () => undefined,
  empty: (desk) => desk.press('g i', 'Mod+A', 'Delete'),
  edit: (desk) => desk.press('Enter'),
  name: (desk) => desk.app.run('list.rename'),
  sidebar: (desk) => desk.press('Shift+F6'),
  notes: (desk) => desk.press('n'),
  calendar: inCalendar,
  search: (desk) => {
    desk.press('/');
    desk.app.searchInput('is:');
  },
  palette: (desk) => {
    desk.press('Mod+K');
    desk.type('ta');
    desk.press('Down', 'Down');
  },
  month: (desk) => {
    desk.press('d');
    desk.type('fri');
    desk.press('Tab');
  },
  dialog: (desk) => desk.press('i'),
  list: dialog('label.pick', 'list'),
  'dialog.labels': dialog('label.pick', 'dialog.labels', 'list'),
  'dialog.labelManager': dialog('label.manage', 'dialog.labelManager', 'list'),
  'dialog.history': (desk) => {
    desk.press('Space');
    return dialog('history.everything', 'dialog.history', 'list')(desk);
  },
  'dialog.timeMachine': dialog('history.travel', 'dialog.timeMachine', 'list'),
  'dialog.recovered': recovered,
  'dialog.replace': replacing,
  async 'dialog.customCss'(desk) {
    await dialog('look.customCss', 'dialog.customCss')(desk);
    desk.app.answer('customCss', { action: 'type', text: 'a { color: red }' });
  },
  'dialog.macroEditor': editingMacro('source'),
  'dialog.macroTrial': tryingMacro,
  async 'dialog.rehearsal'(desk) {
    desk.sources = [given('a.csv', 'title,list,done\nOne,Alpha,yes\nTwo,Beta,')];
    desk.app.run('file.import');
    await desk.rehearsed();
  },
  'dialog.macroSteps': editingMacro(null),
  'dialog.share': sharing,
  async 'dialog.takingBack'(desk) {
    await inOwnShared(desk);
    await dialog('list.takeBack', 'dialog.takingBack', 'list')(desk);
  },
  'dialog.comments': commenting,
  'dialog.publicLinks': linking,
  async 'dialog.agenda'(desk) {
    await dialog('calendar.agenda', 'dialog.agenda', 'list')(desk);
    desk.outside.option = '';
  },
  async 'dialog.planDay'(desk) {
    desk.replica.issue([{ a: 'set', id: id('Sow'), field: 'due', value: { on: '2026-11-27' } }]);
    await dialog('day.plan', 'dialog.planDay')(desk);
  },
  'dialog.calendars': choosingCalendar,
  'dialog.settings': dialog('settings.open', 'dialog.settings', 'list'),
};
