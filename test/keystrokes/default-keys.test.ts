// The keys that the product has always had, pressed one by one on both kinds of keyboard. Mod+V is the browser's: what is
// pasted is attached, which test/browser/files.test.ts shows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Desk } from './desk.ts';

const dialog = (desk: Desk) => desk.app.view.dialog.get()?.type;
const prompt = (desk: Desk) => desk.app.view.palette.get()?.prompt;
const place = (desk: Desk) => desk.app.view.header.get().title;

/** What is to be seen after the keys. */
const keys: readonly (readonly [pressed: string, seen: (desk: Desk) => unknown, expected: unknown])[] = [
  ['Mod+K', (desk) => desk.app.view.palette.get()?.query, ''],
  ['Mod+B', (desk) => desk.message, 'Bookmarked ‘See https://example.org/one’.'],
  ['?', dialog, 'keys'],
  ['Ctrl+.', place, 'See https://example.org/one'],
  ['Ctrl+. Ctrl+,', place, 'Inbox'],
  [
    'Mod+Shift+V',
    (desk) => desk.rows().map(({ title, level }) => `${level} ${title}`),
    ['1 See https://example.org/one', '1 From', '2 there', '1 Two'],
  ],
  ['Mod+S', (desk) => desk.message, 'You can’t share the Inbox. Move its tasks to a list first.'],
  ['Mod+I', dialog, 'details'],
  ['r', prompt, 'How often? “every 2 weeks”, “none”'],
  ['/', (desk) => desk.app.view.focus.get().pane, 'search'],
  ['Mod+O', (desk) => desk.links, ['https://example.org/one']],
  ['Mod+E', (desk) => desk.message, 'Sign in first. Email arrives at the server.'],
  ['Mod+L', dialog, 'labels'],
  ['s', prompt, 'Snooze until when? “3 days”, “mon 9am”, “none”'],
  ['Ctrl+Enter', (desk) => [desk.app.view.status.get().mode, desk.rows().length], ['EDIT', 3]],
];

describe('the keys that the product has always had', () => {
  for (const apple of [true, false])
    for (const [pressed, seen, expected] of keys)
      test(`[KEY-45] ${pressed} does what it always did, on ${apple ? 'Apple keyboards' : 'others'}`, async () => {
        const desk = new Desk('> See https://example.org/one\n- Two', { apple });
        desk.clipboard = '- From\n  - there';
        desk.press(pressed);
        await desk.settle();
        assert.deepEqual(seen(desk), expected);
      });
});
