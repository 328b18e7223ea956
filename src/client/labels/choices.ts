// Labels to choose from for some tasks: how many carry each, what it would replace, and a new label if the name is new.
// Shared by the picker and the palette.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { prepare, rank } from '../search/ranking.ts';
import type { LabelChoiceView } from './label-view.ts';
import { hotkeyOf, isExclusive, type LabelEntry, labelName } from './catalog.ts';
import { carries, isOfShared, labelsFor, listOfScope, replacedBy, scopeOfTasks } from './label-scopes.ts';
import { quoted } from '../text/editor.ts';
import { plainColor } from '#core/model.ts';
import { labelNamed } from './creating.ts';

/** The matching labels, best first; without a query, all of them in their order. */
export function labelChoices(program: Program, tasks: readonly Row[], query: string): LabelChoiceView[] {
  const text = query.trim();
  const offered = labelsFor(program.replica, tasks);
  const ranked = offered.flatMap((entry) => {
    const group = labelName(entry.group ?? undefined);
    const hit = rank(text, prepare({ title: labelName(entry.row), aliases: [group] }));
    return hit ? [{ entry, score: hit.score }] : [];
  });
  if (text !== '') ranked.sort((a, b) => b.score - a.score);
  const choices = ranked.map(({ entry }) => choiceOf(program, entry, tasks));
  if (text !== '' && labelNamed(program, text, offered) === null)
    choices.push(...creating(program, tasks, text));
  return choices;
}

function choiceOf(program: Program, { row, group }: LabelEntry, tasks: readonly Row[]): LabelChoiceView {
  const count = tasks.filter((task) => carries(program, task, row.id)).length;
  const isAll = count === tasks.length && count > 0;
  const replaced = new Set<string>();
  if (!isAll) {
    for (const task of tasks) {
      if (carries(program, task, row.id)) continue;
      for (const other of replacedBy(program, row, task)) replaced.add(labelName(other));
    }
  }
  const some = count > 0 && !isAll ? `on ${count} of ${tasks.length}` : '';
  const replaces = replaced.size > 0 ? `replaces ${[...replaced].join(', ')}` : '';
  return {
    id: row.id,
    name: labelName(row),
    color: fieldOf(row, 'color') ?? plainColor,
    keys: program.labelKeys.capsOf(hotkeyOf(program.replica, row)),
    group: group === null ? null : labelName(group),
    exclusive: isExclusive(group),
    isPrivate: fieldOf(row, 'visibility') === 'private',
    state: isAll ? 'all' : count > 0 ? 'some' : 'none',
    note: [some, replaces].filter((part) => part !== '').join(', '),
  };
}

/** In a shared list it can be one for everybody, or a private one. */
function creating({ replica }: Program, tasks: readonly Row[], name: string): readonly LabelChoiceView[] {
  const list = listOfScope(replica, scopeOfTasks(replica, tasks));
  const plain = { keys: [], group: null, exclusive: false, isPrivate: false, note: '' } as const;
  const line = { ...plain, id: null, name, color: plainColor, state: 'none' } as const;
  if (!tasks.some((task) => isOfShared(replica, task))) return [line];
  const note = list === null ? '' : `for everybody on ${quoted(list)}`;
  return [
    { ...line, note },
    { ...line, isPrivate: true, note: 'only you see it' },
  ];
}
