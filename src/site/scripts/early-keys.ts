// Keys and presses that come before the script that answers them: kept, and made again when it is there. Only where the page
// says so (`data-early`): everywhere else the browser's own answer is the right one.

/** What the browser would do with these (scroll, search) is not meant. Tab stays the browser's: focus is never held. */
const HELD = /^(?:.|Arrow(?:Up|Down)|Enter|Escape)$/u;

const isEarly = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('[data-early]') !== null;

/** Into a field the browser writes by itself; a key made by a script writes nothing. */
function write(key: string): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || key.length !== 1) return;
  field.setRangeText(key, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
}

export interface EarlyKeys {
  /** Makes them again, in their order. */
  readonly replay: () => void;
  /** Forgets them: nobody is going to answer. */
  readonly drop: () => void;
}

export function keepEarlyKeys(): EarlyKeys {
  const kept: (KeyboardEvent | PointerEvent)[] = [];
  const keepKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement && event.key !== 'Enter';
    if (!isEarly(event) || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!HELD.test(event.key)) return;
    event.preventDefault();
    kept.push(event);
  };
  const keepPress = (event: PointerEvent) => {
    if (isEarly(event)) kept.push(event);
  };
  document.addEventListener('keydown', keepKey);
  document.addEventListener('pointerdown', keepPress);
  const drop = () => {
    document.removeEventListener('keydown', keepKey);
    document.removeEventListener('pointerdown', keepPress);
  };
  const replay = () => {
    drop();
    for (const event of kept) {
      if (!(event instanceof KeyboardEvent)) event.target?.dispatchEvent(new PointerEvent(event.type, event));
      // An earlier key may have moved the focus, into a field for example.
      else if (document.activeElement?.dispatchEvent(new KeyboardEvent(event.type, event))) write(event.key);
    }
  };
  return { replay, drop };
}
