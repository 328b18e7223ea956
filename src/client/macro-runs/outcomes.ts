// What came of a run, or would come of it, as the server takes it: numbers, a sentence, and what would happen to each thing in the
// words of the history.
import { runLimits, type RunChange, type RunOutcome } from '#wire/macro-runs.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Program } from '../app/program.ts';
import { predicateOf } from '../history/sentences.ts';
import type { Speaking } from '../history/words.ts';
import type { Macro } from '../macros/macro.ts';
import type { End } from '../macros/running.ts';
import { type OutcomeRow, typeOf } from '../macros/trial/outcome.ts';
import { nameOf } from '../outline/row-facts.ts';
import { everySetting } from '../settings/catalog.ts';
import { nameOfPerson } from '../together/people.ts';
import { quoted } from '../text/editor.ts';

const cut = (text: string) => text.slice(0, runLimits.text);

function said(macro: Macro, end: End): Pick<RunOutcome, 'state' | 'message'> {
  if (end.type === 'ran') return { state: 'done', message: null };
  const reason =
    end.type === 'left'
      ? `${quoted(macro.name)} was stopped by hand, or what it needs could not be loaded.`
      : `${quoted(macro.name)} stopped${end.at}: ${end.reason}`;
  return { state: 'stopped', message: cut(reason) };
}

/** How a run ended, and how many things it changed, made and deleted. What was restored has changed. */
export function outcome(macro: Macro, end: End, rows: readonly OutcomeRow[]): RunOutcome {
  const count = (...kinds: readonly OutcomeRow['kind'][]) =>
    rows.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    ...said(macro, end),
    changed: count('changed', 'restored'),
    created: count('created'),
    deleted: count('deleted'),
    changes: [],
  };
}

/** The first things of a trial, and what would become of each. `replica`: the rows as they would be. */
export function changesOf(
  program: Program,
  rows: readonly OutcomeRow[],
  replica: Replica,
): readonly RunChange[] {
  const personOf = (account: number) => nameOfPerson(program, account);
  const speaking: Speaking = { replica, dates: program.moment(), settings: everySetting(program), personOf };
  return rows.slice(0, runLimits.shown).map((row) => ({
    id: row.id,
    type: typeOf(row),
    title: cut(nameOf(row.row)),
    change: row.kind,
    details: row.changes.slice(0, runLimits.details).map((change) => cut(predicateOf(change, speaking))),
  }));
}
