// What the page of a public list says besides the list: what the link permits, how things stand, its keys, and what could not be saved.
import type { LinkMay } from '#wire/public-links.ts';
import { element } from './elements.ts';
import { listKeys } from './keys.ts';

const DEEDS = [
  ['add', 'add tasks'],
  ['complete', 'complete tasks'],
  ['titles', 'edit titles'],
  ['notes', 'edit notes'],
] as const satisfies readonly (readonly [keyof LinkMay, string])[];

/** What a visitor can do here. */
export function aboutText(may: LinkMay): readonly (Node | string)[] {
  const deeds = DEEDS.flatMap(([name, words]) => (may[name] ? [words] : []));
  const listed = new Intl.ListFormat('en-US').format(deeds);
  const can = deeds.length === 0 ? 'You can look at this list.' : `You can ${listed}.`;
  const keys = element('span', { class: 'for-keys' }, ' Press ', element('kbd', {}, '?'), ' for the keys.');
  return [can, keys];
}

/** What is to be known about the connection and about what was done; empty: everything is saved. */
export function statusText({
  waiting,
  isCutOff,
  isConnected,
}: {
  readonly waiting: number;
  readonly isCutOff: boolean;
  readonly isConnected: boolean;
}): string {
  const isAway = isCutOff || !isConnected;
  const count = waiting === 1 ? 'One change waits' : `${waiting} changes wait`;
  if (isAway && waiting > 0)
    return `No connection. ${count} in this page only: leave it open until they are saved.`;
  if (isAway) return 'No connection. This page may be out of date; it goes on by itself.';
  return waiting > 0 ? 'Saving…' : '';
}

/** What was written and could not be saved, with the reason. */
export function unsavedBox(text: string, message: string): HTMLElement {
  const close = element('button', { type: 'button' }, 'Dismiss');
  const written =
    text === ''
      ? []
      : [element('textarea', { readonly: true, rows: 2, 'aria-label': 'What was not saved' }, text)];
  const made = element(
    'div',
    { class: 'unsaved', role: 'alert' },
    element('p', {}, message),
    ...written,
    close,
  );
  close.addEventListener('click', () => made.remove());
  return made;
}

/** Shows the keys that work with these permissions. */
export function keysDialog(may: LinkMay): void {
  const rows = listKeys
    .filter(({ needs }) => needs === undefined || may[needs])
    .map(({ key, says }) =>
      element('tr', {}, element('td', {}, element('kbd', {}, key)), element('td', {}, says)),
    );
  const close = element('button', { type: 'button' }, 'Close');
  const dialog = element(
    'dialog',
    { class: 'keys', 'aria-labelledby': 'keys-title' },
    element('h2', { id: 'keys-title' }, 'Keys'),
    element('table', {}, element('tbody', {}, ...rows)),
    element('p', {}, 'While you write, ', element('kbd', {}, 'Esc'), ' leaves the field and keeps the text.'),
    close,
  );
  const before = document.activeElement;
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
