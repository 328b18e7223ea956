// Says where the own person is: a change at once, further ones at most ten times a second, or as often as the server asks for, with the
// last one at the end, and the same again every few seconds while it lasts. Says nothing at all unless it is given a place.
import { presenceBeatMs, presencePauseMs, samePlace, type There } from '#wire/presence.ts';
import type { Id } from '#core/ids.ts';
import type { SaidPlace } from './port.ts';

/** No server makes it wait longer. */
const LONGEST_PAUSE_MS = 1_000;

interface TellingPorts {
  readonly now: () => number;
  /** Returns the cancellation. */
  readonly after: (delayMs: number, work: () => void) => () => void;
  readonly say: (place: SaidPlace) => void;
}

/** The own place, and what was said of it. */
export class Telling {
  readonly #ports: TellingPorts;
  #place: SaidPlace | null = null;
  #said: SaidPlace | null = null;
  #saidAt = Number.NEGATIVE_INFINITY;
  #pauseMs = presencePauseMs;
  #cancelNext: (() => void) | null = null;
  #cancelBeat: (() => void) | null = null;

  constructor(ports: TellingPorts) {
    this.#ports = ports;
  }

  /** The place as it is now; null: none that is to be told. Never says anything before it returns. */
  put(place: SaidPlace | null): void {
    const isElsewhere = place?.scope !== this.#said?.scope;
    // What one list asks for holds up no news of leaving it.
    if (isElsewhere && this.#place?.scope !== place?.scope) {
      this.#cancelNext?.();
      this.#cancelNext = null;
    }
    this.#place = place;
    if (isSame(place, this.#said) || this.#cancelNext !== null) return;
    const { now, after } = this.#ports;
    const pause = isElsewhere ? presencePauseMs : this.#pauseMs;
    // A clock that was set back must not make it wait longer.
    const delay = Math.min(pause, Math.max(0, this.#saidAt + pause - now()));
    this.#cancelNext = after(delay, () => {
      this.#cancelNext = null;
      this.#say();
    });
  }

  /** News of a list: those of the one in which the person is say how often their places are heard. */
  pace({ scope, pause = presencePauseMs }: Pick<There, 'scope' | 'pause'>): void {
    if (scope === this.#said?.scope)
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(presencePauseMs, pause));
  }

  /** Nobody hears anything: what was said is forgotten. */
  forget(): void {
    this.#said = null;
    this.#cancelBeat?.();
    this.#cancelBeat = null;
  }

  /** The person is gone: says so now. */
  close(): void {
    this.#cancelNext?.();
    this.#cancelNext = null;
    this.#place = null;
    this.#say();
  }

  #say(): void {
    const { say, now } = this.#ports;
    const place = this.#place;
    if (isSame(place, this.#said)) return;
    if (this.#said !== null && this.#said.scope !== place?.scope) {
      say(leaving(this.#said.scope));
      this.#pauseMs = presencePauseMs;
    }
    this.forget();
    if (place === null) return;
    say(place);
    this.#said = place;
    this.#saidAt = now();
    this.#beat();
  }

  #beat(): void {
    this.#cancelBeat = this.#ports.after(presenceBeatMs, () => {
      if (this.#said === null) return;
      this.#ports.say(this.#said);
      this.#beat();
    });
  }
}

const leaving = (scope: Id): SaidPlace => ({ scope, sel: [], focus: null, n: 0, leaves: true });

function isSame(a: SaidPlace | null, b: SaidPlace | null): boolean {
  if (a === null || b === null) return a === b;
  return a.scope === b.scope && samePlace(a, b);
}
