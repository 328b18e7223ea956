// The meaning of strokes in Vim, as far as it fits an outline: counts, registers, operators with motions, marks,
// recording, the dot. Pure parsing; vim.ts carries it out. A single motion without a count is an ordinary key, and not
// parsed here; for commands of Vim that are missing here, shape.ts knows where they end.
import type { Stroke } from '../keys/stroke.ts';

export type Operator = 'delete' | 'yank' | 'change' | 'indent' | 'outdent';

export type Motion =
  | { readonly type: 'lines'; readonly by: number }
  /** Counted from one; null: the last. */
  | { readonly type: 'line'; readonly at: number | null }
  /** To the next or previous task at this depth or above. */
  | { readonly type: 'peers'; readonly by: number }
  /** By that many screens. */
  | { readonly type: 'screens'; readonly by: number }
  /** To a line on screen, counted from one from the top or the bottom. */
  | { readonly type: 'onScreen'; readonly from: 'top' | 'middle' | 'bottom'; readonly at: number }
  | { readonly type: 'mark'; readonly name: string };

/** Null: the unnamed one. */
export type RegisterName = string | null;

interface InRegister {
  readonly register: RegisterName;
}

export type Meaning =
  | { readonly type: 'none' }
  | { readonly type: 'pending' }
  /** A command of Vim that is missing here; the ordinary meaning of its keys is not meant. */
  | { readonly type: 'unknown' }
  | { readonly type: 'move'; readonly motion: Motion }
  | ({ readonly type: 'operate'; readonly operator: Operator; readonly motion: Motion } & InRegister)
  /** The operator twice: that many lines from the cursor on. */
  | ({ readonly type: 'lines'; readonly operator: Operator; readonly count: number } & InRegister)
  /** During a selection: on the selected tasks. */
  | ({ readonly type: 'selected'; readonly operator: Operator } & InRegister)
  | { readonly type: 'select' }
  | { readonly type: 'reselect' }
  /** The cursor goes to the other end of the selection. */
  | { readonly type: 'swap' }
  | { readonly type: 'mark'; readonly name: string }
  | ({ readonly type: 'put'; readonly above: boolean; readonly count: number } & InRegister)
  | { readonly type: 'match'; readonly by: number }
  | { readonly type: 'repeat'; readonly count: number }
  /** Null: ends the recording. */
  | { readonly type: 'record'; readonly name: string | null }
  /** Null: the last replayed one. */
  | { readonly type: 'replay'; readonly name: string | null; readonly count: number }
  /** Starts a search: an operator cannot wait for it. */
  | { readonly type: 'search' }
  /** An ordinary key, that many times. */
  | { readonly type: 'times'; readonly count: number; readonly strokes: readonly Stroke[] };

/** The state that the parsing depends on. */
export interface Mode {
  /** After v: operators act on the selection and motions extend it. */
  readonly isSelecting: boolean;
  readonly isRecording: boolean;
  /** The ordinary meaning of strokes, which a count may precede. */
  readonly ordinary: (strokes: readonly Stroke[]) => 'commands' | 'pending' | 'none';
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  d: 'delete',
  y: 'yank',
  c: 'change',
  '>': 'indent',
  '<': 'outdent',
};

export function strokeOfOperator(operator: Operator): Stroke {
  return Object.keys(OPERATORS).find((stroke) => OPERATORS[stroke] === operator) ?? '';
}

const MOST_TIMES = 999;
const NONE: Meaning = { type: 'none' };
const PENDING: Meaning = { type: 'pending' };
const UNKNOWN: Meaning = { type: 'unknown' };

interface Counted {
  /** Null if none was given. */
  readonly count: number | null;
  readonly rest: readonly Stroke[];
}

function countOf(strokes: readonly Stroke[]): Counted {
  let at = 0;
  while (/^\d$/.test(strokes[at] ?? '') && (at > 0 || strokes[at] !== '0')) at += 1;
  if (at === 0) return { count: null, rest: strokes };
  return { count: Math.min(MOST_TIMES, Number(strokes.slice(0, at).join(''))), rest: strokes.slice(at) };
}

function product(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : Math.min(MOST_TIMES, (a ?? 1) * (b ?? 1));
}

/** The letter as typed. */
export function letterOf(stroke: Stroke): string {
  return stroke.startsWith('Shift+') ? stroke.slice('Shift+'.length).toUpperCase() : stroke;
}

interface Begun extends Counted {
  readonly register: RegisterName;
  readonly hasRegister: boolean;
}

