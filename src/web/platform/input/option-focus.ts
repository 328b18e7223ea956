// The options of a list in a dialog that get the focus one by one: marked `data-option`, in a part of the dialog marked
// `data-options`. Which keys go from one to the next is the keymap's (options.ts). Loaded with the views of dialogs.
import type { Platform } from '#client/app/app.ts';
import { aimedAt, type ListMove } from '#client/dialogs/list-cursor.ts';

interface AtHand {
  readonly all: readonly HTMLElement[];
  /** The index of the option that has the focus; -1: none. */
  readonly at: number;
  /** The index of the first one behind what has the focus. */
  readonly next: number;
}

function optionAtHand(): AtHand {
  const active = document.activeElement;
  const around = active?.closest('[data-options]') ?? active?.closest('dialog');
  const all = [...(around?.querySelectorAll<HTMLElement>('[data-option]:not(:disabled)') ?? [])];
  const isBehind = (option: HTMLElement) =>
    active !== null && (active.compareDocumentPosition(option) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const next = all.findIndex(isBehind);
  const at = all.findIndex((option) => option.contains(active));
  return { all, at, next: next === -1 ? all.length : next };
}

function enter(option: HTMLElement): void {
  const control = option.matches('button, input, textarea, select, a[href]')
    ? option
    : option.querySelector<HTMLElement>('button, input, textarea, select, a[href]');
  control?.focus();
  if (control instanceof HTMLInputElement && control.type === 'text') control.select();
}

/** Moves the focus to another option; from between them to the next or previous one. False: there is none. */
function move(to: ListMove): boolean {
  const { all, at, next } = optionAtHand();
  const isStep = to === 'down' || to === 'up';
  const aim = at === -1 && to === 'down' ? next : aimedAt(at === -1 ? next : at, all.length, to);
  const option = all[isStep ? aim : Math.max(0, Math.min(all.length - 1, aim))];
  if (option === undefined) return false;
  enter(option);
  return true;
}

/** Presses a switch; a field that narrows the list leads into it. False: it is neither, and the key is the field's own. */
function choose(): boolean {
  const active = document.activeElement;
  if (!(active instanceof HTMLInputElement)) return false;
  if (active.matches('[type=search], [role=combobox]')) return move('down');
  if (active.type !== 'checkbox') return false;
  active.click();
  return true;
}

/** The `options` of the Platform port. They act on the list around the focus, in the open dialog. */
export const options: Platform['options'] = {
  move,
  choose,
  /** What the option that has the focus is called. */
  current(): string | null {
    const { all, at } = optionAtHand();
    return all[at]?.dataset['option'] ?? null;
  },
};
