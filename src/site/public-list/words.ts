// What the page of a public list says besides the list: how things stand, what was done, its keys, and what could not be saved.
import type { LinkMay, VisitorChange } from '#wire/public-links.ts';
import { element } from './elements.ts';
import { listKeys } from './keys.ts';

/** How things stand between the page and its server. */
export interface Standing {
  /** Changes that are not saved yet. */
  readonly waiting: number;
  /** The last change did not reach the server. */
  readonly isCutOff: boolean;
  readonly isConnected: boolean;
  /** What the server says about why it does not answer now; null: nothing. */
  readonly reason: string | null;
}

/** What is to be known about the connection and about what was done; empty: everything is saved. */
export function statusText({ waiting, isCutOff, isConnected, reason }: Standing): string {
  const isAway = isCutOff || !isConnected;
  const count = waiting === 1 ? 'One change waits' : `${waiting} changes wait`;
  const kept = `${count} in this page only: leave it open until they are saved.`;
  if (reason !== null)
    return waiting > 0 ? `${reason} ${kept}` : `${reason} This page tries again by itself.`;
  if (isAway && waiting > 0) return `No connection. ${kept}`;
  if (isAway) return 'No connection. This page may be out of date. It reconnects by itself.';
  return waiting > 0 ? 'Saving…' : '';
}

/** What was done, for who cannot see it. */
export function doneText({ do: what }: VisitorChange, title: string): string {
  const name = title === '' ? 'Untitled' : `“${title}”`;
  if (what === 'complete') return `Completed ${name}`;
  if (what === 'reopen') return `Reopened ${name}`;
  if (what === 'add') return `Added ${name}`;
  return what === 'title' ? `Changed to ${name}` : `Changed the notes of ${name}`;
}

/** What was written and could not be saved, with the reason. `dismissed`: it had the focus when it went. */
export function unsavedBox(text: string, message: string, dismissed: () => void): HTMLElement {
  const close = element('button', { type: 'button' }, 'Dismiss');
  const written =
    text === ''
      ? []
      : [
          element(
            'textarea',
            { readonly: true, rows: 2, dir: 'auto', 'aria-label': 'What was not saved' },
            text,
          ),
        ];
  const made = element(
    'div',
    { class: 'unsaved', role: 'alert' },
    element('p', {}, message),
    ...written,
    close,
  );
  close.addEventListener('click', () => {
    made.remove();
    dismissed();
  });
  return made;
}

/** Shows the keys that work with these permissions, unless they are shown already. */
export function keysDialog(may: LinkMay): void {
  if (document.querySelector('dialog') !== null) return;
  const rows = listKeys
    .filter(({ needs }) => needs === undefined || may[needs])
    .map(({ key, says }) =>
      element('tr', {}, element('td', {}, element('kbd', {}, key)), element('td', {}, says)),
    );
  const close = element('button', { type: 'button' }, 'Close');
  const isWriting = may.titles || may.notes || may.add;
  const writing = element(
    'p',
    {},
    'While you write, ',
    element('kbd', {}, 'Esc'),
    ' leaves the field and keeps the text.',
  );
  const dialog = element(
    'dialog',
    { class: 'keys', 'aria-labelledby': 'keys-title' },
    element('h2', { id: 'keys-title' }, 'Keys'),
    element('table', {}, element('tbody', {}, ...rows)),
    ...(isWriting ? [writing] : []),
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
