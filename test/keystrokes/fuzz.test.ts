// Random keys on a random outline: nothing fails, there is one cursor, what is shown is what a plain recomputation of the
// whole outline gives, and undoing everything gives back exactly what there was. Every run is named by its seed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { Desk } from './desk.ts';
import { living } from './fuzz-world.ts';
import { createRandom, naiveLines, shownLines } from './naive.ts';

const MOVES = [
  'Down',
  'Down',
  'Up',
  'Up',
  'Right',
  'Left',
  'Home',
  'End',
  'PageDown',
  'Shift+Down',
  'Shift+Up',
  'x',
];
const CHANGES = [
  'Ctrl+Enter',
  'Shift+Enter',
  'Alt+Enter',
  'Enter',
  'Enter',
  'e',
  'Escape',
  'Tab',
  'Tab',
  'Shift+Tab',
  'Alt+Up',
  'Alt+Down',
  'Space',
  'Delete',
  'Backspace',
  'Mod+]',
  'Mod+[',
  'Mod+Shift+Enter',
];
const OTHERS = [
  'Mod+A',
  'Mod+Z',
  'Mod+Z',
  'Mod+Shift+Z',
  'Ctrl+.',
  'Ctrl+,',
  'z',
  'Shift+Left',
  'Shift+Right',
  'g i',
  'g x',
  'g z',
  '[',
  ']',
  '/',
  'Mod+K',
  'u',
  'o',
  'Mod+/',
  'F6',
  'n',
  'm',
  '?',
];
const COMMANDS = [
  'task.clearCompleted',
  'list.create',
  'go.trash',
  'list.archive',
  'list.nest',
  'list.moveUp',
];
const WORDS = ['plan', 'launch', 'été', 'a', '', 'write the note'];
/** What is not stored as it is typed: too long for a title, or no character. */
const ODD_WORDS = [...WORDS, 'x'.repeat(4_200), 'b\u0001'];

function randomOutline(random: (below: number) => number): string {
  const lines: string[] = [];
  let level = 0;
  const count = random(14);
  for (let line = 0; line < count; line += 1) {
    level = Math.max(0, Math.min(level + 1, random(4)));
    if (line === 0) level = 0;
    const marks = `${random(5) === 0 ? ' ✓' : ''}${random(5) === 0 ? ' +' : ''}`;
    lines.push(`${line === 0 ? '> ' : '  '}${'  '.repeat(level)}task ${line}${marks}`);
  }
  return lines.join('\n');
}

function check(desk: Desk, keys: readonly string[]): void {
  const trail = keys.join(' ');
  assert.ok(!/failed:/.test(desk.message), `${desk.message} after ${trail}`);
  const rows = desk.rows();
  const cursors = rows.filter(({ cursor }) => cursor).length;
  assert.equal(cursors, rows.length > 0 ? 1 : 0, `one cursor after ${trail}`);
  const { kind } = desk.app.view.header.get();
  if (kind === 'search' || kind === 'trash') return;
  const place = desk.preferences.get('place')?.split(':')[1] as Id | undefined;
  const root = desk.rootOf(place);
  const shown = shownLines(rows);
  const expected = naiveLines(desk.replica, root);
  if (JSON.stringify(shown) !== JSON.stringify(expected))
    assert.deepEqual(shown, expected, `rows after ${trail}`);
}

function pressRandom(desk: Desk, random: (below: number) => number, words: readonly string[]): string {
  const choice = random(20);
  const pick = (names: readonly string[]) => names[random(names.length)] ?? '';
  const focus = desk.app.view.focus.get();
  const isText = focus.pane !== 'outline' || focus.edit !== null;
  if (isText && choice < 6) {
    const word = pick(words);
    desk.type(word);
    return `“${word}”`;
  }
  if (choice === 19) {
    const id = pick(COMMANDS);
    desk.app.run(id, id === 'list.create' ? { name: 'A list' } : {});
    return `run(${id})`;
  }
  if (choice === 18) {
    desk.timers.advance(random(3) * 1_000);
    return '…';
  }
  const key = choice < 8 ? pick(MOVES) : choice < 15 ? pick(CHANGES) : pick(OTHERS);
  desk.press(key);
  return key;
}

function leaveEverything(desk: Desk): void {
  desk.press('Escape');
  for (let left = 0; left < 8; left += 1) desk.press('Escape');
  desk.app.run('go.inbox');
}

function run(seed: number, length: number): void {
  const random = createRandom(seed);
  const fill = (bytes: Uint8Array) => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = random(256);
  };
  const desk = new Desk(randomOutline(random), { apple: seed % 2 === 0, fill });
  const before = living(desk);
  const keys: string[] = [];
  for (let step = 0; step < length; step += 1) {
    keys.push(pressRandom(desk, random, seed % 10 === 0 ? ODD_WORDS : WORDS));
    check(desk, keys);
  }
  leaveEverything(desk);
  for (let left = 0; left < 200 && desk.app.run('edit.undo').type === 'done'; left += 1) check(desk, keys);
  assert.equal(living(desk), before, `undone after ${keys.join(' ')}`);
}

describe('random keys', () => {
  const seeds = Array.from({ length: 2_000 }, (_, index) => index + 1);
  test('[KEY-1] [KEY-2] [UNDO-1] 2,000 sequences: no failure, one cursor, the right rows, and undo gives everything back', () => {
    for (const seed of seeds) {
      try {
        run(seed, 5 + (seed % 20));
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
});
