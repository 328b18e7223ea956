// Which command a sequence of strokes means: one trie per context, compiled from data. Conflicts throw when the map is
// made, so that a test fails and not a person. Default bindings are default-keymap.ts.
import type { KeyContext } from '../commands/command.ts';
import { keycapOf, parseKeys, type Stroke } from './stroke.ts';

export interface Binding {
  readonly context: KeyContext;
  /** `Mod+Shift+Z`, or strokes of a chord: `g i`. */
  readonly keys: string;
  readonly command: string;
  /** Only on such keyboards. */
  readonly only?: 'apple' | 'other';
}

interface Node {
  command: string | null;
  readonly next: Map<Stroke, Node>;
}

export type Resolution =
  /** To be tried in this order: the most specific context first. */
  | { readonly type: 'commands'; readonly commands: readonly string[] }
  /** The beginning of a chord. */
  | { readonly type: 'pending' }
  | { readonly type: 'none' };

export interface Continuation {
  readonly stroke: Stroke;
  /** Null where the chord goes on. */
  readonly command: string | null;
}

function createNode(): Node {
  return { command: null, next: new Map() };
}

export class Keymap {
  readonly apple: boolean;
  #bindings: readonly Binding[] = [];
  readonly #roots = new Map<KeyContext, Node>();
  readonly #strokesOf = new Map<string, (readonly Stroke[])[]>();
  /** Operators, counts and the like are read before these keys. */
  grammar: 'vim' | null = null;
  /** Milliseconds until it is shown what may follow; negative: never. */
  hintDelay = 400;

  /** Throws when two bindings of one context collide, or one hides another behind it. */
  constructor(bindings: readonly Binding[], apple: boolean) {
    this.apple = apple;
    this.use(bindings, null);
  }

  /** Those that count on this kind of keyboard. */
  get bindings(): readonly Binding[] {
    return this.#bindings;
  }

  /** Other keys from now on. Throws like the constructor, and then has none. */
  use(bindings: readonly Binding[], grammar: 'vim' | null): void {
    this.#roots.clear();
    this.#strokesOf.clear();
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

  /** Whether anything begins with it, wherever. */
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

  /** What may follow the strokes. */
  continuations(contexts: readonly KeyContext[], strokes: readonly Stroke[]): readonly Continuation[] {
    const found = new Map<Stroke, Continuation>();
    for (const context of contexts) {
      for (const [stroke, { command }] of this.#find(context, strokes)?.next ?? []) {
        if (!found.has(stroke)) found.set(stroke, { stroke, command });
      }
    }
    return [...found.values()];
  }

  /** Every binding of a command in the order they were given, each as one keycap per stroke. */
  keysOf(command: string): readonly (readonly string[])[] {
    return (this.#strokesOf.get(command) ?? []).map((strokes) => this.keycaps(strokes));
  }

  /** The same without keys that do something else where these contexts count; those that run it there come first. */
  keysIn(contexts: readonly KeyContext[], command: string): readonly (readonly string[])[] {
    const all = (this.#strokesOf.get(command) ?? []).map((strokes) => ({
      caps: this.keycaps(strokes),
      holder: this.holderOf(contexts, strokes),
    }));
    const here = all.filter(({ holder }) => holder === command);
    const free = all.filter(({ holder }) => holder === null);
    return [...here, ...free].map(({ caps }) => caps);
  }

  /** Where a command has keys, each with its keycaps there, in the order they were given. */
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
