// Keys by their names, as tests write them.
import { type KeyInput, NO_KEY } from '#client/keys/stroke.ts';

const KEYCODES: Readonly<Record<string, string>> = {
  Up: 'ArrowUp',
  Down: 'ArrowDown',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
};

/** A key press as a browser on a US keyboard reports it. `Mod` is ⌘ or Ctrl as the desk is. */
export function keyInput(
  name: string,
  options: { apple: boolean; inText: boolean; repeat?: boolean },
): KeyInput {
  const parts = name.endsWith('+') ? [...name.slice(0, -1).split('+').filter(Boolean), '+'] : name.split('+');
  const last = parts.at(-1) ?? '';
  const has = (modifier: string) => parts.slice(0, -1).includes(modifier);
  const key = last === 'Space' ? ' ' : (KEYCODES[last] ?? last);
  const isLetter = /^[a-z]$/i.test(key);
  return {
    ...NO_KEY,
    key: isLetter ? (has('Shift') ? key.toUpperCase() : key.toLowerCase()) : key,
    code: isLetter ? `Key${key.toUpperCase()}` : key,
    ctrl: has('Ctrl') || (has('Mod') && !options.apple),
    meta: has('Meta') || (has('Mod') && options.apple),
    alt: has('Alt'),
    shift: has('Shift'),
    repeat: options.repeat ?? false,
    inText: options.inText,
  };
}
