// Every key of the default keymap, pressed in a page that only listens: whether the engine lets it through, and whether it
// names it as the keymap does.
import { defaultBindings } from '#client/keys/default-keymap.ts';
import { type KeyInput, parseKeys, strokeOf } from '#client/keys/stroke.ts';
import { expectEventually } from '../harness.ts';
import type { Engine } from './engine.ts';

interface Listening {
  heard: Pick<KeyInput, 'key' | 'code' | 'keyCode' | 'ctrl' | 'meta' | 'alt' | 'shift'>[];
}

function listen(): void {
  const page = globalThis as unknown as Listening;
  page.heard = [];
  const listener = (event: KeyboardEvent) => {
    event.preventDefault();
    const { key, code, keyCode, ctrlKey: ctrl, metaKey: meta, altKey: alt, shiftKey: shift } = event;
    if (!['Control', 'Shift', 'Alt', 'Meta'].includes(key))
      page.heard.push({ key, code, keyCode, ctrl, meta, alt, shift });
  };
  window.addEventListener('keydown', listener, true);
}

function take(): Listening['heard'] {
  const page = globalThis as unknown as Listening;
  return page.heard.splice(0);
}

/** Every single press that begins or continues a binding. */
export const strokes = [
  ...new Set(
    defaultBindings.filter(({ only }) => only !== 'apple').flatMap(({ keys }) => parseKeys(keys, false)),
  ),
];

/** What came of each press that did not arrive as what it is: `stroke → what was heard`. */
export async function misheard(engine: Engine, url: string): Promise<readonly string[]> {
  const window = await engine.open();
  await window.goto(url);
  await window.evaluate(listen);
  await expectEventually(() => window.evaluate(() => document.hasFocus()), true);
  const wrong: string[] = [];
  for (const stroke of strokes) {
    await window.press(stroke.replace('Ctrl+', 'Control+'));
    const heard = (await window.evaluate(take)).map((input) =>
      strokeOf({ ...input, altGraph: false, composing: false, repeat: false, inText: false }, false),
    );
    if (heard.length !== 1 || heard[0] !== stroke) wrong.push(`${stroke} → ${heard.join(' ') || 'nothing'}`);
  }
  return wrong;
}
