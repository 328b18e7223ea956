// Where keys count, in the order in which the editor shows it, and as it says it.
import type { KeyContext } from '../commands/command.ts';

export const placeNames: Readonly<Record<KeyContext, string>> = {
  navigate: 'In the outline',
  empty: 'In an empty list',
  global: 'Everywhere',
  edit: 'While editing a title',
  name: 'While naming a list',
  sidebar: 'In the sidebar',
  notes: 'In the notes',
  search: 'In the search line',
  palette: 'In the palette',
  month: 'In a month',
  dialog: 'In dialogs',
};

/** Every one. */
export const keyPlaces = Object.keys(placeNames) as readonly KeyContext[];
