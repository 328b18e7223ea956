// Writes a query in its one canonical form: what reading is held against, for it has to read back to the same query.
import { quoted } from '#core/search/pieces.ts';
import type { DateTest, Directives, Expression, Query, Term } from '#core/search/query.ts';

export function printQuery({ expression, directives }: Query): string {
  const parts = [
    expression.type === 'all' ? '' : printExpression(expression, 'top'),
    ...printDirectives(directives),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** OR binds less than what stands side by side, a minus sign more: parentheses where they are needed. */
function printExpression(expression: Expression, inside: 'top' | 'and' | 'or' | 'not'): string {
  switch (expression.type) {
    case 'all':
    case 'none':
      return '';
    case 'and': {
      const text = expression.parts.map((part) => printExpression(part, 'and')).join(' ');
      return inside === 'not' ? `(${text})` : text;
    }
    case 'or': {
      const text = expression.parts.map((part) => printExpression(part, 'or')).join(' OR ');
      return inside === 'top' ? `${text}` : inside === 'or' ? text : `(${text})`;
    }
    case 'not':
      // Two signs cancel each other.
      return expression.part.type === 'not'
        ? printExpression(expression.part.part, inside)
        : `-${printExpression(expression.part, 'not')}`;
    case 'term':
      return printTerm(expression.term);
  }
}

function printTerm(term: Term): string {
  switch (term.type) {
    case 'text':
      return term.field === 'any' ? printWord(term.text) : `${term.field}:${quoted(term.text)}`;
    case 'place':
      return `${term.kind}:${quoted(term.name)}`;
    case 'label':
      return `label:${/^(?:none|any)$/i.test(term.name) ? `"${term.name}"` : quoted(term.name)}`;
    case 'person':
      return `assignee:${/^(?:none|any|anyone|anybody|nobody|noone)$/i.test(term.name) ? `"${term.name}"` : quoted(term.name)}`;
    case 'group':
      return `group:${quoted(term.name)}`;
    case 'is':
      return `is:${term.trait}`;
    case 'has':
      return `has:${term.what}`;
    case 'date':
      return `${term.field}:${printTest(term.test)}`;
    case 'scalar':
      return `${term.field}:${sign(term.comparison)}${term.value}m`;
    case 'meta':
      return `meta:${quoted(term.value === null ? term.key : `${term.key}=${term.value}`)}`;
  }
}

/** A word that would read as something else stands in quotation marks. */
function printWord(text: string): string {
  const isSign = /^[&|!]$/.test(text) || /^\d*[a-z][a-z-]*:/i.test(text);
  return isSign && !text.includes('"') ? `"${text}"` : quoted(text);
}

function sign(comparison: string): string {
  return comparison === '=' ? '' : comparison;
}

function printTest(test: DateTest): string {
  if (test.type === 'none' || test.type === 'any') return test.type;
  if (test.type === 'range') return quoted(`${test.from ?? ''}..${test.to ?? ''}`);
  return quoted(`${sign(test.comparison)}${test.words}`);
}

function printDirectives({ sort, limit, nested, duplicates }: Directives): string[] {
  const switches = [
    ['nested', nested],
    ['duplicates', duplicates],
  ] as const;
  return [
    ...(sort === null ? [] : [`sort:${sort.field}${sort.order === 'desc' ? '-desc' : ''}`]),
    ...(limit === null ? [] : [`limit:${limit}`]),
    ...switches.flatMap(([name, isOn]) => (isOn === null ? [] : [`${isOn ? 'enable' : 'disable'}:${name}`])),
  ];
}
