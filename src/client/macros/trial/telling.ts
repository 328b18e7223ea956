// What a trial says: how much would change, where the macro would stop, and each change in the words of the history.
import { counted } from '#core/counted.ts';
import { titleOf } from '../../history/telling.ts';
import type { HistoryDetail } from '../../history/view.ts';
import { markOf, phrasesOf } from '../../history/sentences.ts';
import { detailOf, type Speaking } from '../../history/words.ts';
import { type OutcomeRow, typeOf } from './outcome.ts';
import type { Trial } from './trial.ts';
import type { TrialLine } from './trial-view.ts';

const NOUNS: Readonly<Record<string, string>> = {
  task: 'task',
  list: 'list',
  folder: 'folder',
  label: 'label',
  labelGroup: 'label group',
  attachment: 'file',
  comment: 'comment',
  setting: 'setting',
};
const nounOf = (row: OutcomeRow) => NOUNS[typeOf(row)] ?? 'item';

const VERBS = [
  ['changed', 'change'],
  ['created', 'create'],
  ['deleted', 'delete'],
  ['restored', 'restore'],
] as const;

/** “change 12 tasks, create 2 tasks and 1 list”; “change nothing”. */
function countsOf(rows: readonly OutcomeRow[]): string {
  const parts = VERBS.flatMap(([kind, verb]) => {
    const counts = new Map<string, number>();
    for (const row of rows)
      if (row.kind === kind) counts.set(nounOf(row), (counts.get(nounOf(row)) ?? 0) + 1);
    const said = [...counts].map(([noun, count]) => counted(count, noun));
    return said.length === 0 ? [] : [`${verb} ${said.join(' and ')}`];
  });
  return parts.length === 0 ? 'change nothing' : parts.join(', ');
}

/** What a trial comes to, as whole sentences: the numbers, and where it would stop. */
export function summaryOf({ end, rows }: Pick<Trial, 'end' | 'rows'>): readonly string[] {
  const counts = countsOf(rows);
  if (end.type === 'stopped') return [`Would stop${end.at}: ${end.reason}`, `Until then it would ${counts}.`];
  if (end.type === 'left')
    return ['What it waits for didn’t come, so it would end early.', `It would ${counts}.`];
  return [`Would ${counts}.`, ...(end.asks ? ['At its end it asks for something.'] : [])];
}

/** One thing with its changes. */
export function lineOf(row: OutcomeRow, speaking: Speaking): TrialLine {
  const { id, kind, changes } = row;
  const [first] = changes;
  const noun = nounOf(row);
  const mark =
    kind === 'created'
      ? 'added'
      : kind === 'changed'
        ? first === undefined
          ? 'edited'
          : markOf(first)
        : kind;
  return {
    id,
    kind,
    mark,
    type: noun === 'task' ? '' : `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`,
    title: titleOf(row.row),
    changes: changes
      // Its title stands beside it.
      .filter(({ field, kind: what }) => what !== 'deleted' && (kind !== 'created' || !TITLES.has(field)))
      .map((change) => phrasesOf(change, null, speaking)),
  };
}

const TITLES: ReadonlySet<string> = new Set(['title', 'name', 'listType', 'key', 'of']);

/** Old and new texts that have no room in a line. */
export const detailsOf = ({ changes }: OutcomeRow, speaking: Speaking): readonly HistoryDetail[] =>
  changes.flatMap((change) => (change.field === 'notes' ? (detailOf(change, speaking) ?? []) : []));
