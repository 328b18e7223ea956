// Keys for the whole system, as GTK writes them.

const MODIFIERS: Readonly<Record<string, string>> = {
  Ctrl: '<Control>',
  Alt: '<Alt>',
  Shift: '<Shift>',
  Super: '<Super>',
};

/** `Ctrl+Alt+Space` as GTK writes it; null: it is no key for the whole system. */
export function acceleratorOf(key: string): string | null {
  const parts = key.split('+');
  const last = parts.pop() ?? '';
  if (parts.length === 0 || !/^(?:[A-Za-z0-9]|F\d{1,2}|Space|Enter|Tab)$/.test(last)) return null;
  const modifiers = parts.map((part) => MODIFIERS[part]);
  if (modifiers.includes(undefined)) return null;
  const names: Readonly<Record<string, string>> = { Space: 'space', Enter: 'Return' };
  return modifiers.join('') + (names[last] ?? (last.length === 1 ? last.toLowerCase() : last));
}
