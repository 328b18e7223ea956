// How many keys Vim would read for a command that this preset lacks: an operator continues with its motion, f with its
// letter. All of them are swallowed before the command is reported as unknown, so that none of them does something
// else.
import type { Stroke } from '../keys/stroke.ts';

/** Commands that take one more key. */
const WITH_ONE: ReadonlySet<Stroke> = new Set("f Shift+f t Shift+t r m q @ Shift+z [ ] ' `".split(' '));
/** Commands that take a motion. */
const OPERATORS: ReadonlySet<Stroke> = new Set(['d', 'y', 'c', '>', '<', '=', '!']);
const OPERATORS_AFTER: Readonly<Record<Stroke, ReadonlySet<Stroke>>> = {
  g: new Set(['u', 'Shift+u', '~', '?', 'q', 'w', '@', 'c']),
  z: new Set(['f']),
};
/** Motions that take one more key. */
const LONG_MOTIONS: ReadonlySet<Stroke> = new Set('i a f Shift+f t Shift+t g z [ ] \' ` "'.split(' '));
const FORCED: ReadonlySet<Stroke> = new Set(['v', 'Shift+v', 'Ctrl+v']);

function isCount(stroke: Stroke | undefined): boolean {
  return stroke !== undefined && /^\d$/.test(stroke);
}

function pastCount(strokes: readonly Stroke[], from: number): number {
  let at = from;
  while (isCount(strokes[at]) && (at > from || strokes[at] !== '0')) at += 1;
  return at;
}

/** The end of the motion that begins there; past the end of the strokes if more keys are needed. */
function pastMotion(strokes: readonly Stroke[], from: number): number {
  const at = pastCount(strokes, from);
  const key = strokes[at];
  if (key !== undefined && FORCED.has(key)) return pastMotion(strokes, at + 1);
  return at + (key !== undefined && LONG_MOTIONS.has(key) ? 2 : 1);
}

/** For y s, c s and d s, which many add to Vim: surrounding marks. */
function pastSurround(strokes: readonly Stroke[], at: number): number {
  const operator = strokes[at];
  if (operator === 'y') return pastMotion(strokes, at + 2) + 1;
  return at + (operator === 'c' ? 4 : 3);
}

function pastCommand(strokes: readonly Stroke[], at: number): number {
  const key = strokes[at] ?? '';
  const next = strokes[at + 1];
  if (OPERATORS.has(key)) {
    const hasSurround = next === 's' && /^[ycd]$/.test(key);
    return hasSurround ? pastSurround(strokes, at) : pastMotion(strokes, at + 1);
  }
  const long = OPERATORS_AFTER[key];
  if (long !== undefined) return next !== undefined && long.has(next) ? pastMotion(strokes, at + 2) : at + 2;
  return at + (WITH_ONE.has(key) ? 2 : 1);
}

/** Whether Vim would wait for more. */
export function goesOn(strokes: readonly Stroke[]): boolean {
  let at = pastCount(strokes, 0);
  while (strokes[at] === '"') at = pastCount(strokes, at + 2);
  return pastCommand(strokes, at) > strokes.length;
}

/** Whether the key would be text elsewhere: only these belong to Vim's normal mode, others to the browser. */
export function isPrintable(stroke: Stroke | undefined): boolean {
  return stroke !== undefined && /^(?:Shift\+)?.$/u.test(stroke);
}
