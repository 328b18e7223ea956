// Names of lists as names of files, on every system.
import type { Id } from '#core/ids.ts';
import type { TwinList } from './model.ts';

const MOST = 100;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** The name of a list as the name of its file, without `.md`. */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[/\\:*?"<>|]/g, '-')
    .replace(/^[.\s]+/u, '')
    .slice(0, MOST)
    .toWellFormed()
    .replace(/[.\s~]+$/u, '');
  if (plain === '') return 'Untitled';
  return RESERVED.test(plain) ? `${plain}-` : plain;
}

const dirOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const stemOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
export const inPath = { dirOf, stemOf };

/** The directory of a folder; '' is the top. */
export function dirOfFolder(folder: Id | null, lists: ReadonlyMap<Id, TwinList>): string {
  const names: string[] = [];
  const seen = new Set<Id>();
  for (let at = folder; at !== null && !seen.has(at);) {
    const list = lists.get(at);
    if (list === undefined) break;
    seen.add(at);
    names.unshift(fileName(list.name));
    const { parent: above } = list;
    at = above;
  }
  return names.join('/');
}

/** Where the file of a list belongs. A file that is there already keeps its number. */
export function pathFor(
  list: TwinList,
  lists: ReadonlyMap<Id, TwinList>,
  { present, isTaken }: { readonly present: string | null; readonly isTaken: (path: string) => boolean },
): string {
  const dir = dirOfFolder(list.parent, lists);
  const name = fileName(list.name);
  if (present !== null && dirOf(present) === dir) {
    const stem = stemOf(present);
    if (stem === name || stem.replace(/ \(\d+\)$/, '') === name) return present;
  }
  const path = (number: number) =>
    `${dir === '' ? '' : `${dir}/`}${name}${number === 1 ? '' : ` (${number})`}.md`;
  let number = 1;
  while (isTaken(path(number))) number += 1;
  return path(number);
}
