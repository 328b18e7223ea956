// What Tab reaches in a dialog, and the way around at its ends: the browser leads out of the page there, where no key of the
// app is heard.

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';

/** Of radio buttons of one name the chosen one, or all of them where none is: the browser takes the nearest. */
function isPassedOver(element: HTMLElement): boolean {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.checked) return false;
  const others = element.closest('dialog')?.querySelectorAll<HTMLInputElement>('input[type=radio]:checked');
  return [...(others ?? [])].some(({ name, form }) => name === element.name && form === element.form);
}

/** In the order of the document. */
export function tabStopsIn(dialog: HTMLElement): readonly HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      element.closest('[inert]') === null &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !isPassedOver(element),
  );
}

/** From the last stop to the first, or backwards. False: there is another one that the browser goes to. */
export function turnAround(dialog: HTMLElement, isBackwards: boolean): boolean {
  const { activeElement } = document;
  const stops = tabStopsIn(dialog);
  if (activeElement === null || stops.length === 0) return false;
  const side = isBackwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const isLeft = (stop: HTMLElement) =>
    (activeElement.compareDocumentPosition(stop) & side) !== 0 &&
    !(isBackwards && stop.contains(activeElement));
  // One of a group of radio buttons leads out of the group.
  const group = activeElement instanceof HTMLInputElement && activeElement.type === 'radio';
  const isSameGroup = (stop: HTMLElement) =>
    group && stop instanceof HTMLInputElement && stop.type === 'radio' && stop.name === activeElement.name;
  if (stops.some((stop) => isLeft(stop) && !isSameGroup(stop))) return false;
  const next = isBackwards ? stops.at(-1) : stops[0];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
  return true;
}
