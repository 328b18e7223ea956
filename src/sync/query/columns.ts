// Numbers by slot in typed arrays that grow: a million of them cost eight megabytes and no garbage. Slots are defined
// in task-index.ts.

/** One number per slot; NaN for none. Takes no memory before the first number. */
export class NumberColumn {
  readonly #atFirst: number;
  #values: Float64Array | null = null;

  /** `atFirst`: the expected number of slots, so that a column for one search is allocated once. */
  constructor(atFirst = 0) {
    this.#atFirst = atFirst;
  }

  at(slot: number): number {
    const values = this.#values;
    return values !== null && slot < values.length ? (values[slot] as number) : Number.NaN;
  }

  set(slot: number, value: number): void {
    let values = this.#values;
    if (values === null || slot >= values.length) {
      if (Number.isNaN(value)) return;
      values = new Float64Array(Math.max(grown(slot), this.#atFirst)).fill(Number.NaN);
      if (this.#values !== null) values.set(this.#values);
      this.#values = values;
    }
    values[slot] = value;
  }
}

/** One small whole number per slot; 0 where none was set. */
export class IntegerColumn {
  #values = new Int32Array(0);

  at(slot: number): number {
    return slot < this.#values.length ? (this.#values[slot] as number) : 0;
  }

  set(slot: number, value: number): void {
    if (slot >= this.#values.length) {
      const values = new Int32Array(grown(slot));
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[slot] = value;
  }
}

/** A set of slots, one bit each. */
export class SlotSet {
  #words = new Int32Array(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(slot: number): boolean {
    const word = slot >>> 5;
    return word < this.#words.length && ((this.#words[word] as number) & (1 << (slot & 31))) !== 0;
  }

  /** False when it was already in. */
  add(slot: number): boolean {
    if (this.has(slot)) return false;
    const word = slot >>> 5;
    if (word >= this.#words.length) {
      const words = new Int32Array(grown(word));
      words.set(this.#words);
      this.#words = words;
    }
    this.#words[word] = (this.#words[word] as number) | (1 << (slot & 31));
    this.#size += 1;
    return true;
  }

  /** False when it was not in. */
  delete(slot: number): boolean {
    if (!this.has(slot)) return false;
    const word = slot >>> 5;
    this.#words[word] = (this.#words[word] as number) & ~(1 << (slot & 31));
    this.#size -= 1;
    return true;
  }

  /** In ascending order. */
  slots(): Int32Array {
    const slots = new Int32Array(this.#size);
    let at = 0;
    for (let word = 0; word < this.#words.length; word += 1) {
      for (let left = this.#words[word] as number; left !== 0; left &= left - 1) {
        slots[at] = (word << 5) + 31 - Math.clz32(left & -left);
        at += 1;
      }
    }
    return slots;
  }
}

/** Slots in an order that the caller gives. */
export class SlotList {
  #slots: Int32Array;
  #length: number;

  constructor(slots: Int32Array = new Int32Array(0)) {
    this.#slots = slots;
    this.#length = slots.length;
  }

  get length(): number {
    return this.#length;
  }

  /** −1 outside. */
  at(index: number): number {
    return index >= 0 && index < this.#length ? (this.#slots[index] as number) : -1;
  }

  /** Live: valid until the next change. */
  get view(): Int32Array {
    return this.#slots.subarray(0, this.#length);
  }

  push(slot: number): void {
    this.#reserve(this.#length + 1);
    this.#slots[this.#length] = slot;
    this.#length += 1;
  }

  indexOf(slot: number, from = 0): number {
    const at = this.#slots.subarray(from, this.#length).indexOf(slot);
    return at < 0 ? -1 : at + from;
  }

  /** Replaces `count` slots from `index` on with others. */
  splice(index: number, count: number, slots: ArrayLike<number>): void {
    const length = this.#length + slots.length - count;
    this.#reserve(length);
    this.#slots.copyWithin(index + slots.length, index + count, this.#length);
    this.#slots.set(slots, index);
    this.#length = length;
  }

  #reserve(length: number): void {
    if (length <= this.#slots.length) return;
    // Doubled: the garbage from copying never exceeds what is kept.
    const slots = new Int32Array(Math.max(64, 2 * length));
    slots.set(this.#slots.subarray(0, this.#length));
    this.#slots = slots;
  }
}

function grown(atLeast: number): number {
  return Math.max(64, Math.ceil(atLeast * 1.25) + 1);
}
