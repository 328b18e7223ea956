// The bits of the index that a query requires: tasks without them, or with bits that they must not have, are skipped
// unread. Never wrong, only sometimes useless.
import type { Expression, Possession, Term, Trait } from '#core/search/query.ts';
import { bits, scalarBits } from './task-index.ts';

export interface Narrowing {
  /** Bits that every match has, and bits that no match has. */
  readonly set: number;
  readonly clear: number;
}

const anything: Narrowing = { set: 0, clear: 0 };

const possessions: Readonly<Partial<Record<Possession, number>>> = {
  due: bits.due,
  start: bits.start,
  snooze: bits.snooze,
  notes: bits.notes,
  label: bits.label,
  block: bits.block,
  ...scalarBits,
  metadata: bits.metadata,
};

const traits: Readonly<Partial<Record<Trait, number>>> = {
  complete: bits.done,
  cleared: bits.cleared,
  repeating: bits.repeat,
  bookmarked: bits.bookmark,
  emailed: bits.origin,
};

const fields = {
  due: bits.due,
  start: bits.start,
  snoozed: bits.snooze,
  completed: bits.done,
  created: 0,
  updated: 0,
  block: bits.block,
} as const;

/** The bit with the same meaning as the term; 0 when there is none. */
function bitOf(term: Term): number {
  if (term.type === 'has') return possessions[term.what] ?? 0;
  return term.type === 'is' ? (traits[term.trait] ?? 0) : 0;
}

function ofTerm(term: Term): Narrowing {
  switch (term.type) {
    case 'label':
    case 'group':
      return { set: bits.label, clear: 0 };
    case 'scalar':
      return { set: scalarBits[term.field], clear: 0 };
    case 'meta':
      return { set: bits.metadata, clear: 0 };
    case 'date':
      return term.test.type === 'none'
        ? { set: 0, clear: fields[term.field] }
        : { set: fields[term.field], clear: 0 };
    case 'is':
      return ofTrait(term.trait);
    case 'has':
      return { set: bitOf(term), clear: 0 };
    default:
      return anything;
  }
}

function ofTrait(trait: Trait): Narrowing {
  switch (trait) {
    case 'incomplete':
      return { set: 0, clear: bits.done };
    case 'uncleared':
      return { set: bits.done, clear: bits.cleared };
    case 'overdue':
    case 'due':
      return { set: bits.due, clear: bits.done };
    case 'future':
      return { set: bits.start, clear: 0 };
    case 'snoozed':
      return { set: bits.snooze, clear: 0 };
    default:
      return { set: traits[trait] ?? 0, clear: 0 };
  }
}

export function narrowingOf(expression: Expression): Narrowing {
  switch (expression.type) {
    case 'all':
    case 'none':
      return anything;
    case 'term':
      return ofTerm(expression.term);
    case 'not': {
      const { part } = expression;
      if (part.type !== 'term') return anything;
      if (part.term.type === 'is' && part.term.trait === 'incomplete') return { set: bits.done, clear: 0 };
      return { set: 0, clear: bitOf(part.term) };
    }
    case 'and':
      return expression.parts.map(narrowingOf).reduce((a, b) => ({
        set: a.set | b.set,
        clear: a.clear | b.clear,
      }));
    case 'or':
      return expression.parts.map(narrowingOf).reduce((a, b) => ({
        set: a.set & b.set,
        clear: a.clear & b.clear,
      }));
  }
}
