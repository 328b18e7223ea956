// A person's own keys as data: added and dropped ones. How they are written, read and checked; choices.ts stores them.
import { isRecord, readJson } from '#core/json.ts';
import { failed, ok, type Result } from '#core/result.ts';
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
  typeof value === 'string' && (keyPlaces.some((known) => known === value) || /^dialog\.\w+$/.test(value));

/** Reads own keys from an outside value; the problem is a sentence. */
export function readOwnKeys(value: unknown): Result<OwnKeys, string> {
  if (!isRecord(value)) return failed('It has no keys.');
  const { add = [], drop = [] } = value;
  if (!Array.isArray(add) || !Array.isArray(drop)) return failed('“add” and “drop” must be lists.');
  if (add.length > MOST || drop.length > MOST) return failed(`It has more than ${MOST} keys.`);
  const adds: Binding[] = [];
  const drops: Drop[] = [];
  for (const [list, into] of [
    [add, adds],
    [drop, drops],
  ] as const) {
    for (const [at, one] of list.entries()) {
      const where = `${list === add ? 'add' : 'drop'}[${at}]`;
      if (!isRecord(one)) return failed(`${where} isn’t a key.`);
      const { context, keys, command } = one;
      if (!isContext(context)) return failed(`${where}: there’s no place “${String(context)}”.`);
      if (typeof keys !== 'string' || !isSpelled(keys))
        return failed(`${where}: “${String(keys)}” isn’t a key.`);
      if (into === drops) drops.push({ context, keys });
      else if (typeof command !== 'string' || !/^[a-z]+\.[A-Za-z.]+$/.test(command))
        return failed(`${where}: “${String(command)}” isn’t a command.`);
      else adds.push({ context, keys, command });
    }
  }
  return ok({ add: adds, drop: drops });
}

/** The stored form. */
export function writeOwnKeys({ add, drop }: OwnKeys): string {
  if (add.length === 0 && drop.length === 0) return '';
  return JSON.stringify({ add: add.map(({ context, keys, command }) => ({ context, keys, command })), drop });
}

/** Reads the stored form; none if it cannot be read. */
export function storedOwnKeys(text: string): OwnKeys {
  // Of another version: the keys of the preset apply until own keys are set again.
  const read = readOwnKeys(readJson(text));
  return read.ok ? read.value : none;
}
