// Aliases: names that a person gives to items of the palette, such as a list, a command, a guide. One value of the
// account, so that they are the same on every device.
import { readRecord } from '#core/json.ts';
import { fold } from '#core/search/fold.ts';
import type { Program } from '../app/program.ts';
import { text } from '../settings/setting.ts';

/** Alias → item. Each alias means one item. */
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

  /** Changes with every change of an alias. */
  get revision(): string {
    return this.#read();
  }

  /** Aliases of an item, folded. */
  of(item: string): readonly string[] {
    this.#read();
    return this.#byItem.get(item) ?? [];
  }

  /** Each alias with its item. */
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

/** Gives an item an alias, which loses its former meaning. Returns why it cannot, as a sentence; null: done. */
export function giveName(program: Program, item: string, name: string): string | null {
  const folded = fold(name).trim().replaceAll(/\s+/g, ' ');
  if (folded === '') return 'Type an alias.';
  if (/^[>@#/]/.test(folded)) return 'An alias can’t start with >, @, # or /. They narrow the palette.';
  if (folded.length > LONGEST) return `Aliases can have up to ${LONGEST} characters.`;
  const names = { ...readNames(program.settings.get(paletteNames)), [folded]: item };
  if (Object.keys(names).length > MOST) return `You already have ${MOST} aliases. Remove one first.`;
  write(program, names, 'set an alias in the palette');
  return null;
}

/** Removes the aliases of an item. Returns how many it had. */
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
