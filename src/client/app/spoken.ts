// Announcements for events without a visible message: the new place of a moved task, the size of a selection, the lines
// that collapsing hid. Phrased once keys have settled: a held key is announced once, and no frame waits for it.
import type { Id } from '#core/ids.ts';
import { nameOf, placeOf } from '#sync/rows/row-reading.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from './program.ts';

/** Above this, only the number is announced. */
const MANY = 100;

function parentsOf({ replica }: Program, ids: readonly Id[]): Set<Id | undefined> {
  return new Set(ids.map((id) => placeOf(replica.row(id))?.parent));
}

/** "Level 2, under ‘Plan’": after indenting and outdenting. */
export function tellLevel(program: Program, ids: readonly Id[], verb: string): void {
  program.messages.tell(() => {
    const { outline } = program.workspace;
    const shown = ids.filter((id) => outline.has(id));
    const [first] = shown;
    if (first === undefined) return null;
    const count = shown.length === 1 ? '' : `${shown.length} tasks`;
    const parents = shown.length > MANY ? null : parentsOf(program, shown);
    if (parents?.size !== 1) return `${count} ${verb}.`;
    const parent = program.replica.row([...parents][0] ?? first);
    const level = `evel ${outline.levelAt(outline.indexOf(first))}`;
    const under = parent?.type === 'task' ? `, under ${quoted(nameOf(parent))}` : '';
    return count === '' ? `L${level}${under}.` : `${count}, l${level}${under}.`;
  });
}

/** "Moved to 4 of 10": after moving among its siblings. */
export function tellPlace(program: Program, ids: readonly Id[]): void {
  program.messages.tell(() => {
    const { outline } = program.workspace;
    const shown = ids.filter((id) => outline.has(id));
    const [first] = shown;
    const last = shown.at(-1);
    if (first === undefined || last === undefined) return null;
    if (shown.length > MANY || parentsOf(program, shown).size > 1) return `${shown.length} tasks moved.`;
    const places = shown.map((id) => outline.positionOf(id).index).toSorted((a, b) => a - b);
    const [from = 1, to = 1] = [places[0], places.at(-1)];
    const { size } = outline.positionOf(first);
    if (shown.length === 1) return `Moved to ${from} of ${size}.`;
    const isTogether = to - from === shown.length - 1;
    return isTogether ? `Moved to ${from} to ${to} of ${size}.` : `${shown.length} tasks moved.`;
  });
}

/** "3 selected": after selecting and extending. */
export function tellSelected({ workspace, messages }: Program): void {
  messages.tell(() =>
    workspace.selection.size === 0 ? 'Nothing selected.' : `${workspace.selection.size} selected.`,
  );
}

/** "Collapsed, 5 hidden": `count` is how many lines came or went. */
export function tellFolded({ messages }: Program, isCollapsed: boolean, count: number): void {
  messages.tell(() => (isCollapsed ? `Collapsed, ${count} hidden.` : `Expanded, ${count} shown.`));
}
