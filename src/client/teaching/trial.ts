// Sample tasks for trying two keys of a preset without consequences. The real keymap reads the keys, so that they work
// the same in a list.
import type { Binding } from '../keys/keymap.ts';
import { Keymap } from '../keys/keymap.ts';
import { isLostInTab } from '../keys/reserved.ts';
import { parseKeys, type Stroke } from '../keys/stroke.ts';
import { type ListMove, movedTo } from '../dialogs/list-cursor.ts';
import type { TryView } from './first-run-view.ts';

interface Key {
  readonly id: 'move' | 'complete';
  readonly title: string;
  readonly strokes: readonly Stroke[];
  isTried: boolean;
}

/** Commands to try: of each row, the first with a key that arrives here. */
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
const MOVES: Readonly<Record<string, ListMove>> = {
  'cursor.down': 'down',
  'cursor.up': 'up',
  'cursor.first': 'first',
  'cursor.last': 'last',
};
const BOTH = 'Both work. These are your keys from now on.';

interface TrialKeys {
  /** Every binding that counts. */
  readonly all: readonly Binding[];
  /** Bindings that only this preset has: they are preferred. */
  readonly own: readonly Binding[];
  readonly apple: boolean;
  /** The app runs in a tab, where the browser reserves some keys. */
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

  /** False: the stroke is not for the rows. */
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
    const move = MOVES[command];
    const row = this.#rows[this.#at];
    if (move) this.#at = movedTo(this.#at, TITLES.length, move);
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

  /** The hint for any other key. */
  #hint(): string {
    const left = this.#keys.find(({ isTried }) => !isTried) ?? this.#keys[0];
    return left
      ? `Save that one for later. ${this.#keymap.keycaps(left.strokes).join(' ')} ${left.title}.`
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
