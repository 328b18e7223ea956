// Vim's registers: tasks taken by d and y, by letter, by age of deletion, and on the clipboard. They last as long as
// the tab.
import type { Id } from '#core/ids.ts';
import type { RegisterName } from './grammar.ts';

/** Tasks that were taken together. */
export interface Taken {
  readonly text: string;
  readonly ids: readonly Id[];
  /** Deleted in order to be put elsewhere: these tasks themselves come back, once. */
  cut: readonly Id[];
}

/** Maximum parts of one register; further appended ones are not kept. */
const MOST_PARTS = 100;
const NUMBERED = 9;
const NOWHERE = '_';
export const CLIPBOARD = '+';

export class Registers {
  readonly #named = new Map<string, readonly Taken[]>();
  #unnamed: readonly Taken[] = [];
  /** Newest deletion first. */
  #deleted: readonly (readonly Taken[])[] = [];

  /** Stores the tasks; false: nothing is to be kept. A capital letter appends. */
  keep(name: RegisterName, taken: Taken, isDeleted: boolean): boolean {
    if (name === NOWHERE) return false;
    let all: readonly Taken[] = [taken];
    if (name !== null && /^[A-Za-z]$/.test(name)) {
      const letter = name.toLowerCase();
      if (name !== letter) all = [...(this.#named.get(letter) ?? []), taken].slice(-MOST_PARTS);
      this.#named.set(letter, all);
    } else if (name !== null && /^\d$/.test(name)) this.#named.set(name, all);
    else if (name === null && !isDeleted) this.#named.set('0', all);
    if (name === null && isDeleted) this.#deleted = [all, ...this.#deleted].slice(0, NUMBERED);
    this.#unnamed = all;
    return true;
  }

  /** The parts of a register in order; the clipboard is read elsewhere. */
  of(name: RegisterName): readonly Taken[] {
    if (name === null) return this.#unnamed;
    const own = this.#named.get(name.toLowerCase());
    if (own !== undefined) return own;
    return /^[1-9]$/.test(name) ? (this.#deleted[Number(name) - 1] ?? []) : [];
  }
}
