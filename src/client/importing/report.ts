// A plan and how it stands, in sentences: for the rehearsal, its report, and the command line. Pure.
import { lossWords } from '#core/formats/import/losses.ts';
import type { Loss } from '#core/formats/import/shape.ts';
import type { PlanSummary } from './port.ts';
import type { Left, LeftRegister, StandingCounts } from './standing.ts';

/** A number with separators, as everywhere in the app. */
export const figure = (count: number): string => count.toLocaleString('en-US');

/** "1,284 tasks". */
export const counted = (count: number, one: string): string =>
  `${figure(count)} ${count === 1 ? one : `${one}s`}`;

/** "1 list or label". */
export const entitiesSaid = (count: number): string =>
  count === 1 ? '1 list or label' : `${figure(count)} lists and labels`;

const REGISTERS: Readonly<Record<LeftRegister, string>> = {
  title: 'title',
  notes: 'notes',
  due: 'due date',
  start: 'start date',
  repeat: 'repeat',
  status: 'completion',
  duration: 'duration',
  labels: 'labels',
  place: 'place',
  name: 'name',
  color: 'color',
  order: 'order',
};

/** "Todoist backup · 1,284 tasks in 9 lists". */
export function leadOf({ kind, tasks, lists, into }: PlanSummary): string {
  if (into !== null) return `${kind} · ${counted(tasks, 'task')} into “${into.name}”`;
  const here = lists.filter(({ isLeftOut }) => !isLeftOut).length;
  return `${kind} · ${counted(tasks, 'task')} in ${counted(here, 'list')}`;
}

/** What has no place here in words, and where it goes instead: "31 comments (note)", "Goes to the notes." */
export function saidOfLoss(loss: Loss): { readonly what: string; readonly instead: string } {
  const [what = '', to = ''] = lossWords(loss).split(' → ');
  if (loss.becomes === 'nowhere') return { what, instead: 'Left out.' };
  if (loss.what === 'completed-moment') return { what, instead: 'Completed at the moment of the import.' };
  return { what, instead: /^(?:the|metadata)\b/.test(to) ? `Goes to ${to}.` : `Becomes ${to}.` };
}

/** "31 comments (note). Goes to the notes: “a”, “b”". */
export function lossLine(loss: Loss): string {
  const named = loss.examples.map((example) => `“${example}”`).join(', ');
  const { what, instead } = saidOfLoss(loss);
  return named === '' ? `${what}. ${instead}` : `${what}. ${instead} ${named}`;
}

/** What becomes of the tasks, one sentence for each kind that there is. */
export function countLines(
  counts: StandingCounts,
  { restores }: { readonly restores: boolean },
): readonly string[] {
  const { fresh, same, updated, left, trashed, skipped, entities, moved } = counts;
  const lines: readonly (readonly [number, string])[] = [
    [fresh, `${counted(fresh, 'new task')}.`],
    [same, `${counted(same, 'task')} already here, with nothing to change.`],
    [updated, `${counted(updated, 'task')} already here, changed in the file since: updated.`],
    [entities, `${entitiesSaid(entities)} changed in the file since: updated.`],
    [moved, `${counted(moved, 'thing')} in another order in the file since: moved.`],
    [left, `${counted(left, 'task')} changed here since: left as ${left === 1 ? 'it is' : 'they are'}.`],
    [trashed, `${counted(trashed, 'task')} in the trash: ${restores ? 'restored' : 'skipped'}.`],
    [skipped, `${counted(skipped, 'task')} under something in the trash: skipped.`],
  ];
  return lines.flatMap(([count, line]) => (count > 0 ? [line] : []));
}

/** What stays as it is here although the file has it otherwise, by task. */
export function leftLines(left: readonly Left[]): readonly string[] {
  return left.map(({ title, registers }) => {
    const names = registers.map((register) => REGISTERS[register]).join(', ');
    return `“${title}” was changed here since the last import, so its ${names} stays as it is.`;
  });
}

/** The whole report as text. `name`: of the files. */
export function reportText(
  name: string,
  given: {
    readonly summary: PlanSummary;
    readonly counts: StandingCounts;
    readonly left: readonly Left[];
    readonly restores: boolean;
  },
): string {
  const { summary, counts, left, restores } = given;
  const lists = summary.lists.map(({ name: list, folders, tasks, isInbox, isLeftOut }) => {
    const path = [...folders, isInbox ? 'Inbox' : list].join(' / ');
    return `- ${path}: ${isLeftOut ? `left out (${counted(tasks, 'task')})` : counted(tasks, 'task')}`;
  });
  const losses = summary.losses.map((loss) => `- ${lossLine(loss)}`);
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
  return [
    `# Import of ${name}`,
    '',
    `${leadOf(summary)}.`,
    ...countLines(counts, { restores }).map((line) => `- ${line}`),
    ...(summary.labels > 0
      ? [`- ${counted(summary.labels, 'label')}, ${summary.newLabels} of them new.`]
      : []),
    ...part('Lists', lists),
    ...part('What has no place here', losses),
    ...part(
      'What stays as it is here',
      leftLines(left).map((line) => `- ${line}`),
    ),
    ...part(
      'About the files',
      summary.notes.map((line) => `- ${line}`),
    ),
    '',
  ].join('\n');
}
