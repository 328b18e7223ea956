// What the search line says about the query in it: what is wrong and what would be right, what may come next, and the
// whole of it in words.
import { explainQuery } from '#core/search/explain.ts';
import type { Problem } from '#core/search/query.ts';
import type { SearchHelp } from '../view.ts';
import type { Asked } from '#sync/query/asking.ts';
import { completionsAt, type Completion } from './completing.ts';
import type { World } from '#sync/query/world.ts';

export interface Help extends SearchHelp {
  readonly completions: readonly Completion[];
}

export function helpFor(world: World, asked: Asked, caret: number): Help {
  const { query, question, text } = asked;
  const completions = completionsAt(world, text, caret);
  const unknown = question.unknown.map(({ start, end }): Problem => {
    const said = text.slice(start, end);
    return { start, end, message: `Nothing has the name in “${said}”.`, hint: null };
  });
  // What is being typed is not wrong yet.
  const isUnfinished = ({ start, end }: Problem) => completions.length > 0 && start <= caret && caret <= end;
  const problems = [...query.problems, ...unknown]
    .filter((problem) => !isUnfinished(problem))
    .toSorted((a, b) => a.start - b.start);
  const isEmpty = query.expression.type === 'all' && query.problems.length > 0;
  return { problems, completions, explanation: text.trim() === '' || isEmpty ? null : explainQuery(query) };
}

/** The query with the nearest hint put in its place; null when there is none. */
export function withHint(
  text: string,
  problems: readonly Problem[],
): { query: string; caret: number } | null {
  const problem = problems.find(({ hint }) => hint !== null);
  if (!problem || problem.hint === null) return null;
  const head = text.slice(0, problem.start) + problem.hint;
  return { query: head + text.slice(problem.end), caret: head.length };
}
