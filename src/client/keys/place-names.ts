// The contexts of keys in the order and the words of the key editor.
import type { KeyContext } from '../commands/command.ts';
import { dialogFrames, type DialogFrame } from '../dialogs/dialog-view.ts';
import { sharingFrames } from '../sharing/frames.ts';

const names: Readonly<Partial<Record<KeyContext, string>>> = {
  navigate: 'In the outline',
  empty: 'In an empty list',
  global: 'Everywhere',
  edit: 'While editing a title',
  name: 'While naming a list',
  sidebar: 'In the sidebar',
  notes: 'In the notes',
  calendar: 'In the calendar beside tasks',
  search: 'In the search line',
  palette: 'In the palette',
  month: 'In the calendar',
  dialog: 'In dialogs',
  list: 'In dialog lists',
  'dialog.macroEditor': 'In the macro editor',
  'dialog.macroSteps': 'On the steps of a macro',
  'dialog.customCss': 'In “Custom CSS”',
  'dialog.publicLinks': 'In “Public links”',
  'dialog.takingBack': 'In “Undo what somebody did”',
  'dialog.comments': 'In “Comments”',
  'dialog.rehearsal': 'In “Import”',
};

const frames: Readonly<Record<string, DialogFrame | undefined>> = { ...dialogFrames, ...sharingFrames };

/** “In the outline”; for one dialog, “In “History””. */
export function placeName(context: KeyContext): string {
  const dialog = context.replace(/^dialog\./, '');
  return names[context] ?? `In “${frames[dialog]?.name ?? dialog}”`;
}

/** Every context of the app. */
export const keyPlaces: readonly KeyContext[] = [
  ...(Object.keys(names) as KeyContext[]),
  ...Object.keys(frames).map((type) => `dialog.${type}` as const),
];
