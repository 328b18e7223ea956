// Puts a query into words: "open tasks in Work, due today or earlier, sorted by due date".
import { scalarField } from '../task-fields.ts';
import { possessions, traits } from './operators.ts';
import type { Comparison, DateField, DateTest, Directives, Expression, Query, Term } from './query.ts';

const FIELDS: Readonly<Record<DateField, string>> = {
  due: 'due',
  start: 'starting',
  snoozed: 'snoozed until',
  completed: 'completed',
  created: 'created',
  updated: 'changed',
  block: 'planned',
};

/** The whole query, as the rest of a sentence: in lower case, without a full stop. */
export function explainQuery({ expression, directives }: Query): string {
  const what = expression.type === 'all' ? 'all tasks' : `tasks ${explain(expression, false)}`;
  return [what, ...explainDirectives(directives)].join(', ');
}

function explain(expression: Expression, isInside: boolean): string {
  switch (expression.type) {
    case 'all':
      return 'of any kind';
    case 'none':
      return 'of no kind';
    case 'and':
      return expression.parts.map((part) => explain(part, true)).join(', ');
    case 'or': {
      const text = expression.parts.map((part) => explain(part, true)).join(' or ');
      return isInside ? `either ${text}` : text;
    }
    case 'not':
      return `not ${explain(expression.part, true)}`;
    case 'term':
      return explainTerm(expression.term);
  }
}

/** One term in words. */
export function explainTerm(term: Term): string {
  switch (term.type) {
    case 'text':
      return term.field === 'any' ? `with “${term.text}”` : `with “${term.text}” in the ${term.field}`;
    case 'place':
      return term.kind === 'in' ? `in ${term.name}` : `in the ${term.kind} ${term.name}`;
    case 'label':
      return `labeled ${term.name}`;
    case 'group':
      return `with a label of ${term.name}`;
    case 'person':
      return `assigned to ${term.name}`;
    case 'is':
      return traits[term.trait];
    case 'has':
      return `with ${possessions[term.what]}`;
    case 'date':
      return explainTest(FIELDS[term.field], term.test);
    case 'scalar': {
      const field = scalarField(term.field);
      return `${field.verb} ${COMPARED[term.comparison]}${field.say(term.value)}`;
    }
    case 'meta':
      return term.value === null ? `with metadata ${term.key}` : `with metadata ${term.key} = ${term.value}`;
  }
}

const COMPARED: Readonly<Record<Comparison, string>> = {
  '=': '',
  '<': 'less than ',
  '<=': 'at most ',
  '>': 'more than ',
  '>=': 'at least ',
};

function explainTest(what: string, test: DateTest): string {
  if (test.type === 'none') return `not ${what} at any time`;
  if (test.type === 'any') return `${what} at some time`;
  if (test.type === 'range') {
    if (test.from === null) return `${what} ${test.to ?? ''} or earlier`;
    return test.to === null ? `${what} ${test.from} or later` : `${what} from ${test.from} to ${test.to}`;
  }
  const after: Readonly<Record<Comparison, string>> = {
    '=': test.words,
    '<': `before ${test.words}`,
    '<=': `${test.words} or earlier`,
    '>': `after ${test.words}`,
    '>=': `${test.words} or later`,
  };
  return `${what} ${after[test.comparison]}`;
}

function explainDirectives({ sort, limit, nested, duplicates }: Directives): string[] {
  return [
    ...(sort === null
      ? []
      : [`sorted by ${sort.field.replace('-', ' ')}${sort.order === 'desc' ? ', last first' : ''}`]),
    ...(limit === null ? [] : [`at most ${limit}`]),
    ...(nested === null ? [] : [nested ? 'with their subtasks' : 'without their subtasks']),
    ...(duplicates === null ? [] : [duplicates ? 'showing double matches twice' : 'each shown once']),
  ];
}
