// Remembers which commands are done slowly although they have a key, by pointer or by their name, and says so once in a
// while: at most once a day, never to somebody who uses no keys. A lazy chunk.
import { readRecord } from '#core/json.ts';
import type { Program } from '../program.ts';
import { coachHints } from '../settings/teaching.ts';
import type { Cause, KeysOf } from './door.ts';

interface Memory {
  /** Command → how often it was done slowly since it was last done by its key. */
  readonly slow: Readonly<Record<string, number>>;
  /** When the last hint was given; milliseconds since the epoch. */
  readonly at: number;
}

const KEY = 'coach';
const DAY_MS = 86_400_000;
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
  /** Whoever has no keyboard is told of none. */
  #hasKeys = false;

  constructor(program: Program, keysOf: KeysOf) {
    this.#program = program;
    this.#keysOf = keysOf;
    this.#memory = read(program.platform.preferences.get(KEY));
  }

  /** A command was done, and what it says has been said. */
  ran(command: string, cause: Cause): void {
    if (cause === 'key' || cause === 'chord') {
      this.#hasKeys = true;
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
    const { messages, replica, titleOf } = this.#program;
    this.#keep({ slow: { ...this.#memory.slow, [command]: 0 }, at: replica.now() });
    const title = titleOf(command)?.replace(/…$/, '') ?? 'That';
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
