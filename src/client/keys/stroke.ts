// One press of a key with its modifiers, as the platform reports it and as bindings spell it. Its command is found by
// keymap.ts.
import type { KeyContext } from '../commands/command.ts';

/** A browser's keydown event as plain data. */
export interface KeyInput {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly altGraph: boolean;
  readonly composing: boolean;
  readonly repeat: boolean;
  /** The event's target is a text field. */
  readonly inText: boolean;
  /** The caret in a line of text; null: a range is selected. */
  readonly caret?: number | null;
  /** In a dialog, the contexts that the focused control names; the first has priority. */
  readonly within?: readonly KeyContext[];
}

/** No key; the base for synthesized presses. */
export const NO_KEY: KeyInput = {
  key: '',
  code: '',
  keyCode: 0,
  ctrl: false,
  meta: false,
  alt: false,
  shift: false,
  altGraph: false,
  composing: false,
  repeat: false,
  inText: false,
};

/** Canonical: `Ctrl+Alt+Shift+Meta+key`, modifiers in this order, letters in lower case. */
export type Stroke = string;

const MODIFIER_KEYS = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Fn',
  'OS',
  'NumLock',
]);
const UNREADABLE = new Set(['Process', 'Dead', 'Unidentified', '']);
/** Keycode of a key that an input method is still processing. */
const COMPOSING_KEY_CODE = 229;

const LONG_NAMES: Readonly<Record<string, string>> = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  ' ': 'Space',
};

/** The intended key where an engine does not name it: WebKitGTK leaves the Tab of Shift+Tab unidentified. */
export function meantKey({ key, code }: Pick<KeyInput, 'key' | 'code'>): string {
  return key === 'Unidentified' && code === 'Tab' ? 'Tab' : key;
}

function isPrintable(key: string): boolean {
  return [...key].length === 1;
}

function letterOfCode(code: string): string | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1] ?? null;
}

/** The key part: the Latin letter or ASCII sign produced, else the letter printed on that key. */
function keyName(input: KeyInput, apple: boolean): string | null {
  const key = meantKey(input);
  if (!isPrintable(key)) return key;
  if (key === ' ') return 'Space';
  // Option composes signs on Apple keyboards; the letter under the sign is meant.
  const composed = apple && input.alt && !/^[!-~]$/.test(key);
  if (!composed && (/^[!-~]$/.test(key) || /^\p{Script=Latin}$/u.test(key))) return key.toLowerCase();
  return letterOfCode(input.code);
}

function spell(
  name: string,
  modifiers: { ctrl: boolean; alt: boolean; shift: boolean; meta: boolean },
): Stroke {
  // A sign or digit stands for itself, however many Shifts a layout needs for it.
  const keepsShift = !isPrintable(name) || /^\p{L}$/u.test(name);
  const parts: string[] = [];
  if (modifiers.ctrl) parts.push('Ctrl');
  if (modifiers.alt) parts.push('Alt');
  if (modifiers.shift && keepsShift) parts.push('Shift');
  if (modifiers.meta) parts.push('Meta');
  return [...parts, name].join('+');
}

/**
 * The stroke of a key press. Null for presses that are no stroke: input methods at work, dead keys, characters made
 * with AltGr, and modifiers alone.
 */
export function strokeOf(input: KeyInput, apple: boolean): Stroke | null {
  if (input.composing || input.keyCode === COMPOSING_KEY_CODE) return null;
  if (UNREADABLE.has(meantKey(input)) || MODIFIER_KEYS.has(input.key)) return null;
  if (input.altGraph && isPrintable(input.key)) return null;
  const name = keyName(input, apple);
  return name === null ? null : spell(name, input);
}

/**
 * Whether the press would insert a character into a text field: with Alt only on Apple keyboards, where it makes signs.
 */
export function typesText(input: KeyInput, apple: boolean): boolean {
  return isPrintable(input.key) && !input.ctrl && !input.meta && (apple || !input.alt);
}

/** Cache for Apple keyboards and others: the same few hundred keys are read again and again. */
const known = { apple: new Map<string, readonly Stroke[]>(), other: new Map<string, readonly Stroke[]>() };

/** Reads a binding such as `Mod+Shift+Z` or `g i`. Mod is ⌘ on Apple keyboards, Ctrl elsewhere. */
export function parseKeys(text: string, apple: boolean): readonly Stroke[] {
  const read = apple ? known.apple : known.other;
  const old = read.get(text);
  if (old !== undefined) return old;
  const strokes = text.split(' ').map((part) => parseStroke(part, apple));
  read.set(text, strokes);
  return strokes;
}

function parseStroke(text: string, apple: boolean): Stroke {
  const parts = text.endsWith('+') ? [...text.slice(0, -1).split('+').filter(Boolean), '+'] : text.split('+');
  const last = parts.at(-1) ?? '';
  const names = new Set(parts.slice(0, -1).map((name) => name.toLowerCase()));
  const long = LONG_NAMES[last.toLowerCase()] ?? last;
  return spell(isPrintable(long) ? long.toLowerCase() : long, {
    ctrl: names.has('ctrl') || (names.has('mod') && !apple),
    alt: names.has('alt'),
    shift: names.has('shift'),
    meta: names.has('meta') || (names.has('mod') && apple),
  });
}

const APPLE_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘' };
const KEY_SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  Backspace: '⌫',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** The keycap of a stroke: `⇧⌘Z`, elsewhere `Ctrl+Shift+Z`. */
export function keycapOf(stroke: Stroke, apple: boolean): string {
  const at = stroke.slice(0, -1).lastIndexOf('+');
  const modifiers = at < 0 ? [] : stroke.slice(0, at).split('+');
  const name = at < 0 ? stroke : stroke.slice(at + 1);
  const isChord = modifiers.length > 0;
  const key = KEY_SIGNS[name] ?? (name.length === 1 && isChord ? name.toUpperCase() : name);
  if (apple) return `${modifiers.map((modifier) => APPLE_SIGNS[modifier] ?? modifier).join('')}${key}`;
  return [...modifiers.map((modifier) => (modifier === 'Meta' ? 'Win' : modifier)), key].join('+');
}
