// The keys that labels have of their own. The app's keys come first: a label's key that means something else is refused when
// it is set, and says what that is. What a key does then is applying.ts.
import type { Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica-types.ts';
import type { Keymap } from '../keys/keymap.ts';
import { parseKeys, type Stroke } from '../keys/stroke.ts';
import { allLabels, labelName } from './catalog.ts';

export type LabelResolution =
  | { readonly type: 'label'; readonly id: Id }
  | { readonly type: 'pending' }
  | { readonly type: 'none' };

const SPELLED = /^(?:(?:Mod|Ctrl|Alt|Shift|Meta)\+)*(?:\S|F\d{1,2})$/i;
const MOST_STROKES = 3;

/** Null: not how a key is written. */
export function strokesOf(text: string, apple: boolean): readonly Stroke[] | null {
  const parts = text.trim().split(/ +/);
  if (parts.length > MOST_STROKES || !parts.every((part) => SPELLED.test(part))) return null;
  return parseKeys(parts.join(' '), apple);
}

export class LabelKeys {
  readonly #replica: Replica;
  readonly keymap: Keymap;
  #labels: ReadonlyMap<string, Id> | null = null;

  constructor(replica: Replica, keymap: Keymap) {
    this.#replica = replica;
    this.keymap = keymap;
  }

  /** How many labels there are, with a key or without. */
  get count(): number {
    return allLabels(this.#replica).length;
  }

  /** Labels changed. */
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

  /** Every key in use with its label. */
  get all(): ReadonlyMap<string, Id> {
    this.#labels ??= this.#collect();
    return this.#labels;
  }

  /** What may follow the strokes. */
  continuations(strokes: readonly Stroke[]): readonly { readonly stroke: Stroke; readonly title: string }[] {
    const begun = `${strokes.join(' ')} `;
    return [...this.all].flatMap(([keys, id]) => {
      const [stroke, ...more] = keys.startsWith(begun) ? keys.slice(begun.length).split(' ') : [];
      if (stroke === undefined) return [];
      return [{ stroke, title: more.length > 0 ? '…' : labelName(this.#replica.row(id)) }];
    });
  }

  /** Of two labels with one key, which two devices can bring about, the first has it. */
  #collect(): ReadonlyMap<string, Id> {
    const labels = new Map<string, Id>();
    for (const { row } of allLabels(this.#replica)) {
      const { hotkey } = row.fields;
      const strokes = typeof hotkey === 'string' ? strokesOf(hotkey, this.keymap.apple) : null;
      const keys = strokes?.join(' ');
      if (keys !== undefined && !labels.has(keys)) labels.set(keys, row.id);
    }
    return labels;
  }
}
