// Every sequence of two printable keys in Vim's normal mode, and of three where more belongs together: what the set does not
// have changes nothing, writes nothing, opens nothing, and says so.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bindingsOf, presetOf } from '#client/keys/presets.ts';
import { parseKeys } from '#client/keys/stroke.ts';
import { Desk, outline } from './desk.ts';
import { partBindings } from '#client/commands/registry.ts';

const LIST = `
    One
  > Two
      Two a
    Three
    Four`;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const SIGNS = [...'0123456789`~!@#$%^&*()-_=+[{]}\\|;:\'",<.>/?'];
const PRINTABLE = [
  ...LETTERS,
  ...LETTERS.map((letter) => `Shift+${letter.toUpperCase()}`),
  ...SIGNS,
  'Space',
];

const vimKeys = presetOf('vim');
const strokesOf = (keys: string) => parseKeys(keys, false).join(' ');
const boundIn = (place: string) =>
  new Set(
    bindingsOf(vimKeys, false, partBindings)
      .filter(({ context }) => context === place || context === 'global')
      .map(({ keys }) => strokesOf(keys)),
  );

const MOTIONS = ['j', 'k', '+', '-', 'Shift+g', '}', '{', 'Shift+h', 'Shift+m', 'Shift+l'];
/** What the grammar does after its first keys; nothing is listed here that waits for a third. */
const READ: Readonly<Record<string, readonly string[]>> = {
  d: ['d', ...MOTIONS, '/', '?'],
  y: ['y', ...MOTIONS, '/', '?'],
  '>': ['>', ...MOTIONS, '/', '?'],
  '<': ['<', ...MOTIONS, '/', '?'],
  c: ['c', '/', '?'],
  g: ['v'],
};
const lower = LETTERS;
/** What they name: nothing of the tasks changes. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  m: lower,
  "'": [...lower, "'", '`'],
  '`': [...lower, "'", '`'],
  q: [...lower, ...lower.map((letter) => `Shift+${letter}`)],
  '@': [...lower, '@'],
};
/** What it does at once. */
const DONE = new Set(['p', 'Shift+p', '.', 'v', 'Shift+v', '}', '{', 'Shift+y', 'Shift+c']);

/** All that must not change. */
function state(desk: Desk): string {
  const { view } = desk.app;
  return JSON.stringify([
    desk.replica.meta.seq,
    view.focus.get(),
    view.palette.get(),
    view.dialog.get(),
    view.search.get(),
    view.status.get().selected,
    view.rows.count.get(),
  ]);
}

/** Presses them, and takes back what they began. Returns what was said. */
function begin(desk: Desk, keys: readonly string[]): string {
  desk.press(...keys);
  const { pending } = desk.app.view.status.get();
  const said = desk.message;
  if (pending.length > 0) desk.press('Escape');
  return pending.length > 0 ? '…' : said;
}

function seated(place: 'outline' | 'sidebar'): Desk {
  const desk = new Desk(outline(LIST), { apple: false });
  desk.app.run('keys.preset', { value: 'vim' });
  if (place === 'sidebar') desk.press('Shift+F6');
  assert.equal(desk.app.view.focus.get().pane, place);
  return desk;
}

function assertUnknown(desk: Desk, keys: readonly string[]): void {
  const before = state(desk);
  const said = begin(desk, keys);
  assert.equal(state(desk), before, keys.join(' '));
  assert.match(said, /^…$|does nothing\.$/, keys.join(' '));
}

