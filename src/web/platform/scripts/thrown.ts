// Sentences about what a script threw, with the line where it did.
import { scriptLimits } from '#client/macros/script/port.ts';
import { complaint, type Complaint } from '#client/macros/script/returned.ts';
import { SCRIPT_NAME } from './prelude.ts';

const CHARACTERS = 300;

/** What a script threw: of an error its members, of anything else what it says. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly said: string;
}

/** Sentences that the engine's own limits end in. */
export const sentences = {
  slow: `The script took longer than ${scriptLimits.runMs / 1_000} seconds, so it was stopped.`,
  memory: `The script used more than ${scriptLimits.memoryMegabytes} MB of memory, so it was stopped.`,
  depth: 'The script’s functions call each other too many times, so it was stopped.',
} as const;

/** One line of text that can be shown: shortened, without characters that cannot be seen. */
function oneLine(text: string): string {
  const plain = text
    .slice(0, 4 * CHARACTERS)
    .toWellFormed()
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  const [...letters] = plain;
  return letters.length > CHARACTERS ? `${letters.slice(0, CHARACTERS).join('')}…` : plain;
}

const LINE = new RegExp(`${SCRIPT_NAME.replace('.', '\\.')}:(\\d{1,6})`);

/** The first line of the script in a stack. */
export function lineIn(stack: string): number | null {
  const found = stack.slice(0, 20_000).match(LINE)?.[1];
  return found === undefined ? null : Number(found);
}

/** How things stood when it was thrown. */
export interface Circumstances {
  /** Its time was over. */
  readonly isLate: boolean;
  /** Its memory was used up. */
  readonly isFull: boolean;
  /** The script was being read, and its top level ran. */
  readonly isReading: boolean;
}

/** What to say about it. */
export function sentenceOf(
  { name, message, stack, said }: Thrown,
  { isLate, isFull, isReading }: Circumstances,
): Complaint {
  const line = lineIn(stack);
  const where = line === null ? '' : ` in line ${line}`;
  if (isLate) return complaint('slow', sentences.slow, line);
  // Without memory for an error, the engine throws null.
  const isRefused = said === 'null' ? isFull : name === 'InternalError' && message.includes('memory');
  if (isRefused) return complaint('memory', sentences.memory, line);
  if (message.includes('stack') && (name === 'InternalError' || name === 'RangeError'))
    return complaint('depth', sentences.depth, line);
  // Code that cannot be read has no function in its stack.
  if (isReading && name === 'SyntaxError' && !/ at (?:\S+ )?\(|<eval>/.test(stack))
    return complaint('syntax', `The script has a mistake${where}: ${oneLine(message)}.`, line);
  const what = name === '' ? said || message : `${name}: ${message}`;
  const shown = oneLine(what);
  return complaint(
    'threw',
    `The script stopped with an error${where}${shown === '' ? '.' : `: ${shown}`}`,
    line,
  );
}
