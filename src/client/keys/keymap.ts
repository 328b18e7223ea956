// Resolves strokes to commands: one trie per context, compiled from data. Conflicts throw at construction, so that a
// test fails and not a person. The standard bindings are in default-keymap.ts.
import type { KeyContext } from '../commands/command.ts';
import { keycapOf, parseKeys, type Stroke } from './stroke.ts';

/** Keys in a context, and the command they run. */
export interface Binding {
  readonly context: KeyContext;
  /** `Mod+Shift+Z`, or strokes of a chord: `g i`. */
  readonly keys: string;
  readonly command: string;
  /** On this kind of keyboard only. */
  readonly only?: 'apple' | 'other';
}

interface Node {
  command: string | null;
  readonly next: Map<Stroke, Node>;
}

export type Resolution =
  /** To be tried in this order, most specific context first. */
  | { readonly type: 'commands'; readonly commands: readonly string[] }
  /** The beginning of a chord. */
  | { readonly type: 'pending' }
  | { readonly type: 'none' };

export interface Continuation {
  readonly stroke: Stroke;
  /** Null if the chord goes on. */
  readonly command: string | null;
}

function createNode(): Node {
  return { command: null, next: new Map() };
}

/** The bindings in effect. `use` replaces them; readers get the new ones at once. */
export class Keymap {
  readonly apple: boolean;
  #bindings: readonly Binding[] = [];
  readonly #roots = new Map<KeyContext, Node>();
  readonly #strokesOf = new Map<string, (readonly Stroke[])[]>();
  /** The grammar that reads operators, counts and the like before these keys. */
  grammar: 'vim' | null = null;
  /** Results of `keysIn` by contexts and command: the palette needs those of every command whenever it opens. */
  readonly #keysIn = new Map<string, Map<string, readonly (readonly string[])[]>>();
  #waits: ReadonlySet<string> = new Set();
  /** Delay of the hint panel in milliseconds; negative: never shown. */
  hintDelay = 400;

  /** Throws when two bindings of one context collide, or one hides another behind it. */
  constructor(bindings: readonly Binding[], apple: boolean) {
    this.apple = apple;
    this.use(bindings, null);
  }

  /** Bindings for this kind of keyboard. */
  get bindings(): readonly Binding[] {
    return this.#bindings;
  }

  /** Unbound prefixes that take one more key, as strokes joined by spaces. */
  get waits(): readonly string[] {
    return [...this.#waits];
  }

  /** Whether an unbound prefix takes one more key. Digits do not count: C-u 4 waits as C-u does. */
  waitsAfter(strokes: readonly Stroke[]): boolean {
    if (this.#waits.has(strokes.join(' '))) return true;
    const [first = '', ...rest] = strokes;
    return this.#waits.has(first) && rest.every((stroke) => /^[\d-]$/.test(stroke) || stroke === first);
  }

  /** Replaces all bindings. Throws like the constructor, and then has none. */
  use(bindings: readonly Binding[], grammar: 'vim' | null, waits: readonly string[] = []): void {
    this.#waits = new Set(waits);
    this.#roots.clear();
    this.#strokesOf.clear();
    this.#keysIn.clear();
    this.#bindings = bindings.filter(({ only }) => only === undefined || (only === 'apple') === this.apple);
    for (const binding of this.#bindings) this.#add(binding);
    this.grammar = grammar;
  }

  #add({ context, keys, command }: Binding): void {
    const strokes = parseKeys(keys, this.apple);
    let node = this.#roots.get(context) ?? createNode();
    this.#roots.set(context, node);
    for (const stroke of strokes) {
      if (node.command !== null) throw new Error(`${context}: "${keys}" is hidden by ${node.command}`);
      const next = node.next.get(stroke) ?? createNode();
      node.next.set(stroke, next);
      node = next;
    }
    if (node.next.size > 0) throw new Error(`${context}: "${keys}" (${command}) hides longer keys`);
    if (node.command !== null) throw new Error(`${context}: "${keys}" is ${node.command} and ${command}`);
    node.command = command;
    this.#strokesOf.set(command, [...(this.#strokesOf.get(command) ?? []), strokes]);
  }

  resolve(contexts: readonly KeyContext[], strokes: readonly Stroke[]): Resolution {
    const commands: string[] = [];
    for (const context of contexts) {
      const node = this.#find(context, strokes);
      if (!node) continue;
      if (node.command !== null) commands.push(node.command);
      else if (commands.length === 0) return { type: 'pending' };
    }
    return commands.length > 0 ? { type: 'commands', commands } : { type: 'none' };
  }

  /** Whether a binding of any context begins with it. */
  begins(stroke: Stroke): boolean {
    return [...this.#roots.values()].some(({ next }) => next.has(stroke));
  }

  /** The command that already has these strokes, begins with them, or is hidden by them; null: they are free. */
  holderOf(contexts: readonly KeyContext[], strokes: readonly Stroke[]): string | null {
    for (const context of contexts) {
      let node = this.#roots.get(context);
      for (const stroke of strokes) {
        node = node?.next.get(stroke);
        if (!node) break;
        if (node.command !== null) return node.command;
      }
      while (node && node.command === null) node = node.next.values().next().value;
      if (node?.command) return node.command;
    }
    return null;
  }

  /** The strokes that may follow. */
  continuations(contexts: readonly KeyContext[], strokes: readonly Stroke[]): readonly Continuation[] {
    const found = new Map<Stroke, Continuation>();
    for (const context of contexts) {
      for (const [stroke, { command }] of this.#find(context, strokes)?.next ?? []) {
        if (!found.has(stroke)) found.set(stroke, { stroke, command });
      }
    }
    return [...found.values()];
  }

  /** Every binding of a command in the given order, each as one keycap per stroke. */
  keysOf(command: string): readonly (readonly string[])[] {
    return (this.#strokesOf.get(command) ?? []).map((strokes) => this.keycaps(strokes));
  }

  /** As `keysOf`, without keys that do something else in these contexts; those that run it there come first. */
  keysIn(contexts: readonly KeyContext[], command: string): readonly (readonly string[])[] {
    const where = contexts.join(' ');
    const known = this.#keysIn.get(where) ?? new Map<string, readonly (readonly string[])[]>();
    this.#keysIn.set(where, known);
    const keys = known.get(command) ?? this.#findKeysIn(contexts, command);
    known.set(command, keys);
    return keys;
  }

  #findKeysIn(contexts: readonly KeyContext[], command: string): readonly (readonly string[])[] {
    const all = (this.#strokesOf.get(command) ?? []).map((strokes) => ({
      caps: this.keycaps(strokes),
      holder: this.holderOf(contexts, strokes),
    }));
    const here = all.filter(({ holder }) => holder === command);
    const free = all.filter(({ holder }) => holder === null);
    return [...here, ...free].map(({ caps }) => caps);
  }

  /** The contexts in which a command has keys, with their keycaps, in the given order. */
  placesOf(command: string): readonly { readonly context: KeyContext; readonly keys: readonly string[] }[] {
    return this.#bindings
      .filter((binding) => binding.command === command)
      .map(({ context, keys }) => ({ context, keys: this.keycaps(parseKeys(keys, this.apple)) }));
  }

  keycaps(strokes: readonly Stroke[]): readonly string[] {
    return strokes.map((stroke) => keycapOf(stroke, this.apple));
  }

  #find(context: KeyContext, strokes: readonly Stroke[]): Node | undefined {
    let node = this.#roots.get(context);
    for (const stroke of strokes) node = node?.next.get(stroke);
    return node;
  }
}
