// What a sequence of strokes means to Vim, as far as it fits an outline: counts, operators with motions, marks, the dot. Pure
// reading; what is then done is vim.ts. A single motion without a count is an ordinary key, and none of this.
import type { Stroke } from '../keys/stroke.ts';

export type Operator = 'delete' | 'yank' | 'change' | 'indent' | 'outdent';

export type Motion =
  | { readonly type: 'lines'; readonly by: number }
  /** Counted from one; null: the last. */
  | { readonly type: 'line'; readonly at: number | null }
  /** To the next or previous task at most as deep as this one. */
  | { readonly type: 'peers'; readonly by: number }
  | { readonly type: 'mark'; readonly name: string };

export type Meaning =
  | { readonly type: 'none' }
  | { readonly type: 'pending' }
  | { readonly type: 'move'; readonly motion: Motion }
  | { readonly type: 'operate'; readonly operator: Operator; readonly motion: Motion }
  /** The operator twice: so many lines from the cursor on. */
  | { readonly type: 'lines'; readonly operator: Operator; readonly count: number }
  /** In a selection: on what is selected. */
  | { readonly type: 'selected'; readonly operator: Operator }
  | { readonly type: 'select' }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'put'; readonly above: boolean; readonly count: number }
  | { readonly type: 'repeat'; readonly count: number }
  /** An ordinary key, so many times. */
  | { readonly type: 'times'; readonly count: number; readonly strokes: readonly Stroke[] };

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

interface Counted {
  /** Null where none was given. */
  readonly count: number | null;
  readonly rest: readonly Stroke[];
}

function countOf(strokes: readonly Stroke[]): Counted {
  let at = 0;
  while (/^\d$/.test(strokes[at] ?? '') && (at > 0 || strokes[at] !== '0')) at += 1;
  if (at === 0) return { count: null, rest: strokes };
  return { count: Math.min(MOST_TIMES, Number(strokes.slice(0, at).join(''))), rest: strokes.slice(at) };
}

const ONE_STROKE: Readonly<Record<string, (count: number | null) => Motion>> = {
  j: (count) => ({ type: 'lines', by: count ?? 1 }),
  ArrowDown: (count) => ({ type: 'lines', by: count ?? 1 }),
  k: (count) => ({ type: 'lines', by: -(count ?? 1) }),
  ArrowUp: (count) => ({ type: 'lines', by: -(count ?? 1) }),
  'Shift+g': (count) => ({ type: 'line', at: count }),
  '}': (count) => ({ type: 'peers', by: count ?? 1 }),
  '{': (count) => ({ type: 'peers', by: -(count ?? 1) }),
};

/** Null: no motion; 'pending': the beginning of one. */
function motionOf(strokes: readonly Stroke[], count: number | null): Motion | 'pending' | null {
  const [first = '', second] = strokes;
  const one = strokes.length === 1 ? ONE_STROKE[first] : undefined;
  if (one) return one(count);
  if (first === 'g') {
    if (second === undefined) return 'pending';
    return second === 'g' && strokes.length === 2 ? { type: 'line', at: count ?? 1 } : null;
  }
  if (first === "'" || first === '`') {
    if (second === undefined) return 'pending';
    // Twice: to where the last jump began.
    const name = second === '`' ? "'" : second;
    return strokes.length === 2 && /^[a-z']$/.test(name) ? { type: 'mark', name } : null;
  }
  return null;
}

function operation(operator: Operator, counted: Counted, outer: number | null): Meaning {
  const { count: inner, rest } = counted;
  if (rest.length === 0) return PENDING;
  const count = outer === null && inner === null ? null : Math.min(MOST_TIMES, (outer ?? 1) * (inner ?? 1));
  if (rest.length === 1 && OPERATORS[rest[0] ?? ''] === operator)
    return { type: 'lines', operator, count: count ?? 1 };
  // A title is changed, not a stretch of lines.
  if (operator === 'change') return NONE;
  const motion = motionOf(rest, count);
  if (motion === 'pending') return PENDING;
  return motion === null ? NONE : { type: 'operate', operator, motion };
}

/** What one stroke does. */
function actOf(stroke: Stroke, count: number): Meaning | null {
  if (stroke === '.') return { type: 'repeat', count };
  if (stroke === 'p' || stroke === 'Shift+p') return { type: 'put', above: stroke === 'Shift+p', count };
  return stroke === 'v' || stroke === 'Shift+v' ? { type: 'select' } : null;
}

/** A motion that is bound as an ordinary key, and so may be bound otherwise. */
const ORDINARY = new Set<Stroke>(['j', 'k', 'ArrowDown', 'ArrowUp', 'Shift+g', 'g']);

/** `isSelecting`: after v, where operators act on what is selected and motions extend it. */
export function meaningOf(strokes: readonly Stroke[], isSelecting: boolean): Meaning {
  const { count, rest } = countOf(strokes);
  const [first = '', second] = rest;
  if (first === '') return strokes.length === 0 ? NONE : PENDING;
  const operator = OPERATORS[first];
  if (operator !== undefined) {
    if (isSelecting && operator !== 'change') return { type: 'selected', operator };
    return operation(operator, countOf(rest.slice(1)), count);
  }
  if (first === 'm') {
    if (second === undefined) return PENDING;
    return rest.length === 2 && /^[a-z]$/.test(second) ? { type: 'mark', name: second } : NONE;
  }
  const act = rest.length === 1 ? actOf(first, count ?? 1) : null;
  if (act !== null) return act;
  const motion = motionOf(rest, count);
  if (motion === 'pending') return first !== 'g' ? PENDING : count === null ? NONE : PENDING;
  if (motion !== null && (count !== null || isSelecting || !ORDINARY.has(first)))
    return { type: 'move', motion };
  return count === null ? NONE : { type: 'times', count, strokes: rest };
}

/** What may follow an operator. */
const TARGETS: readonly { readonly stroke: Stroke; readonly title: string }[] = [
  { stroke: 'd', title: 'This task: delete' },
  { stroke: 'y', title: 'This task: copy' },
  { stroke: 'c', title: 'This task: change the title' },
  { stroke: '>', title: 'This task: indent' },
  { stroke: '<', title: 'This task: outdent' },
  { stroke: 'j', title: 'With the next one' },
  { stroke: 'k', title: 'With the one before' },
  { stroke: 'g', title: 'g g: to the first one' },
  { stroke: 'Shift+g', title: 'To the last one' },
  { stroke: '}', title: 'To the next one as deep' },
  { stroke: '{', title: 'To the one before as deep' },
  { stroke: "'", title: 'To a mark' },
];

/** What may follow what was begun, as far as it can be listed. */
export function continuationsOf(
  strokes: readonly Stroke[],
): readonly { readonly stroke: Stroke; readonly title: string }[] {
  const [operator = ''] = countOf(strokes).rest;
  const last = strokes.at(-1) ?? '';
  if (OPERATORS[operator] === undefined || /^['`]$/.test(last)) return [];
  return TARGETS.filter(({ stroke }) => meaningOf([...strokes, stroke], false).type !== 'none');
}
