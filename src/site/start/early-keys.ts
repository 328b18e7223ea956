// Keys and presses that come before the script that answers them: kept, and made again when it is there. Only those that are meant for
// it: for all others the browser's own answer is the right one.

/** What is kept on a page, and how it is made again. */
export interface EarlyWays {
  /** Whether the script will answer this key. `isFirst`: nothing has been kept before it. Tab stays the browser's: focus is never held. */
  readonly isMeant: (event: KeyboardEvent, isFirst: boolean) => boolean;
  readonly press: 'pointerdown' | 'click';
  /** Where a press on this element is made again, asked for when it is: it may have been drawn anew. Null: it is not kept. */
  readonly placeOf: (target: Element) => (() => Element | null) | null;
}

export interface EarlyKeys {
  /** Makes them again, in their order. */
  readonly replay: () => void;
  /** Forgets them: nobody is going to answer. */
  readonly drop: () => void;
}

/** Told on the document where a script says by itself that it answers keys from now on. */
export const ANSWERING = 'posthaste-answering';

type TextField = HTMLInputElement | HTMLTextAreaElement;

function write(field: TextField, key: string): void {
  const { selectionStart, selectionEnd } = field;
  const [start, end] = [selectionStart ?? 0, selectionEnd ?? 0];
  if (/^.$/u.test(key)) field.setRangeText(key, start, end, 'end');
  else if (key === 'Enter' && field instanceof HTMLTextAreaElement)
    field.setRangeText('\n', start, end, 'end');
  else if (key === 'Backspace')
    field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end');
}

/** The focus leaves it with the next picture only, and the next key may be made before. */
function leaveDialog(at: HTMLElement): void {
  const dialog = at.closest('dialog');
  dialog?.close();
  if (dialog?.contains(document.activeElement)) at.blur();
}

/** What the browser does by itself with a key that a person presses, and not with one that a script makes. */
function actBy(key: string): void {
  const at = document.activeElement;
  if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) write(at, key);
  else if (key === 'Escape' && at instanceof HTMLElement) leaveDialog(at);
  else if (at instanceof HTMLButtonElement && /^(?:Enter| )$/.test(key)) at.click();
}

/** Keeps them from now on. */
export function keepEarlyKeys({ isMeant, press, placeOf }: EarlyWays): EarlyKeys {
  const kept: (() => void)[] = [];
  const keepKey = (event: KeyboardEvent) => {
    if (!isMeant(event, kept.length === 0)) return;
    event.preventDefault();
    kept.push(() => {
      // An earlier key may have moved the focus, into a field for example.
      if (document.activeElement?.dispatchEvent(new KeyboardEvent(event.type, event))) actBy(event.key);
    });
  };
  const keepPress = (event: MouseEvent) => {
    const place = event.target instanceof Element ? placeOf(event.target) : null;
    if (place !== null) kept.push(() => place()?.dispatchEvent(new PointerEvent(event.type, event)));
  };
  document.addEventListener('keydown', keepKey);
  document.addEventListener(press, keepPress);
  const stop = () => {
    document.removeEventListener('keydown', keepKey);
    document.removeEventListener(press, keepPress);
    return kept.splice(0);
  };
  return {
    replay() {
      for (const again of stop()) again();
    },
    drop: stop,
  };
}
