// Types what was pressed before its field was on the page, as soon as a field has the focus. What the app itself holds
// (titles, the palette, the search line) it types itself.

/** Long enough for a dialog to be drawn on a slow device. */
const LIMIT_MS = 2_000;
const FIELDS = 'input, textarea, [contenteditable=true]';
const STOPS = 'input, textarea, select, button';

let waiting: string[] = [];
let isWaiting = false;

function fieldNow(): HTMLElement | null {
  const active = document.activeElement;
  return active instanceof HTMLElement && active.matches(FIELDS) ? active : null;
}

function focusNext(field: HTMLElement): void {
  const all = [...(field.closest('dialog')?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
  const stops = all.filter((stop) => !stop.matches(':disabled') && stop.tabIndex >= 0);
  stops[stops.indexOf(field) + 1]?.focus();
}

function press(field: HTMLElement, key: string): void {
  const event = new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true });
  if (!field.dispatchEvent(event)) return;
  if (key === 'Tab') focusNext(field);
  else if (key === 'Enter' && field instanceof HTMLInputElement) field.form?.requestSubmit();
  else if (key === 'Enter') document.execCommand('insertText', false, '\n');
  else if (key === 'Backspace') document.execCommand('delete');
}

function flush(): void {
  const keys = waiting;
  waiting = [];
  for (const key of keys) {
    const field = fieldNow();
    if (!field) return;
    if (key.length === 1 || key.codePointAt(0) !== key.charCodeAt(0))
      // As the browser types: the field hears of it, and its own undo takes it back.
      document.execCommand('insertText', false, key);
    else press(field, key);
  }
}

export function typeAhead(key: string): void {
  waiting.push(key);
  if (isWaiting) return;
  isWaiting = true;
  const listening = new AbortController();
  const end = () => {
    isWaiting = false;
    clearTimeout(limit);
    listening.abort();
    flush();
  };
  const limit = setTimeout(end, LIMIT_MS);
  // After what put the focus there has finished, and before the next key.
  const look = () => fieldNow() && isWaiting && end();
  document.addEventListener('focusin', () => queueMicrotask(look), { signal: listening.signal });
  setTimeout(look);
}
