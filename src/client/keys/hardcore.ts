// Hardcore Mode: the mouse does nothing in the app. Decides whether it applies now, and offers a way out by Escape.
// Blocking the mouse is in web/platform/input/hardcore.ts.
import type { KeyInput, Stroke } from './stroke.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { hardcore } from '../settings/first.ts';
import type { Signal } from '../app/signal.ts';

const TIMES = 3;
/** Longest time between two of these presses. */
const WITHIN_MS = 1_000;

/** The message when the mouse is turned off; it names the way out. */
export const HARDCORE_ON = 'The mouse is off. Press Esc three times to turn it back on.';

class Hardcore implements PartHooks {
  readonly #program: Program;
  readonly #isOn: Signal<boolean>;
  #escapes = 0;
  #at = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#isOn = program.settings.signal(hardcore);
  }

  /** The mouse is off now: not in dialogs that take it (`DialogFrame.takesMouse`). */
  get isMouseOff(): boolean {
    const shown = this.#program.dialog.get();
    return (
      this.#isOn.get() && (shown === null || this.#program.parts.dialogFrame(shown.type).takesMouse !== true)
    );
  }

  /** Escape three times in quick succession is the way out; each press keeps its usual effect. */
  press({ repeat }: KeyInput, stroke: Stroke): boolean {
    if (!repeat && this.#isOn.get()) this.#countEscapes(stroke);
    return false;
  }

  #countEscapes(stroke: Stroke): void {
    const now = this.#program.replica.now();
    const isSoon = Math.abs(now - this.#at) <= WITHIN_MS;
    this.#at = now;
    this.#escapes = stroke !== 'Escape' ? 0 : isSoon ? this.#escapes + 1 : 1;
    if (this.#escapes < TIMES) return;
    this.#escapes = 0;
    this.#turn(false);
    // After the usual effect of this Escape, which may clear the message.
    this.#program.later(() => this.#say(false));
  }

  turn(on: boolean): void {
    this.#turn(on);
    this.#say(on);
  }

  #turn(on: boolean): void {
    this.#program.settings.keep(hardcore, on);
  }

  #say(on: boolean): void {
    this.#program.say(on ? HARDCORE_ON : 'The mouse is back on.');
  }
}

/** Turns the mouse off while the setting is on, and on again after three presses of Escape. */
export const mouseOff = definePart({ name: 'Hardcore Mode', create: (program) => new Hardcore(program) });
