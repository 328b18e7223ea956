// Key presses as browsers on many keyboards report them, and the strokes they are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keycapOf, type KeyInput, NO_KEY, parseKeys, strokeOf, typesText } from './stroke.ts';

const input = (press: Partial<KeyInput>): KeyInput => ({ ...NO_KEY, ...press });

describe('strokes', () => {
  test('[KEY-30] input methods, dead keys, AltGr characters and bare modifiers are no strokes', () => {
    const none: readonly Partial<KeyInput>[] = [
      { key: 'a', code: 'KeyA', composing: true },
      { key: 'Enter', code: 'Enter', composing: true },
      { key: 'a', code: 'KeyA', keyCode: 229 },
      { key: 'Process', code: 'KeyA' },
      { key: 'Dead', code: 'BracketLeft' },
      { key: 'Unidentified' },
      { key: '@', code: 'KeyQ', altGraph: true, ctrl: true, alt: true },
      { key: '€', code: 'KeyE', altGraph: true },
      { key: 'Shift', code: 'ShiftLeft', shift: true },
      { key: 'Control', code: 'KeyW', ctrl: true },
    ];
    for (const press of none) assert.equal(strokeOf(input(press), false), null, JSON.stringify(press));
  });

  const presses: readonly (readonly [string, Partial<KeyInput>, string])[] = [
    ['a letter', { key: 'x', code: 'KeyX' }, 'x'],
    ['with Caps Lock', { key: 'X', code: 'KeyX' }, 'x'],
    ['with Shift', { key: 'Z', code: 'KeyZ', shift: true }, 'Shift+z'],
    ['moved by a layout (AZERTY)', { key: 'a', code: 'KeyQ' }, 'a'],
    ['Cyrillic', { key: 'л', code: 'KeyK', ctrl: true }, 'Ctrl+k'],
    ['Korean', { key: 'ㅏ', code: 'KeyK' }, 'k'],
    ['Greek', { key: 'ι', code: 'KeyI' }, 'i'],
    ['a Latin letter with an accent', { key: 'é', code: 'Digit2' }, 'é'],
    ['? on a US keyboard', { key: '?', code: 'Slash', shift: true }, '?'],
    ['? on a French keyboard', { key: '?', code: 'KeyM', shift: true }, '?'],
    ['/ on a German keyboard', { key: '/', code: 'Digit7', shift: true }, '/'],
    ['a digit that needs Shift', { key: '1', code: 'Digit1', shift: true }, '1'],
    ['Space', { key: ' ', code: 'Space', shift: true }, 'Shift+Space'],
    ['an arrow', { key: 'ArrowUp', code: 'ArrowUp', alt: true }, 'Alt+ArrowUp'],
    ['Tab with Shift in WebKitGTK', { key: 'Unidentified', code: 'Tab', shift: true }, 'Shift+Tab'],
    ['the numeric Enter', { key: 'Enter', code: 'NumpadEnter', ctrl: true }, 'Ctrl+Enter'],
    [
      'all modifiers',
      { key: 'Enter', code: 'Enter', ctrl: true, alt: true, shift: true, meta: true },
      'Ctrl+Alt+Shift+Meta+Enter',
    ],
  ];
  for (const [name, press, stroke] of presses) {
    test(`[KEY-31] ${name}`, () => assert.equal(strokeOf(input(press), false), stroke));
  }

  test('[KEY-31] Option composes signs on Apple keyboards only', () => {
    const press = input({ key: 'å', code: 'KeyA', alt: true });
    assert.equal(strokeOf(press, true), 'Alt+a');
    assert.equal(strokeOf(press, false), 'Alt+å');
    assert.equal(strokeOf(input({ key: '„', code: 'BracketLeft', alt: true }), true), null);
  });

  test('[KEY-32] characters type, shortcuts do not', () => {
    assert.equal(typesText(input({ key: 'x' }), false), true);
    assert.equal(typesText(input({ key: 'å', alt: true }), true), true);
    assert.equal(typesText(input({ key: 'x', alt: true }), false), false);
    assert.equal(typesText(input({ key: 'x', meta: true }), true), false);
    assert.equal(typesText(input({ key: 'Enter' }), false), false);
  });
});

describe('bindings as text', () => {
  test('Mod is ⌘ on Apple keyboards and Ctrl elsewhere', () => {
    assert.deepEqual(parseKeys('Mod+Shift+Z', true), ['Shift+Meta+z']);
    assert.deepEqual(parseKeys('Mod+Shift+Z', false), ['Ctrl+Shift+z']);
    assert.deepEqual(parseKeys('Ctrl+.', true), ['Ctrl+.']);
    assert.deepEqual(parseKeys('g i', true), ['g', 'i']);
    assert.deepEqual(parseKeys('Mod++', false), ['Ctrl++']);
    assert.deepEqual(parseKeys('Shift+Up', false), ['Shift+ArrowUp']);
  });

  test('keycaps are those of the keyboard', () => {
    assert.equal(keycapOf('Shift+Meta+z', true), '⇧⌘Z');
    assert.equal(keycapOf('Ctrl+Shift+z', false), 'Ctrl+Shift+Z');
    assert.equal(keycapOf('Alt+ArrowUp', true), '⌥↑');
    assert.equal(keycapOf('Ctrl+Enter', false), 'Ctrl+↵');
    assert.equal(keycapOf('Ctrl++', false), 'Ctrl++');
    for (const isApple of [true, false]) assert.equal(keycapOf('+', isApple), '+');
    assert.equal(keycapOf('g', true), 'g');
    assert.equal(keycapOf('Escape', true), 'Esc');
  });
});
