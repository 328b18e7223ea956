// Scopes of find and replace: the selected tasks, the open place, or everything shown.
import type { Id } from '#core/ids.ts';
import { isShown, placeOf } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { ReplaceScope, ScopeChoice } from './replace-view.ts';
import { smartLists } from '../search/smart-lists.ts';
import { textIndexOf } from '../search/searching.ts';

/** The available scopes; the first is the default. */
export function scopesOf(program: Program): readonly ScopeChoice[] {
  const { workspace } = program;
  const { size } = workspace.selection;
  const isElsewhere = workspace.isTrash;
  const here = workspace.results ? 'The tasks found' : `In ${program.placeName}`;
  return [
    ...(size > 0 && !isElsewhere
      ? [
          {
            value: 'selection',
            title: size === 1 ? 'The selected task' : `The ${size} selected tasks`,
          } as const,
        ]
      : []),
    ...(isElsewhere ? [] : [{ value: 'here', title: here } as const]),
    { value: 'everything', title: 'Everywhere' },
  ];
}

/** Tasks of a scope, each once, in their order there. */
export function tasksIn(program: Program, scope: ReplaceScope): readonly Id[] {
  const { workspace, replica } = program;
  if (scope === 'selection') return workspace.targets().filter((id) => isShown(replica.row(id)));
  if (scope === 'everything') return everything(program);
  const { place } = workspace;
  const isList = workspace.results === null && program.part(smartLists).open === null;
  if (isList && place.type !== 'trash') return beneath(program, place.id, place.type === 'task');
  const ids = new Set<Id>();
  for (let index = 0; index < workspace.outline.length; index += 1) {
    const id = workspace.outline.at(index);
    if (id !== undefined && isShown(replica.row(id))) ids.add(id);
  }
  return [...ids];
}

function everything(program: Program): readonly Id[] {
  const { workspace, replica } = program;
  const search = textIndexOf(program);
  search.readSome(Number.MAX_SAFE_INTEGER);
  const ids: Id[] = [];
  for (let slot = 0; slot < search.size; slot += 1) {
    const id = search.showsAt(slot) ? search.idAt(slot) : undefined;
    if (id !== undefined && !workspace.facts.isHidden(id) && replica.row(id)) ids.push(id);
  }
  return ids;
}

/** Includes tasks under collapsed ones, and the lists of a folder. */
function beneath({ replica }: Program, root: Id, withRoot: boolean): readonly Id[] {
  const ids: Id[] = withRoot ? [root] : [];
  const waiting: Id[] = [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const children = replica.children(id);
    for (const row of children) if (isShown(row)) ids.push(row.id);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const row = children[at];
      const isList = row?.type === 'list' && (row.fields.del ?? null) === null;
      if (row && (isShown(row) || isList) && placeOf(row)?.parent === id) waiting.push(row.id);
    }
  }
  return ids;
}
