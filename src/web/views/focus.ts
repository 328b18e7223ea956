// Projects the app's idea of focus onto the document: the app names the target, this puts DOM focus there. It never
// decides, and tells the app when the browser moved focus by itself.
import type { FocusView, View } from '#client/app/view.ts';
import { isLine } from '../platform/input/fields.ts';

/** Set while we move focus ourselves, so that our own focus events are not taken for the person's. */
const projecting = new WeakSet<View>();

/** Where the browser is taking the focus: until it arrives, nothing has it, and nobody may put it elsewhere. */
let heading: EventTarget | null = null;

/** The focus leaves for `to`, or has arrived. */
export function noteFocusMove(to: EventTarget | null): void {
  heading = to;
}

/** A field that only narrows what is shown: where it would bring a keyboard onto the screen, the heading comes first. */
function bringsKeyboard(element: HTMLElement | null): boolean {
  return (
    element?.matches('[type=search], [data-narrows]') === true &&
    matchMedia('(pointer: coarse)').matches &&
    !document.documentElement.hasAttribute('data-ph-keys')
  );
}

/** What a dialog begins with: its marked control, unless that is a button below all there is to read; then its text. */
export function firstIn(dialog: HTMLElement): HTMLElement {
  const marked = dialog.querySelector<HTMLElement>('[data-first]');
  const heading = bringsKeyboard(marked) ? dialog.querySelector('h2') : null;
  if (heading) {
    heading.tabIndex = -1;
    return heading;
  }
  const first = marked ?? dialog.querySelector<HTMLElement>('input, textarea, button') ?? dialog;
  const paper = dialog.querySelector<HTMLElement>('[data-paper]');
  const isBelow = paper !== null && first.offsetTop + first.offsetHeight > paper.clientHeight;
  return isBelow && first instanceof HTMLButtonElement ? paper : first;
}

function elementFor(focus: FocusView): HTMLElement | null {
  switch (focus.pane) {
    case 'outline': {
      const row = focus.id ? document.getElementById(`row-${focus.line ?? focus.id}`) : null;
      if (row && focus.edit) return row.querySelector<HTMLElement>('input, textarea') ?? row;
      // Without rows the empty screen stands in; a row outside the window leaves the grid itself.
      return row ?? document.getElementById('outline-empty') ?? document.getElementById('outline');
    }
    case 'sidebar': {
      const row = focus.id ? document.getElementById(`side-${focus.id}`) : null;
      if (row && focus.edit) return row.querySelector<HTMLElement>('input, textarea') ?? row;
      return row ?? document.getElementById('sidebar');
    }
    case 'search':
      return document.getElementById('search-input');
    case 'palette': {
      const field = document.getElementById(focus.day === undefined ? 'palette-input' : `day-${focus.day}`);
      // Until it is touched.
      return bringsKeyboard(field) && field !== document.activeElement
        ? document.getElementById('palette-title')
        : field;
    }
    case 'dialog': {
      const dialog = document.querySelector<HTMLElement>('dialog[open]');
      if (!dialog || (heading instanceof Node && dialog.contains(heading))) return null;
      const first = firstIn(dialog);
      const active = document.activeElement;
      // The browser itself may have put it on what scrolls around the contents.
      const isInside = active !== null && dialog.contains(active) && !active.contains(first);
      return isInside || active === first ? null : first;
    }
    // What has the keys of the notes, and of the calendar.
    default:
      return document.getElementById(`${focus.pane}-text`);
  }
}

/** Whether the focus is where it belongs; of a dialog, somewhere in it. */
export function isFocused(focus: FocusView): boolean {
  const { activeElement } = document;
  if (focus.pane === 'dialog') return activeElement?.closest('dialog[open]') != null;
  return elementFor(focus) === activeElement;
}

/** Puts DOM focus where the app says. Cheap when it is there already. */
export function projectFocus(view: View): void {
  const target = elementFor(view.focus.get());
  if (!target || target === document.activeElement) return;
  projecting.add(view);
  target.focus({ preventScroll: true });
  projecting.delete(view);
}

/** What the caret has been put for: it has moved since, and is not put there again. */
const done = new WeakSet<object>();

/** Sets the caret the app asked for; once per request, never while typing goes on. */
export function projectCaret(view: View): void {
  const focus = view.focus.get();
  const element = document.activeElement;
  if (!isLine(element)) return;
  if (focus.pane === 'sidebar' && focus.edit && !done.has(focus)) {
    done.add(focus);
    element.select();
  }
  if (focus.pane !== 'outline' || !focus.edit || done.has(focus.edit)) return;
  done.add(focus.edit);
  const { caret, text } = focus.edit;
  if (text !== undefined && element.value !== text) element.value = text;
  const { length } = element.value;
  const at = typeof caret === 'number' ? Math.min(caret, length) : length;
  if (caret === 'all') element.select();
  else if (element.selectionStart !== at || element.selectionEnd !== at) element.setSelectionRange(at, at);
}

/** Whether the app itself is moving the DOM focus now, so that focus events are not the person's doing. */
export function isProjecting(view: View): boolean {
  return projecting.has(view);
}
