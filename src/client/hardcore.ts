// Hardcore Mode: the mouse does nothing in the app. Whether it counts just now, and the way out that needs no other key. What
// it blocks is web/platform/hardcore.ts.
import type { Stroke } from './keys/stroke.ts';
import type { Program } from './program.ts';
import { hardcore } from './settings/behavior.ts';
import type { Signal } from './signal.ts';
import type { DialogView } from './dialog-view.ts';

const TIMES = 3;
/** Between two of them. */
const WITHIN_MS = 1_000;

/** Who one is, and what may be lost: these questions can be answered with whatever is at hand. */
const OPEN_TO_THE_MOUSE: ReadonlySet<DialogView['type']> = new Set([
  'signIn',
  'signUp',
  'otherAccount',
  'sessions',
  'safety',
  'confirm',
  'recovered',
  'signOut',
  'emptyTrash',
  'disableSync',
  'enableSync',
  'safetyCopies',
]);

export const HARDCORE_ON = 'The mouse is off. Esc three times turns it on again.';

export class Hardcore {
  readonly #program: Program;
  readonly #isOn: Signal<boolean>;
  #escapes = 0;
  #at = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#isOn = program.settings.signal(hardcore);
  }

  /** The mouse does nothing just now. */
  get isMouseOff(): boolean {
    const shown = this.#program.dialog.get();
    return this.#isOn.get() && (shown === null || !OPEN_TO_THE_MOUSE.has(shown.type));
  }

  /** Three times Escape, quickly, is the way out; each of them also does what it always does. */
  pressed(stroke: Stroke): void {
    if (!this.#isOn.get()) return;
    const now = this.#program.replica.now();
    const isSoon = Math.abs(now - this.#at) <= WITHIN_MS;
    this.#at = now;
    this.#escapes = stroke !== 'Escape' ? 0 : isSoon ? this.#escapes + 1 : 1;
    if (this.#escapes < TIMES) return;
    this.#escapes = 0;
    this.turn(false);
  }

  turn(on: boolean): void {
    const { settings } = this.#program;
    settings.keep(hardcore, on);
    this.#program.say(on ? HARDCORE_ON : 'The mouse is on again.');
  }
}
