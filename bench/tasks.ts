// The tasks every measurement uses: the same titles for every page under test, and the keys of a search over them.
// Not here: how they become rows of the app (rows.ts).

const ACTIONS = [
  'Answer',
  'Arrange',
  'Bring',
  'Compare',
  'Describe',
  'Finish',
  'Inspect',
  'Measure',
  'Paint',
  'Repair',
  'Return',
];
const OBJECTS = [
  'the letter',
  'the bridge',
  'a chair',
  'the map',
  'two lamps',
  'the engine',
  'a recipe',
  'the roof',
  'the index',
];
const ADDITIONS = [
  'in the morning',
  'when it is dry',
  'after the call',
  'at the station',
  'on paper',
  'once more',
  'by hand',
];

function pick(words: readonly string[], at: number): string {
  return words[at % words.length] ?? '';
}

/** About 40 characters; ends in a number of its own, which searches look for. */
export function taskTitle(number: number): string {
  return `${pick(ACTIONS, number)} ${pick(OBJECTS, number)} ${pick(ADDITIONS, number)} no.${number}`;
}

export function taskTitles(count: number): string[] {
  return Array.from({ length: count }, (_, number) => taskTitle(number));
}

/** What a search has in its field before the first digit is typed. */
export const SEARCH_PREFIX = 'no.';

export interface SearchKey {
  /** The field has to be emptied and given the prefix before this key. */
  readonly isFirst: boolean;
  readonly key: string;
  /** The whole query once the key is in. */
  readonly query: string;
}

/**
 * The n-th keystroke of a search: numbers of existing tasks typed digit by digit, so that every key narrows the hits
 * about tenfold, from a tenth of all tasks down to a few.
 */
export function searchKey(at: number, taskCount: number): SearchKey {
  const digits = String(taskCount).length - 1;
  const round = Math.floor(at / digits);
  const lowest = 10 ** (digits - 1);
  const number = String(lowest + ((round * 6_151 + 47) % (taskCount - lowest)));
  const typed = number.slice(0, (at % digits) + 1);
  return { isFirst: at % digits === 0, key: typed.at(-1) ?? '', query: `${SEARCH_PREFIX}${typed}` };
}
