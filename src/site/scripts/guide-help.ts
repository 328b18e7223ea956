// The keys of a page of the guides, in a small dialog that `?` and a button open. There they can be switched
// off too: single-character keys get in the way of people who use speech input.
import { areKeysOn, isFree, setKeysOn } from './guide-keys.ts';

/** What there is to press, and what the page needs for it. */
const KEYS: readonly (readonly [key: string, text: string, needs: string])[] = [
  ['/', 'Search the guides', '[data-guide-search]'],
  ['[', 'The previous guide', '[data-neighbours] a[rel=prev]'],
  [']', 'The next guide', '[data-neighbours] a[rel=next]'],
  ['?', 'These keys', 'body'],
];

function add(parent: HTMLElement, tag: string, text = '', className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}

/** Takes the keys on or off, and says in words what that means. */
function addSwitch(dialog: HTMLElement): void {
  const label = add(dialog, 'label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = areKeysOn();
  label.append(box, ' Use these keys');
  const note = add(dialog, 'p', '', 'small');
  note.role = 'status';
  box.addEventListener('change', () => {
    setKeysOn(box.checked);
    note.textContent = box.checked
      ? 'The keys are on.'
      : 'The keys are off in all guides. To turn them back on, click “Keys.”';
  });
}

function createDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog keys-dialog';
  const head = add(dialog, 'div', '', 'dialog-head');
  const title = add(head, 'h2', 'Keys on this page');
  title.id = 'keys-title';
  dialog.setAttribute('aria-labelledby', title.id);
  const close = add(head, 'button', 'Close', 'button button-small');
  close.setAttribute('type', 'button');
  // Out of the page at once: with the focus in it, the next key would not be the page's.
  const shut = () => {
    dialog.close();
    dialog.remove();
  };
  close.addEventListener('click', shut);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    shut();
  });
  const list = add(dialog, 'ul');
  for (const [key, text, needs] of KEYS) {
    if (!document.querySelector(needs)) continue;
    const row = add(list, 'li');
    add(row, 'kbd', key);
    row.append(` ${text}`);
  }
  addSwitch(dialog);
  // Made anew each time: another page in another tab may have switched the keys meanwhile.
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}

export function startGuideHelp(): void {
  const button = document.querySelector<HTMLElement>('[data-guide-keys]');
  if (!button) return;
  const open = () => {
    if (document.querySelector('dialog[open]')) return;
    const dialog = createDialog();
    document.body.append(dialog);
    dialog.showModal();
  };
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '?' || !isFree(event)) return;
    event.preventDefault();
    open();
  });
}