describe('Vim: what is not in the set', () => {
  test('[VIM-6] of two keys in the outline, nothing that is not bound writes, changes or opens anything', () => {
    const desk = seated('outline');
    const bound = boundIn('navigate');
    const prefixes = new Set(
      [...bound].filter((keys) => keys.includes(' ')).map((keys) => keys.split(' ')[0]),
    );
    let walked = 0;
    for (const first of PRINTABLE) {
      const a = strokesOf(first);
      const isRead = vimKeys.read.some(({ keys }) => strokesOf(keys) === a);
      if (bound.has(a) || DONE.has(a)) continue;
      const isKnown = isRead || prefixes.has(a);
      if (!isKnown) assertUnknown(desk, [first]);
      // A whole command of Vim’s that is not here: what follows it is for itself.
      const waits = begin(desk, [first]) === '…';
      if (!waits) continue;
      for (const second of PRINTABLE) {
        const b = strokesOf(second);
        if (bound.has(`${a} ${b}`) || READ[a]?.includes(b)) continue;
        // A count goes before any key.
        if (/^[1-9]$/.test(a) && (bound.has(b) || DONE.has(b))) continue;
        walked += 1;
        if (NAMED[a]?.includes(b) !== true) assertUnknown(desk, [first, second]);
        else {
          const before = state(desk);
          begin(desk, [first, second]);
          if (a === 'q') desk.press('q');
          // Where there is such a mark, the cursor goes there.
          assert.equal(state(desk), before, `${first} ${second}`);
        }
      }
    }
    assert.ok(walked > 2_000, `${walked} sequences`);
  });

  test('[VIM-6] nor of three, where Vim would wait for the third', () => {
    const desk = seated('outline');
    const begun = [
      'd i',
      'd a',
      'y i',
      'c i',
      'c a',
      '> i',
      'd f',
      'y t',
      'c Shift+T',
      'd z',
      'd [',
      'y s',
      'c s',
    ];
    for (const keys of [...begun, 'g Shift+U', 'g ~', 'g q', '= i', '! a', 'z f', '" !', '3 f', '2 g', '" a'])
      for (const third of PRINTABLE) {
        const sequence = [...keys.split(' '), third];
        const [first, second] = sequence;
        const c = strokesOf(third);
        if (first === '"' && second === 'a' && (/^[1-9]$/.test(c) || DONE.has(c))) continue;
        if (first === '2' && (boundIn('navigate').has(`g ${c}`) || /^[jkv]$/.test(c))) continue;
        const before = state(desk);
        begin(desk, sequence);
        assert.equal(state(desk), before, sequence.join(' '));
      }
  });

  test('[VIM-6] nor in the sidebar', () => {
    const desk = seated('sidebar');
    const bound = boundIn('sidebar');
    for (const first of PRINTABLE) {
      const a = strokesOf(first);
      if (bound.has(a)) continue;
      for (const second of PRINTABLE) {
        const b = strokesOf(second);
        if (bound.has(`${a} ${b}`)) continue;
        const before = state(desk);
        // What stands alone is over: the next key is for itself.
        const waits = begin(desk, [first]) === '…';
        if (waits) begin(desk, [first, second]);
        assert.equal(state(desk), before, `${first} ${second}`);
      }
    }
  });

  test('[VIM-6] a title gets no letter of them, and the next key is itself again', () => {
    const desk = seated('outline');
    const titles = () => desk.rows().map(({ title, editing }) => (editing ? `${title}|` : title));
    for (const keys of [
      ['"', 'a', 'x', 'w', 'w'],
      ['d', 'i', 'p'],
      ['c', 'i', 'w'],
      ['g', 'Shift+U', 'i', 'w'],
      ['y', 's', 'i', 'w', ')'],
      ['=', 'i', 'p'],
      ['v', 'i', 'p', 'Escape'],
      ['f', 'i'],
      ['2', 'f', 'o'],
    ]) {
      desk.press(...keys);
      assert.deepEqual(titles(), ['One', 'Two', 'Two a', 'Three', 'Four'], keys.join(' '));
    }
    desk.press('j');
    assert.equal(desk.rows().find(({ cursor }) => cursor)?.title, 'Two a');
  });

  test('[VIM-6] the miss is said once for all of them, and not again while the key is held', () => {
    const desk = seated('outline');
    desk.press('d', 'i');
    assert.equal(desk.message, 'Vim keys. ? shows them.', 'nothing is said yet');
    desk.press('p');
    assert.equal(desk.message, 'd i p does nothing.');
    assert.equal(desk.app.view.status.get().message?.isMiss, true);
    desk.press('f', 'Ctrl+[');
    assert.deepEqual(desk.app.view.status.get().pending, []);
  });

  test('[VIM-6] d and / give up deleting, and what is typed is searched for', () => {
    const desk = seated('outline');
    desk.press('d', '/');
    desk.type('four');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Four'],
    );
    desk.press('Escape', 'Escape');
    assert.equal(desk.rows().length, 5);
  });

  test('[KEY-31] [VIM-6] on another layout the letters are where they are', () => {
    const desk = seated('outline');
    const press = (key: string, code: string) =>
      desk.app.key({ ...cyrillic, key, code, shift: key !== key.toLowerCase() || key === '"' });
    // "ayy on a Russian keyboard: Shift+2 makes the quote.
    press('"', 'Digit2');
    press('ф', 'KeyA');
    press('н', 'KeyY');
    press('н', 'KeyY');
    assert.equal(desk.message, 'Copied ‘Two’.');
  });
});

const cyrillic = {
  keyCode: 0,
  ctrl: false,
  meta: false,
  alt: false,
  altGraph: false,
  composing: false,
  repeat: false,
  inText: false,
} as const;
