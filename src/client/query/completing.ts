// Completions of a query: operators with their meaning, and their values, for the word at the caret.
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import { type Operator, operatorNamed, operators, possessions, traits } from '#core/search/operators.ts';
import { piecesOf, quoted, type Piece } from '#core/search/pieces.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { World } from '#sync/query/world.ts';

export interface Completion {
  /** The completed query and its caret. */
  readonly query: string;
  readonly caret: number;
  readonly text: string;
  readonly description: string;
}

interface Value {
  readonly text: string;
  readonly description: string;
}

const MOST = 6;
/** A shorter word is usually no operator. */
const SHORTEST_OPERATOR = 2;

export function completionsAt(world: World, query: string, caret: number): readonly Completion[] {
  const piece = piecesOf(query.slice(0, caret)).at(-1);
  if (piece?.kind !== 'word' || piece.end !== caret) return [];
  // The rest of the word when the caret is inside it.
  const rest = /^[^\s()"“”]*/u.exec(query.slice(caret))?.[0] ?? '';
  const end = caret + rest.length;
  const put = ({ text: shown, description }: Value, text: string, isWhole: boolean): Completion => {
    const after = query.slice(end);
    const gap = isWhole && !after.startsWith(' ') ? ' ' : '';
    const head = `${query.slice(0, piece.start)}${text}${gap}`;
    return {
      query: head + after,
      caret: head.length + (isWhole && gap === '' ? 1 : 0),
      text: shown,
      description,
    };
  };
  const sign = piece.isQuoted ? '' : piece.text.slice(0, 1);
  const named = NAMED_AS[sign];
  if (piece.operator === null && named !== undefined)
    return namedAs(world, named, piece.text.slice(1)).map((value) => put(value, value.text, true));
  if (piece.operator === null) return operatorsFor(piece).map((value) => put(value, value.text, false));
  const operator = operatorNamed(piece.operator);
  if (!operator) return [];
  const name = piece.operator;
  return valuesFor(world, operator, piece).map((value) => {
    const { text } = value;
    return put(value, `${name}:${isFromTable(operator, text) ? text : quoted(text)}`, true);
  });
}

/** Labels and lists as a title names them. */
const NAMED_AS: Readonly<Record<string, 'label' | 'list'>> = { '#': 'label', '@': 'list' };

/** "#er": the operator for each label whose name begins like that. */
function namedAs(world: World, kind: 'label' | 'list', text: string): readonly Value[] {
  const typed = fold(text);
  if (typed === '') return [];
  const all = kind === 'label' ? namesOf(world, 'label') : placesOf(world, 'list');
  return all
    .filter((value) => fold(value.text.replace(/^"/, '')).startsWith(typed))
    .slice(0, MOST)
    .map((value) => ({ ...value, text: `${kind}:${quoted(value.text)}` }));
}

/** Values of the table are written as they are. */
function isFromTable({ values }: Operator, text: string): boolean {
  return values.includes(text);
}

function operatorsFor({ text, isQuoted }: Piece): readonly Value[] {
  const typed = text.toLowerCase();
  if (isQuoted || typed.length < SHORTEST_OPERATOR) return [];
  return operators
    .flatMap((operator) => {
      const name = [operator.name, ...operator.aliases].find((known) => known.startsWith(typed));
      return name === undefined ? [] : [{ text: `${operator.name}:`, description: operator.description }];
    })
    .slice(0, MOST);
}

function valuesFor(world: World, operator: Operator, piece: Piece): readonly Value[] {
  const typed = fold(piece.text.trim());
  const all = valuesOf(world, operator);
  if (all.some(({ text }) => fold(text) === typed)) return [];
  const begins = all.filter(({ text }) => fold(text.replace(/^"/, '')).startsWith(typed));
  const holds =
    typed === '' ? [] : all.filter((value) => !begins.includes(value) && fold(value.text).includes(typed));
  return [...begins, ...holds].slice(0, MOST);
}

function valuesOf(world: World, operator: Operator): readonly Value[] {
  switch (operator.kind) {
    case 'is':
      return Object.entries(traits).map(([text, description]) => ({ text, description }));
    case 'has':
      return Object.entries(possessions).map(([text, description]) => ({ text, description }));
    case 'place':
      return placesOf(world, operator.name);
    case 'label':
      return [...namesOf(world, 'label'), { text: 'none', description: 'without any label' }];
    case 'person':
      return peopleOf(world, operator);
    case 'group':
      return namesOf(world, 'labelGroup');
    default:
      return operator.values.map((text) => ({ text, description: '' }));
  }
}

function peopleOf(world: World, { values }: Operator): readonly Value[] {
  const names = new Set([...world.people()].map(({ name }) => name).filter((name) => name !== ''));
  const others = [...names].map((text) => ({ text, description: '' }));
  return [...values.map((text) => ({ text, description: '' })), ...others];
}

function namesOf(world: World, type: Row['type']): readonly Value[] {
  const rows = [...world.index.named.values()].filter((row) => row.type === type && !isTrashed(row));
  return rows.map((row) => ({ text: nameOf(row), description: groupOf(world, row) }));
}

function groupOf(world: World, row: Row): string {
  const group = world.index.named.get(placeOf(row)?.parent as Id);
  return group ? nameOf(group) : '';
}

/** A name shared by several is offered with the names above it. */
function placesOf(world: World, kind: string): readonly Value[] {
  const rows = [...world.index.named.values()].filter((row) => {
    if (row.type !== 'list' || row.fields.listType === 'smart' || world.facts.isHidden(row.id)) return false;
    return kind === 'in' || (row.fields.listType === 'folder') === (kind === 'folder');
  });
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(fold(nameOf(row)), (counts.get(fold(nameOf(row))) ?? 0) + 1);
  return rows.map((row) => {
    const name = nameOf(row);
    const above = groupOf(world, row);
    const isShared = (counts.get(fold(name)) ?? 0) > 1 && above !== '';
    const type = fieldOf(row, 'listType') === 'folder' ? 'folder' : 'list';
    return {
      text: isShared ? `${above}/${name}` : name,
      description: above === '' ? type : `${type} in ${above}`,
    };
  });
}