/** Counts and a register, in any order. Null: the register is not named yet, or does not exist. */
function beginningOf(strokes: readonly Stroke[]): Begun | 'pending' | null {
  const first = countOf(strokes);
  if (first.rest[0] !== '"') return { ...first, register: null, hasRegister: false };
  const name = first.rest[1];
  if (name === undefined) return 'pending';
  if (!/^(?:(?:Shift\+)?[a-z]|[0-9"+*_])$/.test(name)) return null;
  const second = countOf(first.rest.slice(2));
  const letter = letterOf(name);
  const register = letter === '"' ? null : letter === '*' ? '+' : letter;
  return { count: product(first.count, second.count), rest: second.rest, register, hasRegister: true };
}

const ONE_STROKE: Readonly<Record<string, (count: number | null) => Motion>> = {
  j: (count) => ({ type: 'lines', by: count ?? 1 }),
  '+': (count) => ({ type: 'lines', by: count ?? 1 }),
  ArrowDown: (count) => ({ type: 'lines', by: count ?? 1 }),
  k: (count) => ({ type: 'lines', by: -(count ?? 1) }),
  '-': (count) => ({ type: 'lines', by: -(count ?? 1) }),
  ArrowUp: (count) => ({ type: 'lines', by: -(count ?? 1) }),
  'Shift+g': (count) => ({ type: 'line', at: count }),
  '}': (count) => ({ type: 'peers', by: count ?? 1 }),
  '{': (count) => ({ type: 'peers', by: -(count ?? 1) }),
  'Ctrl+f': (count) => ({ type: 'screens', by: count ?? 1 }),
  'Ctrl+b': (count) => ({ type: 'screens', by: -(count ?? 1) }),
  'Ctrl+d': (count) => ({ type: 'screens', by: (count ?? 1) / 2 }),
  'Ctrl+u': (count) => ({ type: 'screens', by: -(count ?? 1) / 2 }),
  'Shift+h': (count) => ({ type: 'onScreen', from: 'top', at: count ?? 1 }),
  'Shift+m': () => ({ type: 'onScreen', from: 'middle', at: 1 }),
  'Shift+l': (count) => ({ type: 'onScreen', from: 'bottom', at: count ?? 1 }),
};

/** Null: no motion; 'pending': the beginning of one. */
function motionOf(strokes: readonly Stroke[], count: number | null): Motion | 'pending' | null {
  const [first = '', second] = strokes;
  const one = strokes.length === 1 ? ONE_STROKE[first] : undefined;
  if (one) return one(count);
  if (first === 'g') {
    if (second === undefined) return 'pending';
    if (strokes.length === 2 && /^[jk]$/.test(second)) return ONE_STROKE[second]?.(count) ?? null;
    return second === 'g' && strokes.length === 2 ? { type: 'line', at: count ?? 1 } : null;
  }
  if (first === "'" || first === '`') {
    if (second === undefined) return 'pending';
    // Twice: to the start of the last jump.
    const name = second === '`' ? "'" : second;
    return strokes.length === 2 && /^[a-z']$/.test(name) ? { type: 'mark', name } : null;
  }
  return null;
}

function operation(operator: Operator, counted: Counted, { count: outer, register }: Begun): Meaning {
  const { count: inner, rest } = counted;
  if (rest.length === 0) return PENDING;
  const count = product(outer, inner);
  const [first = ''] = rest;
  if (rest.length === 1 && OPERATORS[first] === operator)
    return { type: 'lines', operator, count: count ?? 1, register };
  if (rest.length === 1 && /^[/?]$/.test(first)) return { type: 'search' };
  // Change applies to a title, not to a range of lines.
  if (operator === 'change') return NONE;
  const motion = motionOf(rest, count);
  if (motion === 'pending') return PENDING;
  return motion === null ? NONE : { type: 'operate', operator, motion, register };
}

/** An operator with its motion in one stroke. */
const SHORT: Readonly<Record<string, Operator>> = { 'Shift+y': 'yank', 'Shift+c': 'change' };
const BY_MATCH: Readonly<Record<string, 1 | -1>> = { n: 1, 'Shift+n': -1 };

/** The action of a single stroke. */
function actOf(stroke: Stroke, begun: Begun, { isSelecting, isRecording }: Mode): Meaning | null {
  const { register } = begun;
  const count = begun.count ?? 1;
  if (stroke === 'p' || stroke === 'Shift+p')
    return { type: 'put', above: stroke === 'Shift+p', count, register };
  const short = SHORT[stroke];
  if (short !== undefined && isSelecting && short !== 'change')
    return { type: 'selected', operator: short, register };
  if (short !== undefined) return { type: 'lines', operator: short, count, register };
  if (begun.hasRegister) return null;
  if (stroke === '.') return { type: 'repeat', count };
  if (stroke === 'q' && isRecording) return { type: 'record', name: null };
  if (stroke === 'o' && isSelecting) return { type: 'swap' };
  const by = BY_MATCH[stroke];
  if (by !== undefined && (isSelecting || begun.count !== null)) return { type: 'match', by: by * count };
  return stroke === 'v' || stroke === 'Shift+v' ? { type: 'select' } : null;
}

/** The action of a letter or sign with its argument: marks and recording. */
function namedOf(first: Stroke, second: Stroke | undefined, count: number): Meaning | null {
  if (first !== 'm' && first !== 'q' && first !== '@') return null;
  if (second === undefined) return PENDING;
  if (first === 'm') return /^[a-z]$/.test(second) ? { type: 'mark', name: second } : NONE;
  if (first === '@' && second === '@') return { type: 'replay', name: null, count };
  const isName = first === 'q' ? /^(?:Shift\+)?[a-z]$/ : /^[a-z]$/;
  if (!isName.test(second)) return NONE;
  const name = letterOf(second);
  return first === 'q' ? { type: 'record', name } : { type: 'replay', name, count };
}

/** Motions that are bound as ordinary keys, and so can be rebound. */
const ORDINARY = new Set<Stroke>(
  'j k + - ArrowDown ArrowUp Shift+g g Shift+h Shift+m Shift+l Ctrl+f Ctrl+b Ctrl+d Ctrl+u'.split(' '),
);

export function meaningOf(strokes: readonly Stroke[], mode: Mode): Meaning {
  const begun = beginningOf(strokes);
  if (begun === 'pending') return PENDING;
  if (begun === null || strokes.length === 0) return NONE;
  const { count, rest, register, hasRegister } = begun;
  const [first = '', second] = rest;
  if (first === '') return PENDING;
  const { isSelecting } = mode;
  const operator = OPERATORS[first];
  if (operator !== undefined) {
    if (isSelecting && operator !== 'change') return { type: 'selected', operator, register };
    return operation(operator, countOf(rest.slice(1)), begun);
  }
  const act = rest.length === 1 ? actOf(first, begun, mode) : null;
  if (act !== null) return act;
  // Nothing else takes a register here.
  if (hasRegister) return NONE;
  // Text objects do not exist here, and neither does the editing that these keys begin.
  if (isSelecting && /^[ia]$/.test(first)) return rest.length === 1 ? PENDING : UNKNOWN;
  if (rest.length === 2 && first === 'g' && second === 'v') return { type: 'reselect' };
  const named = rest.length <= 2 ? namedOf(first, second, count ?? 1) : null;
  if (named !== null) return named;
  const motion = motionOf(rest, count);
  if (motion === 'pending') return first !== 'g' ? PENDING : count === null ? NONE : PENDING;
  if (motion !== null && (count !== null || isSelecting || !ORDINARY.has(first)))
    return { type: 'move', motion };
  if (count === null) return NONE;
  const ordinary = mode.ordinary(rest);
  if (ordinary === 'none') return NONE;
  return ordinary === 'pending' ? PENDING : { type: 'times', count, strokes: rest };
}

/** Strokes that may follow an operator. */
const TARGETS: readonly { readonly stroke: Stroke; readonly title: string }[] = [
  { stroke: 'd', title: 'This task: delete' },
  { stroke: 'y', title: 'This task: copy' },
  { stroke: 'c', title: 'This task: change the title' },
  { stroke: '>', title: 'This task: indent' },
  { stroke: '<', title: 'This task: outdent' },
  { stroke: 'j', title: 'This and the next one' },
  { stroke: 'k', title: 'This and the previous one' },
  { stroke: 'g', title: 'g g: to the first one' },
  { stroke: 'Shift+g', title: 'To the last one' },
  { stroke: '}', title: 'To the next one on this level' },
  { stroke: '{', title: 'To the previous one on this level' },
  { stroke: 'Shift+h', title: 'To the first one on screen' },
  { stroke: 'Shift+l', title: 'To the last one on screen' },
  { stroke: "'", title: 'To a mark' },
];

const WITH_REGISTER: readonly { readonly stroke: Stroke; readonly title: string }[] = [
  { stroke: 'd', title: 'Delete into it' },
  { stroke: 'y', title: 'Copy into it' },
  { stroke: 'p', title: 'Put it below' },
  { stroke: 'Shift+p', title: 'Put it above' },
];

const PLAIN: Mode = { isSelecting: false, isRecording: false, ordinary: () => 'none' };

/** Strokes that may follow the pending ones, as far as they can be listed. */
export function continuationsOf(
  strokes: readonly Stroke[],
): readonly { readonly stroke: Stroke; readonly title: string }[] {
  const begun = beginningOf(strokes);
  if (begun === null || begun === 'pending') return [];
  const [operator = ''] = begun.rest;
  if (operator === '') return begun.hasRegister ? WITH_REGISTER : [];
  const last = strokes.at(-1) ?? '';
  if (OPERATORS[operator] === undefined || /^['`]$/.test(last)) return [];
  return TARGETS.filter(({ stroke }) => meaningOf([...strokes, stroke], PLAIN).type !== 'none');
}
