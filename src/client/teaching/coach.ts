// The coach notices commands that are run by pointer or by name although they have a key, and shows the key now and
// then: at most once a day, and never to a person without a keyboard. A lazy part.
import { DAY_MS } from '#core/time.ts';
import { readRecord } from '#core/json.ts';
import type { Program } from '../app/program.ts';
import { coachHints } from '../settings/teaching.ts';
import type { Cause, KeysOf } from './part.ts';

interface Memory {
  /** Command → number of times it was run without its key since the last time by key. */
  readonly slow: Readonly<Record<string, number>>;
  /** Time of the last hint; milliseconds since the epoch. */
  readonly at: number;
}

const KEY = 'coach';
/** The palette itself shows a key the first five times. */
const SLOW_TIMES = 6;
const KEPT = 100;

function read(text: string | null): Memory {
  const { slow = {}, at = 0 } = readRecord(text) as Partial<Memory>;
  return { slow, at };
}

export class Coach {
  readonly #program: Program;
  readonly #keysOf: KeysOf;
  #memory: Memory;
  /** Devices without a keyboard get no key hints. */
  #hasKeys = false;

  constructor(program: Program, keysOf: KeysOf) {
    this.#program = program;
    this.#keysOf = keysOf;
    this.#memory = read(program.platform.preferences.get(KEY));
  }

  /** A command ran, and its message was shown. */
  ran(command: string, cause: Cause): void {
    if (cause === 'key' || cause === 'chord') {
      // A keyboard on the screen types, and ends a line. It moves no cursor.
      if (!this.#program.platform.touch || command.startsWith('cursor.')) this.#hasKeys = true;
      if (this.#memory.slow[command] !== undefined) this.#count(command, 0);
      return;
    }
    const keys = this.#keysOf(command)[0];
    if (!keys) return;
    const times = (this.#memory.slow[command] ?? 0) + 1;
    this.#count(command, times);
    if (times >= SLOW_TIMES && this.#mayHint) this.#hint(command, keys);
  }

  get #mayHint(): boolean {
    const { replica, settings, messages } = this.#program;
    if (!this.#hasKeys || !settings.get(coachHints) || messages.current?.tone === 'error') return false;
    const since = replica.now() - this.#memory.at;
    // A clock that was set back must not silence it for long.
    return since < 0 || since >= DAY_MS;
  }

  #hint(command: string, keys: readonly string[]): void {
    const { messages, replica } = this.#program;
    this.#keep({ slow: { ...this.#memory.slow, [command]: 0 }, at: replica.now() });
    const title = this.#program.titleOf(command)?.replace(/…$/, '') ?? 'That';
    const hint = `${title} has a key: ${keys.join(' ')}.`;
    if (messages.current) messages.amend(hint);
    else messages.show({ text: hint, undo: false, tone: 'info' });
  }

  #count(command: string, times: number): void {
    const slow = Object.entries({ ...this.#memory.slow, [command]: times }).filter(([, count]) => count > 0);
    this.#keep({ ...this.#memory, slow: Object.fromEntries(slow.slice(-KEPT)) });
  }

  #keep(memory: Memory): void {
    this.#memory = memory;
    this.#program.platform.preferences.set(KEY, JSON.stringify(memory));
  }
}
