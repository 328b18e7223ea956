// A person's own keys as data: what was added, what was taken away. How they are written down, read again and checked; where
// they are kept is choices.ts.
import { isRecord, readJson } from '#core/json.ts';
import type { KeyContext } from '../commands/command.ts';
import type { Binding } from './keymap.ts';
import type { Drop } from './layers.ts';
import { keyPlaces } from './place-names.ts';
import { isSpelled } from './spelling.ts';

export interface OwnKeys {
  readonly add: readonly Binding[];
  readonly drop: readonly Drop[];
}

export const none: OwnKeys = { add: [], drop: [] };

const MOST = 1_000;

const isContext = (value: unknown): value is KeyContext =>
  typeof value === 'string' && keyPlaces.some((known) => known === value);

/** The own keys in a value from outside, or the sentence that says what is wrong with it. */
export function readOwnKeys(value: unknown): OwnKeys | string {
  if (!isRecord(value)) return 'There are no keys in it.';
  const { add = [], drop = [] } = value;
  if (!Array.isArray(add) || !Array.isArray(drop)) return '“add” and “drop” must be lists.';
  if (add.length > MOST || drop.length > MOST) return `There are more than ${MOST} keys in it.`;
  const adds: Binding[] = [];
  const drops: Drop[] = [];
  for (const [list, into] of [
    [add, adds],
    [drop, drops],
  ] as const) {
    for (const [at, one] of list.entries()) {
      const where = `${list === add ? 'add' : 'drop'}[${at}]`;
      if (!isRecord(one)) return `${where} is no key.`;
      const { context, keys, command } = one;
      if (!isContext(context)) return `${where}: there is no place “${String(context)}”.`;
      if (typeof keys !== 'string' || !isSpelled(keys)) return `${where}: “${String(keys)}” is no key.`;
      if (into === drops) drops.push({ context, keys });
      else if (typeof command !== 'string' || !/^[a-z]+\.[A-Za-z.]+$/.test(command))
        return `${where}: “${String(command)}” is no command.`;
      else adds.push({ context, keys, command });
    }
  }
  return { add: adds, drop: drops };
}

/** As it is stored. */
export function writeOwnKeys({ add, drop }: OwnKeys): string {
  if (add.length === 0 && drop.length === 0) return '';
  return JSON.stringify({ add: add.map(({ context, keys, command }) => ({ context, keys, command })), drop });
}

/** What was stored; none where it cannot be read. */
export function storedOwnKeys(text: string): OwnKeys {
  // Of another version: the keys of the preset count until they are set again.
  const read = readOwnKeys(readJson(text));
  return typeof read === 'string' ? none : read;
}
