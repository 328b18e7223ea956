// The keys of a public list's page: the same as in the app for the same things (test/public-list-keys.test.ts compares them).
import type { LinkMay } from '#wire/public-links.ts';

/** What a key can do in the list. */
export type Act =
  | 'down'
  | 'up'
  | 'first'
  | 'last'
  | 'complete'
  | 'edit'
  | 'below'
  | 'child'
  | 'notes'
  | 'leave'
  | 'help';

/** One key, what it does here, the command that it is in the app, and what it needs. */
export interface ListKey {
  readonly key: string;
  readonly act: Act;
  readonly command: string;
  /** Absent: looking. */
  readonly needs?: keyof LinkMay;
  readonly says: string;
}

/** In the order in which they are shown. */
export const listKeys: readonly ListKey[] = [
  { key: 'Down', act: 'down', command: 'cursor.down', says: 'Next task' },
  { key: 'Up', act: 'up', command: 'cursor.up', says: 'Previous task' },
  { key: 'Home', act: 'first', command: 'cursor.first', says: 'First task' },
  { key: 'End', act: 'last', command: 'cursor.last', says: 'Last task' },
  { key: 'Space', act: 'complete', command: 'task.complete', needs: 'complete', says: 'Complete, or reopen' },
  { key: 'Enter', act: 'edit', command: 'task.edit', needs: 'titles', says: 'Edit the title' },
  { key: 'e', act: 'edit', command: 'task.edit', needs: 'titles', says: 'Edit the title' },
  { key: 'n', act: 'notes', command: 'notes.edit', needs: 'notes', says: 'Edit the notes' },
  { key: 'Ctrl+Enter', act: 'below', command: 'task.createBelow', needs: 'add', says: 'New task below' },
  { key: 'Alt+Enter', act: 'child', command: 'task.createChild', needs: 'add', says: 'New task inside' },
  { key: '?', act: 'help', command: 'help.keys', says: 'Show the keys' },
];

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ' ': 'Space',
};

/** The key of an event as the table names it. */
export function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>,
): string {
  const name = NAMES[event.key] ?? event.key;
  const isSign = name.length === 1;
  const parts = [
    ...(event.ctrlKey ? ['Ctrl'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.metaKey ? ['Meta'] : []),
    // Of a sign Shift says nothing: it may be needed to write it.
    ...(event.shiftKey && !isSign ? ['Shift'] : []),
    name,
  ];
  return parts.join('+');
}

/** What the page of a link with these permissions does on a key; undefined: nothing. */
export function actOf(key: string, may: LinkMay): Act | undefined {
  return listKeys.find((each) => each.key === key && (each.needs === undefined || may[each.needs]))?.act;
}
