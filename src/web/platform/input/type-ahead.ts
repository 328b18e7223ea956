// Presses keys that were held while what they are meant for was being loaded: the app hears of them as of any
// key, and what it leaves to the browser is done here as the browser would. `drawn` says when it is time for
// that.
import type { KeyInput } from '#client/keys/stroke.ts';
import { typesText } from '#client/keys/stroke.ts';
import type { TextField } from '#client/text/text-field.ts';
import type { FocusView } from '#client/app/view.ts';
import { isFocused } from '../../views/focus.ts';
import { pause } from '../world.ts';
import { isField, isLine, takesText } from './fields.ts';

/** What opens has the focus by then on any device; if not, the keys go where the focus is. */
const LIMIT_MS = 1_000;
const LOOK_MS = 16;

const STOPS = 'input, textarea, select, button, a[href], summary, [contenteditable=true], [tabindex]';

const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });

/** Resolves once the DOM focus is where `focus` says, or after a second. */
export async function drawn(focus: FocusView): Promise<void> {
  // What was asked for is drawn before the next task.
  await nextTask();
  const until = performance.now() + LIMIT_MS;
  while (!isFocused(focus) && performance.now() < until) await pause(LOOK_MS);
}

/** Types into what has the focus, at the caret or over the selection. */
export function insertText(text: string): void {
  // As the browser types: the field hears of it, and its own undo takes it back.
  document.execCommand('insertText', false, text);
}

/** As the browser itself would change it: its own undo takes that back. */
export function textField(): TextField | null {
  const { activeElement } = document;
  if (!isField(activeElement)) return null;
  const { value, selectionStart, selectionEnd } = activeElement;
  return {
    text: value,
    from: selectionStart ?? value.length,
    to: selectionEnd ?? value.length,
    putCaret: (at) => activeElement.setSelectionRange(at, at),
    replace(from, to, text) {
      activeElement.setSelectionRange(from, to);
      if (text !== '') insertText(text);
      else if (from < to) document.execCommand('delete');
    },
    undo: () => void document.execCommand('undo'),
    redo: () => void document.execCommand('redo'),
  };
}

function focusNext(from: Element, step: 1 | -1): void {
  const around = from.closest('dialog') ?? document.body;
  const stops = [...around.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) =>
      stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility({ visibilityProperty: true }),
  );
  // Of radio buttons Tab reaches the chosen one.
  const reached = stops.filter(
    (stop) => !(stop instanceof HTMLInputElement && stop.type === 'radio') || stop.checked || stop === from,
  );
  const at = reached.findIndex((stop) => stop === from);
  const next = reached.at(at === -1 && step === 1 ? 0 : (at + step) % reached.length);
  next?.focus();
  if (next instanceof HTMLInputElement && isField(next)) next.select();
}

function chooseRadio(radio: HTMLInputElement, step: 1 | -1): void {
  const group = [...(radio.form ?? document).querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
    ({ name, disabled }) => name === radio.name && !disabled,
  );
  const next = group.at((group.indexOf(radio) + step) % group.length);
  next?.focus();
  next?.click();
}

function chooseOption(select: HTMLSelectElement, step: 1 | -1): void {
  const next = select.selectedIndex + step;
  if (next < 0 || next >= select.length) return;
  select.selectedIndex = next;
  select.dispatchEvent(new Event('input', { bubbles: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

function stepValue(input: HTMLInputElement, step: 1 | -1): void {
  if (step === 1) input.stepUp();
  else input.stepDown();
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

const ARROWS: Readonly<Record<string, readonly [direction: 'forward' | 'backward', by: string]>> = {
  ArrowLeft: ['backward', 'character'],
  ArrowRight: ['forward', 'character'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
};

/** An arrow key where it moves a caret. */
function moveCaret({ key, shift, ctrl, alt }: KeyInput): void {
  const [direction, by] = ARROWS[key] ?? [];
  if (direction === undefined) return;
  const unit = by === 'character' && (ctrl || alt) ? 'word' : by;
  document.getSelection()?.modify(shift ? 'extend' : 'move', direction, unit);
}

function arrow(active: Element, input: KeyInput): void {
  const step = input.key === 'ArrowDown' || input.key === 'ArrowRight' ? 1 : -1;
  const isVertical = input.key === 'ArrowDown' || input.key === 'ArrowUp';
  if (active instanceof HTMLSelectElement) chooseOption(active, step);
  else if (active instanceof HTMLInputElement && active.type === 'radio') chooseRadio(active, step);
  else if (active instanceof HTMLInputElement && active.type === 'range')
    stepValue(active, isVertical ? (step === 1 ? -1 : 1) : step);
  else if (takesText(active)) moveCaret(input);
}

function enter(active: Element): void {
  if (takesText(active) && !(active instanceof HTMLInputElement || isLine(active))) insertText('\n');
  else if (active instanceof HTMLInputElement && active.type !== 'button') active.form?.requestSubmit();
  else if (active instanceof HTMLElement && active.matches('button, a[href], summary')) active.click();
}

/** What the browser does with a key that nobody took. */
function doDefault(active: Element, input: KeyInput, apple: boolean): void {
  const { key, shift } = input;
  const isText = takesText(active);
  if (typesText(input, apple) || (input.altGraph && key.length === 1)) {
    if (isText) insertText(key);
    else if (key === ' ' && active instanceof HTMLElement) active.click();
  } else if (key === 'Tab') focusNext(active, shift ? -1 : 1);
  else if (key === 'Enter') enter(active);
  else if (key in ARROWS) arrow(active, input);
  else if (isText && key === 'Backspace') document.execCommand('delete');
  else if (isText && key === 'Delete') document.execCommand('forwardDelete');
  else if (isText && key.toLowerCase() === 'a') document.execCommand('selectAll');
  else if (isText && key.toLowerCase() === 'z') document.execCommand(shift ? 'redo' : 'undo');
}

/** Sends a keydown to the focused element. If nothing takes it, does what the browser would do. */
export function press(input: KeyInput, apple: boolean): void {
  const { key, code, keyCode, ctrl, meta, alt, shift, altGraph, repeat } = input;
  const event = new KeyboardEvent('keydown', {
    key,
    code,
    keyCode,
    ctrlKey: ctrl,
    metaKey: meta,
    altKey: alt,
    shiftKey: shift,
    modifierAltGraph: altGraph,
    repeat,
    bubbles: true,
    cancelable: true,
  });
  const target = document.activeElement ?? document.body;
  // Listeners may have moved the focus: what is typed goes where it is then.
  if (target.dispatchEvent(event)) doDefault(document.activeElement ?? document.body, input, apple);
}
