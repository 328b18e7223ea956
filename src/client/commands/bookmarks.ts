// Bookmarks: tasks and lists at the end of the sidebar. A bookmarked task opens like a project.
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { withLabels } from '../labels/lazy.ts';
import type { Availability } from './command.ts';
import { type Command, define } from './define.ts';

/** In the sidebar, its cursor's row; else the target tasks; else the open place. */
function aboutNow(program: Program): readonly Id[] {
  const { sidebar, workspace, replica } = program;
  if (program.pane === 'sidebar') {
    const { cursor } = sidebar;
    return cursor === null || replica.row(cursor)?.type === 'label' ? [] : [cursor];
  }
  if (workspace.isTrash) return [];
  const targets = workspace.targets();
  if (targets.length > 0) return targets;
  return workspace.place.type === 'trash' ? [] : [workspace.place.id];
}

function needsSomething(program: Program): Availability {
  return aboutNow(program).length > 0 ? null : 'Select a task or open a list first.';
}

function areAll(program: Program): boolean {
  return aboutNow(program).every((id) => program.workspace.facts.bookmarks.has(id));
}

export const bookmarkCommands: readonly Command[] = [
  define({
    id: 'bookmark.toggle',
    title: 'Bookmark',
    aliases: ['pin', 'star', 'favourite', 'favorite', 'project', 'remove bookmark', 'keep at hand'],
    group: 'Tasks',
    when: needsSomething,
    titleNow: (program) => (areAll(program) ? 'Remove bookmark' : 'Bookmark'),
    run: (program) =>
      withLabels(program, ({ setBookmarks }) => setBookmarks(program, aboutNow(program), !areAll(program))),
  }),
  define({
    id: 'go.bookmark',
    title: 'Go to bookmark…',
    aliases: ['bookmarks', 'favourites', 'favorites', 'pinned', 'starred', 'projects'],
    group: 'Go to',
    args: [{ name: 'list', kind: 'bookmark', prompt: 'Go to which bookmark?' }],
    when: ({ workspace }) =>
      workspace.facts.bookmarks.size > 0 ? null : 'No bookmarks yet. Use “Bookmark” to add one.',
    run: (program, args) => program.run('go.list', args),
  }),
];
