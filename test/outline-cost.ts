// What reading an outline costs, measured on a thread of its own: neither other tests' memory nor a busy machine counts,
// only the time that this thread worked. Posts `Costs` and ends.
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import { parseOutlineText } from '#core/formats/outline-text.ts';

export interface Costs {
  /** How many times as long a text took as its sixteenth part took, read 16 times. */
  readonly shapes: readonly { readonly name: string; readonly ratio: number }[];
  readonly most: number;
  readonly nestedMs: number;
}

const CHARACTERS = 10_496;
const TIMES = 16;
/** Linear work takes as long, with memory that no longer fits the caches up to three times that; quadratic 16 times. */
const MOST = 6;
/** The clock of a thread may count in steps of this many milliseconds. */
const TICK_MS = 4;

function stairs(size: number): string {
  const lines: string[] = [];
  for (let used = 0, depth = 0; used < size; depth += 1) {
    lines.push(`${' '.repeat(depth)}- x`);
    used += depth + 4;
  }
  return lines.join('\n');
}

const shapes: Readonly<Record<string, (size: number) => string>> = {
  'very deep': stairs,
  'very long': (size) => 'word '.repeat(size / 5),
  'many short lines': (size) => 'a\n'.repeat(size / 2),
  'alternating depth': (size) => `a\n${'\t'.repeat(38)}b\n`.repeat(size / 42),
  'tabs beside wide spaces': (size) => `${' '.repeat(40)}a\n${'\t'.repeat(38)}b\n`.repeat(size / 82),
  'only backslashes': (size) => '\\'.repeat(size),
  'only spaces': (size) => ' '.repeat(size),
  'a number and spaces': (size) => `1.${' '.repeat(size)}`,
  'only brackets': (size) => '[ ] '.repeat(size / 4),
  'notes and empty lines': (size) => `- a\n${'  b\n\n\n'.repeat(size / 6)}`,
  'only line ends': (size) => '\r'.repeat(size),
};

export function nestedLines(count: number): string {
  return Array.from({ length: count }, (_, i) => `${'\t'.repeat(i % 12)}- [ ] task number ${i}`).join('\n');
}

/** Milliseconds that this thread worked, the best of three. */
function fastest(text: string, times = 1): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i += 1) {
    const started = process.threadCpuUsage();
    for (let time = 0; time < times; time += 1) parseOutlineText(text);
    const { user, system } = process.threadCpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

function ratioOf(shape: (size: number) => string): number {
  const small = shape(CHARACTERS);
  const large = shape(CHARACTERS * TIMES);
  let ratio = Number.POSITIVE_INFINITY;
  // What is quadratic is far beyond in every attempt.
  for (let i = 0; i < 4 && ratio > MOST; i += 1)
    ratio = fastest(large) / Math.max(fastest(small, TIMES), TICK_MS);
  return ratio;
}

parentPort?.postMessage({
  shapes: Object.entries(shapes).map(([name, shape]) => ({ name, ratio: ratioOf(shape) })),
  most: MOST,
  nestedMs: fastest(nestedLines(10_000)),
} satisfies Costs);
