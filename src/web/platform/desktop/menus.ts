// The menus of the desktop client: commands of the registry, by their names and with the keys that they have now.
import type { App } from '#client/app/app.ts';
import {
  accountKeys,
  accountPreset,
  deviceKeys,
  devicePreset,
  keysChords,
  keysSync,
} from '#client/settings/keys.ts';

/** An item as the program takes it; null: a line. */
interface Item {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
}

export interface MenusSaid {
  readonly type: 'menus';
  readonly menus: readonly { readonly name: string; readonly items: readonly (Item | null)[] }[];
}

/** Ids of commands, with a bar for a line. */
const COMMANDS = {
  File: `task.quickEntry list.create folder.create | file.import export.accountJson application.print
    | desktop.addAccount desktop.switchAccount desktop.removeAccount
    | account.safety account.signIn account.signOut | settings.open`,
  Edit: `edit.undo edit.redo | task.cut task.copyText task.paste | selection.all selection.clear
    | search.open replace.run`,
  View: `palette.open view.sidebar notes.toggle | view.collapseAll view.expandAll view.snoozed view.unstarted
    view.archived | task.focusIn task.focusOut | view.theme look.customCss`,
  Task: `task.createBelow task.createChild task.edit notes.edit | task.complete task.delete task.duplicate
    | task.due task.start task.snooze task.repeat task.remind task.duration
    | label.pick task.move bookmark.toggle file.attach task.details`,
  Go: `go.inbox go.today go.upcoming go.trash | go.list go.label go.task go.bookmark | go.back go.forward`,
  Help: `help.keys lesson.start | application.syncStatus history.everything | application.reload`,
} as const;

/** Menus by their names; null: a line between commands. */
export const menuCommands: readonly (readonly [name: string, ids: readonly (string | null)[]])[] =
  Object.entries(COMMANDS).map(([name, ids]) => [
    name,
    ids.split(/\s+/).map((id) => (id === '|' ? null : id)),
  ]);

/** Settings that keys come from. */
const KEYS = [accountPreset, devicePreset, accountKeys, deviceKeys, keysChords, keysSync] as const;

function itemOf(app: App, id: string | null): readonly (Item | null)[] {
  if (id === null) return [null];
  const command = app.commands.get(id);
  if (command === undefined) return [];
  const [strokes = []] = app.keysOf(id);
  return [{ id, title: command.title, keys: strokes.join(' ') }];
}

/** No line at an end, and none beside another. */
function tidied(items: readonly (Item | null)[]): readonly (Item | null)[] {
  const kept = items.filter((item, at) => item !== null || (items[at - 1] ?? null) !== null);
  return kept.at(-1) === null ? kept.slice(0, -1) : kept;
}

/** The menus as they are now. */
export function menusOf(app: App): MenusSaid {
  const menus = menuCommands.map(([name, ids]) => ({
    name,
    items: tidied(ids.flatMap((id) => itemOf(app, id))),
  }));
  return { type: 'menus', menus };
}

/** Says them now, and whenever they change. The returned function ends it. */
export function followMenus(app: App, say: (menus: MenusSaid) => void): () => void {
  let said = '';
  const tell = () => {
    const menus = menusOf(app);
    const text = JSON.stringify(menus);
    if (text === said) return;
    said = text;
    say(menus);
  };
  // The keymap follows the same settings: it has done so a turn later.
  const ends = KEYS.map((setting) =>
    app.setting<string | boolean>(setting).subscribe(() => queueMicrotask(tell)),
  );
  tell();
  return () => {
    for (const end of ends) end();
  };
}
