// Somebody wanted to write where this device can't, and types on, as hands are faster than eyes. What is typed then is for no line, and must not be
// taken for commands: it goes nowhere, until the person pauses or presses a key that types nothing.
import type { KeyInput } from '../keys/stroke.ts';

/** Who pauses this long has seen that nothing is written. */
const PAUSE_MS = 2_000;

/** Keys that belong to writing a line besides those that type a character. */
const OF_WRITING: ReadonlySet<string> = new Set([
  'Backspace',
  'Delete',
  'Enter',
  'Tab',
  'Dead',
  'Process',
  'Unidentified',
]);

/** Whether a key writes, where there is a line for it. */
function writes({ key, ctrl, meta, alt, altGraph }: KeyInput): boolean {
  const isCommand = (ctrl || meta || alt) && !altGraph;
  return !isCommand && (OF_WRITING.has(key) || [...key].length === 1);
}

/** What is typed after a line was refused. */
export class TypingOn {
  #until = 0;

  /** A line was refused. `now`: milliseconds since 1970. */
  begin(now: number): void {
    this.#until = now + PAUSE_MS;
  }

  /** Whether the key is of what is typed on, and goes nowhere. */
  takes(input: KeyInput, now: number): boolean {
    const isOn = this.#until > now && !input.inText && writes(input);
    this.#until = isOn ? now + PAUSE_MS : 0;
    return isOn;
  }
}
