// Labels, lists, folders, tasks and bookmarks as the palette offers them for an answer, each with where it stands.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/row.ts';
import { isShown } from './children.ts';
import type { Argument } from './commands/command.ts';
import { allLabels, labelName } from './labels/catalog.ts';
import type { Program } from './program.ts';

interface Offered {
  readonly row: Row;
  readonly hint: string;
}

function labelRows({ replica }: Program): readonly Offered[] {
  return allLabels(replica).map(({ row, group }) => ({ row, hint: labelName(group ?? undefined) }));
}

function listRows({ sidebar, rowFacts }: Program, areFolders: boolean): readonly Offered[] {
  return sidebar
    .everything()
    .filter(({ fields: { listType } }) => (listType === 'folder') === areFolders && listType !== 'smart')
    .map((row) => ({ row, hint: rowFacts.path(row) }));
}

/** What is bookmarked, in the order it was: tasks and lists. */
function bookmarkRows({ replica, rowFacts, workspace }: Program): readonly Offered[] {
  const { facts } = workspace;
  return [...facts.bookmarks]
    .toSorted(([a, at], [b, bt]) => at - bt || (a < b ? -1 : 1))
    .flatMap(([id]) => replica.row(id) ?? [])
    .filter(({ id }) => !facts.isHidden(id))
    .map((row) => ({ row, hint: rowFacts.path(row) }));
}

/** What is few enough to be offered before anything is typed: labels, bookmarks, folders, lists. */
export function answerRows(program: Program, kind: Argument['kind']): readonly Offered[] {
  if (kind === 'label') return labelRows(program);
  if (kind === 'bookmark') return bookmarkRows(program);
  return listRows(program, kind === 'folder');
}

/** Tasks with these words, `most` at most. Those that may be gone to: of no words, none. */
export function taskRows(program: Program, query: string, most: number): readonly Offered[] {
  const { search, workspace, replica, rowFacts } = program;
  return search
    .find(query, (id) => workspace.facts.isHidden(id), most)
    .flatMap((id) => replica.row(id) ?? [])
    .map((row) => ({ row, hint: rowFacts.path(row) }));
}

/** Tasks that the chosen ones may go under; of no words, those on the lines of the open place. */
export function parentRows(program: Program, query: string, most: number): readonly Offered[] {
  const { workspace } = program;
  const chosen = new Set(workspace.targets());
  const canHold = ({ id }: Row) => !chosen.has(id) && !workspace.hasAncestorIn(id, chosen);
  // What is chosen itself is among what is found.
  if (query.trim() !== '')
    return taskRows(program, query, most + chosen.size)
      .filter(({ row }) => canHold(row))
      .slice(0, most);
  const found: Offered[] = [];
  const { outline } = workspace;
  for (let index = 0; index < outline.length && found.length < most; index += 1) {
    const id: Id | undefined = outline.at(index);
    const row = id === undefined ? undefined : program.replica.row(id);
    if (row?.type === 'task' && isShown(row) && canHold(row))
      found.push({ row, hint: program.rowFacts.path(row) });
  }
  return found;
}
