// Which elements take text, and which of them hold one line of it: whoever asks about a field asks here.

/** What holds plain text, a caret and a selection. */
export type Field = HTMLInputElement | HTMLTextAreaElement;

/** Buttons are elements of their own. */
const NOT_TEXT = new Set(['checkbox', 'radio', 'file', 'range', 'color']);

/** A field of text; not what is edited in the page itself. */
export function isField(target: EventTarget | null): target is Field {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !NOT_TEXT.has(target.type);
}

/** Whatever text is typed in, fields and what is edited in the page itself. */
export function takesText(target: EventTarget | null): target is HTMLElement {
  return isField(target) || (target instanceof HTMLElement && target.isContentEditable);
}

/** A field of one line, however many it takes on the screen: on a phone the title of a row wraps while it is written. */
export const isLine = (target: EventTarget | null): target is Field =>
  isField(target) && (target.type === 'text' || target.dataset['ph'] === 'title-input');
