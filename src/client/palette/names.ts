// Aliases: names that a person gave to things in the palette, whatever they are: a list, a command, a guide. One value of
// the account, so that they are the same on every device.
import { readRecord } from '#core/json.ts';
import { fold } from '#core/search/fold.ts';
import type { Program } from '../program.ts';
import { text } from '../settings/setting.ts';

/** Name → item. Each name means one thing. */
type Names = Readonly<Record<string, string>>;

const paletteNames = text({
  key: 'paletteNames',
  title: 'Aliases in the palette',
  tab: 'General',
  scope: 'account',
  fallback: '',
});

const MOST = 500;
const LONGEST = 60;

function readNames(stored: string): Names {
  return Object.fromEntries(
    Object.entries(readRecord(stored)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

export class OwnNames {
  readonly #program: Pick<Program, 'settings'>;
  #stored: string | null = null;
  #names: Names = {};
  #byItem: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(program: Pick<Program, 'settings'>) {
    this.#program = program;
  }

  /** Changes whenever a name does. */
  get revision(): string {
    return this.#read();
  }

  /** Those of an item, folded. */
  of(item: string): readonly string[] {
    this.#read();
    return this.#byItem.get(item) ?? [];
  }

  /** Each with the item that it means. */
  get all(): readonly (readonly [name: string, item: string])[] {
    this.#read();
    return Object.entries(this.#names);
  }

  #read(): string {
    const stored = this.#program.settings.get(paletteNames);
    if (stored === this.#stored) return stored;
    this.#stored = stored;
    this.#names = readNames(stored);
    const byItem = new Map<string, string[]>();
    for (const [name, item] of Object.entries(this.#names))
      byItem.set(item, [...(byItem.get(item) ?? []), name]);
    this.#byItem = byItem;
    return stored;
  }
}

/** Gives an item a name, which ends what it meant before. A text says why it cannot have it. */
export function giveName(program: Program, item: string, name: string): string | null {
  const folded = fold(name).trim().replaceAll(/\s+/g, ' ');
  if (folded === '') return 'Type an alias.';
  if (/^[>@#/]/.test(folded)) return 'An alias cannot begin with >, @, # or /: they narrow the palette.';
  if (folded.length > LONGEST) return `An alias has at most ${LONGEST} characters.`;
  const names = { ...readNames(program.settings.get(paletteNames)), [folded]: item };
  if (Object.keys(names).length > MOST) return `There are ${MOST} aliases already. Remove one first.`;
  write(program, names, 'set an alias in the palette');
  return null;
}

/** How many names it had. */
export function takeNames(program: Program, item: string): number {
  const names = Object.entries(readNames(program.settings.get(paletteNames)));
  const left = names.filter(([, of]) => of !== item);
  if (left.length < names.length)
    write(program, Object.fromEntries(left), 'removed an alias from the palette');
  return names.length - left.length;
}

function write(program: Program, names: Names, label: string): void {
  const isEmpty = Object.keys(names).length === 0;
  program.change(program.settings.actions(paletteNames, isEmpty ? null : JSON.stringify(names)), label);
}
