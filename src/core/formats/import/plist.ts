// Reads property lists of Apple's programs, as XML and binary (bplist00): the values that rules of repeats are made of.
// Anything damaged, too deep or too large is no property list.
import { unescapeHtml } from './html.ts';

/** A value of a property list; dates are seconds since 1970. */
export type Plist = string | number | boolean | readonly Plist[] | { readonly [key: string]: Plist };

const DEEPEST = 20;
const MOST_VALUES = 10_000;
/** From 2001, Apple's zero, to 1970's. */
const APPLE_EPOCH = 978_307_200;
const TOKEN = /<(\/?)(dict|array|key|string|integer|real|true|false|date|data)(\/?)>|([^<]+)|<[^>]*>/g;

/** A property list; null: it is none. */
export function readPlist(source: string | Uint8Array): Plist | null {
  try {
    if (typeof source === 'string') return new XmlPlist(source).read();
    const head = String.fromCharCode(...source.subarray(0, 8));
    if (head.startsWith('bplist00')) return new BinaryPlist(source).read();
    return new XmlPlist(new TextDecoder().decode(source)).read();
  } catch (error) {
    if (error instanceof BrokenPlist || error instanceof RangeError) return null;
    throw error;
  }
}

class BrokenPlist extends Error {}

const keyOf = (value: Plist) => (typeof value === 'string' ? value : '');

class XmlPlist {
  readonly #tokens: readonly RegExpExecArray[];
  #at = 0;

  constructor(text: string) {
    const [, body = ''] = /<plist[^>]*>([\s\S]*)<\/plist>/.exec(text.slice(0, 100_000)) ?? [];
    this.#tokens = [...body.matchAll(TOKEN)];
  }

  read(): Plist {
    return this.#value(0);
  }

  #next(): RegExpExecArray {
    for (let token = this.#tokens[this.#at]; token; token = this.#tokens[this.#at]) {
      this.#at += 1;
      if (token[4] === undefined || token[4].trim() !== '') return token;
    }
    throw new BrokenPlist('it ends');
  }

  /** The words up to the closing tag. */
  #words(token: RegExpExecArray): string {
    if (token[3] === '/') return '';
    const words: string[] = [];
    for (let next = this.#tokens[this.#at]; next; next = this.#tokens[this.#at]) {
      this.#at += 1;
      if (next[4] === undefined) return unescapeHtml(words.join(''));
      words.push(next[4]);
    }
    throw new BrokenPlist('it ends');
  }

  #value(depth: number, opened = this.#next()): Plist {
    if (depth > DEEPEST) throw new BrokenPlist('too deep');
    const [, , name] = opened;
    if (name === 'true' || name === 'false') return name === 'true';
    if (name === 'string' || name === 'data') return this.#words(opened);
    if (name === 'integer' || name === 'real') {
      const number = Number(this.#words(opened));
      if (Number.isFinite(number)) return number;
      throw new BrokenPlist('no number');
    }
    if (name === 'date') {
      const at = Date.parse(this.#words(opened));
      if (Number.isFinite(at)) return at / 1_000;
      throw new BrokenPlist('no date');
    }
    if (name === 'array') return this.#array(opened, depth);
    if (name === 'dict') return this.#dict(opened, depth);
    throw new BrokenPlist('no value');
  }

  #array(opened: RegExpExecArray, depth: number): Plist {
    const values: Plist[] = [];
    if (opened[3] === '/') return values;
    for (let next = this.#next(); !(next[1] === '/' && next[2] === 'array'); next = this.#next())
      values.push(this.#value(depth + 1, next));
    return values;
  }

  #dict(opened: RegExpExecArray, depth: number): Plist {
    const entries: [string, Plist][] = [];
    if (opened[3] === '/') return {};
    for (let next = this.#next(); !(next[1] === '/' && next[2] === 'dict'); next = this.#next()) {
      if (next[2] !== 'key') throw new BrokenPlist('no key');
      entries.push([this.#words(next), this.#value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }
}

/** https://en.wikipedia.org/wiki/Property_list: objects, a table of their offsets, a trailer. */
class BinaryPlist {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #offsets: { readonly at: number; readonly bytes: number; readonly count: number };
  readonly #refBytes: number;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const trailer = bytes.length - 32;
    if (trailer < 8) throw new BrokenPlist('no trailer');
    this.#refBytes = this.#byte(trailer + 7);
    this.#offsets = {
      at: this.#int(trailer + 24, 8),
      bytes: this.#byte(trailer + 6),
      count: this.#int(trailer + 8, 8),
    };
    if (this.#offsets.count > MOST_VALUES) throw new BrokenPlist('too many');
  }

  read(): Plist {
    return this.#object(this.#int(this.#bytes.length - 16, 8), 0);
  }

  #byte(at: number): number {
    return this.#view.getUint8(at);
  }

  #int(at: number, bytes: number): number {
    if (bytes < 1 || bytes > 8) throw new BrokenPlist('no integer');
    let value = 0;
    for (let index = 0; index < bytes; index += 1) value = value * 256 + this.#byte(at + index);
    return bytes === 8 && this.#byte(at) >= 128 ? value - 2 ** 64 : value;
  }

  #object(index: number, depth: number): Plist {
    this.#values += 1;
    if (depth > DEEPEST || this.#values > MOST_VALUES || index >= this.#offsets.count)
      throw new BrokenPlist('too deep');
    const at = this.#int(this.#offsets.at + index * this.#offsets.bytes, this.#offsets.bytes);
    const marker = this.#byte(at);
    const [kind, low] = [marker >> 4, marker & 15];
    if (kind === 0) return low === 9;
    if (kind === 1) return this.#int(at + 1, 2 ** low);
    if (kind === 2) return low === 2 ? this.#view.getFloat32(at + 1) : this.#view.getFloat64(at + 1);
    if (kind === 3) return this.#view.getFloat64(at + 1) + APPLE_EPOCH;
    const [count, from] = low === 15 ? this.#long(at + 1) : [low, at + 1];
    if (count > MOST_VALUES) throw new BrokenPlist('too many');
    if (kind === 4 || kind === 5) return new TextDecoder().decode(this.#bytes.subarray(from, from + count));
    if (kind === 6) return new TextDecoder('utf-16be').decode(this.#bytes.subarray(from, from + count * 2));
    const ref = (item: number) =>
      this.#object(this.#int(from + item * this.#refBytes, this.#refBytes), depth + 1);
    if (kind === 10) return Array.from({ length: count }, (_, item) => ref(item));
    if (kind !== 13) throw new BrokenPlist('unknown');
    return Object.fromEntries(
      Array.from({ length: count }, (_, item): [string, Plist] => [keyOf(ref(item)), ref(count + item)]),
    );
  }

  #long(at: number): readonly [count: number, from: number] {
    const bytes = 2 ** (this.#byte(at) & 15);
    return [this.#int(at + 1, bytes), at + 1 + bytes];
  }
}
