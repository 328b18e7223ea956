// Feedback of the search line on its query: problems with corrections, completions, and the meaning in words.
import { explainQuery } from '#core/search/explain.ts';
import type { Problem } from '#core/search/query.ts';
import type { SearchHelp } from '../app/view.ts';
import type { Asked } from '#sync/query/asking.ts';
import { completionsAt, type Completion } from './completing.ts';
import type { World } from '#sync/query/world.ts';

/** The feedback with its completions at the caret. */
export interface Help extends SearchHelp {
  readonly completions: readonly Completion[];
}

export function helpFor(world: World, asked: Asked, caret: number): Help {
  const { query, question, text } = asked;
  const completions = completionsAt(world, text, caret);
  const unknown = question.unknown.map(({ start, end }): Problem => {
    const said = text.slice(start, end);
    return { start, end, message: `Nothing matches the name in “${said}”.`, hint: null };
  });
  // A word that is still being typed is no problem yet.
  const isUnfinished = ({ start, end }: Problem) => completions.length > 0 && start <= caret && caret <= end;
  const problems = [...query.problems, ...unknown]
    .filter((problem) => !isUnfinished(problem))
    .toSorted((a, b) => a.start - b.start);
  const isSaid = text.trim() !== '' && query.problems.length === 0;
  return { problems, completions, explanation: isSaid ? explainQuery(query) : null };
}

/** The query with the nearest suggested correction applied; null when there is none. */
export function withHint(
  text: string,
  problems: readonly Problem[],
): { query: string; caret: number } | null {
  const problem = problems.find(({ hint }) => hint !== null);
  if (!problem || problem.hint === null) return null;
  const head = text.slice(0, problem.start) + problem.hint;
  return { query: head + text.slice(problem.end), caret: head.length };
}
