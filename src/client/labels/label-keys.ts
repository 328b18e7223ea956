// The keys of labels. The app's keys come first: a label's key with another meaning is refused when it is set, with
// that meaning. applying.ts runs them.
import type { Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Keymap } from '../keys/keymap.ts';
import { parseKeys, type Stroke } from '../keys/stroke.ts';
import { hotkeyOf, labelName, labelsIn } from './catalog.ts';

/** Meaning of strokes among the keys of labels. */
export type LabelResolution =
  | { readonly type: 'label'; readonly id: Id }
  | { readonly type: 'pending' }
  | { readonly type: 'none' };

const SPELLED = /^(?:(?:Mod|Ctrl|Alt|Shift|Meta)\+)*(?:\S|F\d{1,2})$/i;
const MOST_STROKES = 3;

/** Null: the text spells no key. */
export function strokesOf(text: string, apple: boolean): readonly Stroke[] | null {
  const parts = text.trim().split(/ +/);
  if (parts.length > MOST_STROKES || !parts.every((part) => SPELLED.test(part))) return null;
  return parseKeys(parts.join(' '), apple);
}

/** Looks up the keys of labels. Rebuilt on demand after `invalidate`. */
export class LabelKeys {
  readonly #replica: Replica;
  readonly keymap: Keymap;
  #labels: ReadonlyMap<string, Id> | null = null;

  constructor(replica: Replica, keymap: Keymap) {
    this.#replica = replica;
    this.keymap = keymap;
  }

  /** Number of labels, with a key or without. */
  get count(): number {
    return this.#everyLabel.length;
  }

  /** To be called when labels changed. */
  invalidate(): void {
    this.#labels = null;
  }

  resolve(strokes: readonly Stroke[]): LabelResolution {
    const keys = strokes.join(' ');
    const id = this.all.get(keys);
    if (id !== undefined) return { type: 'label', id };
    for (const longer of this.all.keys()) if (longer.startsWith(`${keys} `)) return { type: 'pending' };
    return { type: 'none' };
  }

  /** As keycaps. */
  capsOf(hotkey: unknown): readonly string[] {
    const strokes = typeof hotkey === 'string' && hotkey !== '' ? strokesOf(hotkey, this.keymap.apple) : null;
    return strokes === null ? [] : this.keymap.keycaps(strokes);
  }

  /** Every label key in use with its label. */
  get all(): ReadonlyMap<string, Id> {
    this.#labels ??= this.#collect();
    return this.#labels;
  }

  /** The strokes that may follow. */
  continuations(strokes: readonly Stroke[]): readonly { readonly stroke: Stroke; readonly title: string }[] {
    const begun = `${strokes.join(' ')} `;
    return [...this.all].flatMap(([keys, id]) => {
      const [stroke, ...more] = keys.startsWith(begun) ? keys.slice(begun.length).split(' ') : [];
      if (stroke === undefined) return [];
      return [{ stroke, title: more.length > 0 ? '…' : labelName(this.#replica.row(id)) }];
    });
  }

  get #everyLabel() {
    return this.#replica.scopes.flatMap((scope) => labelsIn(this.#replica, scope));
  }

  /** If two labels share a key, which two devices can cause, the first has it. */
  #collect(): ReadonlyMap<string, Id> {
    const labels = new Map<string, Id>();
    for (const { row } of this.#everyLabel) {
      const hotkey = hotkeyOf(this.#replica, row);
      const strokes = hotkey !== undefined ? strokesOf(hotkey, this.keymap.apple) : null;
      const keys = strokes?.join(' ');
      if (keys !== undefined && !labels.has(keys)) labels.set(keys, row.id);
    }
    return labels;
  }
}
