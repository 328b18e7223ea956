// A few tasks on which two keys of a set are tried before anything depends on them. Keys are read by the real keymap, so that
// what happens here happens in a list as well.
import type { Binding } from '../keys/keymap.ts';
import { Keymap } from '../keys/keymap.ts';
import { isLostInTab } from '../keys/reserved.ts';
import { parseKeys, type Stroke } from '../keys/stroke.ts';
import type { TryView } from './first-run-view.ts';

interface Key {
  readonly id: 'move' | 'complete';
  readonly title: string;
  readonly strokes: readonly Stroke[];
  isTried: boolean;
}

/** What is tried: the first of the commands that has a key which arrives here. */
const TRIED: readonly {
  readonly id: Key['id'];
  readonly commands: readonly (readonly [string, string])[];
}[] = [
  {
    id: 'move',
    commands: [
      ['cursor.down', 'goes down'],
      ['cursor.up', 'goes up'],
    ],
  },
  { id: 'complete', commands: [['task.complete', 'completes']] },
];
const TITLES = ['Book the train', 'Pack the tent', 'Charge the lamp'];
const STEPS: Readonly<Record<string, (at: number) => number>> = {
  'cursor.down': (at) => at + 1,
  'cursor.up': (at) => at - 1,
  'cursor.first': () => 0,
  'cursor.last': () => TITLES.length - 1,
};
const BOTH = 'Both work: these are your keys from now on.';

interface TrialKeys {
  /** Every key that counts. */
  readonly all: readonly Binding[];
  /** Those that the set has of its own: they are tried rather than others. */
  readonly own: readonly Binding[];
  readonly apple: boolean;
  /** The browser keeps some keys to itself. */
  readonly isInTab: boolean;
}

export class Trial {
  readonly #keymap: Keymap;
  readonly #keys: readonly Key[];
  readonly #rows = TITLES.map((title) => ({ title, isDone: false }));
  #at = 1;
  #said = '';
  isTrying = false;

  constructor(keys: TrialKeys) {
    this.#keymap = new Keymap(keys.all, keys.apple);
    this.#keys = TRIED.flatMap(({ id, commands }): Key[] => {
      const found = this.#keyOf(commands, keys);
      return found === null ? [] : [{ id, isTried: false, ...found }];
    });
  }

  get view(): TryView {
    return {
      rows: this.#rows.map((row) => ({ ...row })),
      at: this.#at,
      isTrying: this.isTrying,
      keys: this.#keys.map(({ title, strokes, isTried }) => ({
        title,
        caps: this.#keymap.keycaps(strokes),
        isTried,
      })),
      said: this.#said,
    };
  }

  /** False: it is not for the rows. */
  press(stroke: Stroke): boolean {
    const found = this.#keymap.resolve(['navigate', 'global'], [stroke]);
    if (found.type === 'none' && /^(?:Ctrl|Alt|Meta)\+|^F\d/.test(stroke)) return false;
    const command = found.type === 'commands' ? found.commands.find((id) => this.#does(id)) : undefined;
    const tried = this.#keys.find(({ strokes }) => strokes[0] === stroke);
    if (tried && command !== undefined) tried.isTried = true;
    this.#said = command === undefined ? this.#hint() : this.#answer(command);
    return true;
  }

  #does(command: string): boolean {
    const step = STEPS[command];
    const row = this.#rows[this.#at];
    if (step) this.#at = Math.max(0, Math.min(TITLES.length - 1, step(this.#at)));
    else if (command === 'task.complete' && row) row.isDone = !row.isDone;
    else return false;
    return true;
  }

  #answer(command: string): string {
    const row = this.#rows[this.#at];
    const done = row?.isDone ? 'completed' : 'open';
    const said = command === 'task.complete' ? `${row?.title}: ${done}.` : `${row?.title}.`;
    return this.#keys.every(({ isTried }) => isTried) ? `${said} ${BOTH}` : said;
  }

  /** Another key than those that are tried. */
  #hint(): string {
    const left = this.#keys.find(({ isTried }) => !isTried) ?? this.#keys[0];
    return left
      ? `That one is for later. ${this.#keymap.keycaps(left.strokes).join(' ')} ${left.title}.`
      : '';
  }

  #keyOf(
    commands: readonly (readonly [string, string])[],
    { own, all, apple, isInTab }: TrialKeys,
  ): Pick<Key, 'title' | 'strokes'> | null {
    for (const bindings of [own, all])
      for (const [command, title] of commands)
        for (const binding of bindings) {
          if (binding.context !== 'navigate' || binding.command !== command) continue;
          const strokes = parseKeys(binding.keys, apple);
          if (strokes.length > 1 || (isInTab && isLostInTab(strokes, apple))) continue;
          const means = this.#keymap.resolve(['navigate'], strokes);
          if (means.type === 'commands' && means.commands.includes(command)) return { title, strokes };
        }
    return null;
  }
}
