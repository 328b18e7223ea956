// Key commands for lists, quotes and checkboxes in notes, as changes of the editor's state. Null if the key does not
// apply at the caret. No screen: the state is the editor's text with its selection.
import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type Line,
  type TransactionSpec,
} from '@codemirror/state';
import { isCode, type ListLine, listLine, type NoteCommand, TAB, widthOf } from './list-line.ts';

/** The lines touched by the selection. */
function linesOf(state: EditorState): readonly Line[] {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from).number;
  const end = state.doc.lineAt(to);
  const last = end.from === to && to > from ? end.number - 1 : end.number;
  return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
}

/** Checks or unchecks the boxes of the selected lines; lines without one get one. */
export const toggleBox: NoteCommand = (state, tree) => {
  const lines = linesOf(state).filter(({ text, from }, _, all) => {
    return (all.length === 1 || text.trim() !== '') && !isCode(tree, from + 1);
  });
  if (lines.length === 0) return null;
  const parsed = lines.map((line) => ({ line, list: listLine(line.text) }));
  const isAnyBoxed = parsed.some(({ list }) => list !== null && list.box !== '');
  const isOpen = parsed.some(({ list }) => list?.box.startsWith('[ ]') === true);
  const changes: ChangeSpec[] = parsed.flatMap(({ line, list }): ChangeSpec[] => {
    if (list !== null && list.box !== '') {
      const at = line.from + list.prefix.length - list.box.length + 1;
      return [{ from: at, to: at + 1, insert: isOpen ? 'x' : ' ' }];
    }
    if (isAnyBoxed) return [];
    if (list !== null && list.mark !== '') {
      const isBare = list.prefix.length < list.quote.length + list.space.length + list.mark.length + 1;
      return [{ from: line.from + list.prefix.length, insert: `${isBare ? ' ' : ''}[ ] ` }];
    }
    const space = /^(?:(?: {0,3}> ?)*)[ \t]*/.exec(line.text)?.[0].length ?? 0;
    return [{ from: line.from + space, insert: '- [ ] ' }];
  });
  const set = state.changes(changes);
  const { anchor, head } = state.selection.main;
  return {
    changes: set,
    selection: EditorSelection.single(set.mapPos(anchor, 1), set.mapPos(head, 1)),
    userEvent: 'input.checkbox',
  };
};

/** Renumbers the following items from `number`, as far as they were in sequence. */
function renumbered(state: EditorState, after: Line, list: ListLine): ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  let number = Number.parseInt(list.mark, 10);
  for (let at = after.number + 1; at <= state.doc.lines; at += 1) {
    const line = state.doc.line(at);
    const next = listLine(line.text);
    if (next === null || next.quote !== list.quote || next.mark === '') break;
    if (next.indent > list.indent) continue;
    if (next.indent < list.indent || Number.parseInt(next.mark, 10) !== number + 1) break;
    number += 1;
    const from = line.from + next.quote.length + next.space.length;
    changes.push({ from, to: from + next.mark.length - 1, insert: `${number + 1}` });
  }
  return changes;
}

function nextMark(mark: string): string {
  const number = Number.parseInt(mark, 10);
  return Number.isNaN(number) ? mark : `${number + 1}${mark.at(-1) ?? '.'}`;
}

/** Enter: the next item, checkbox or quoted line; an empty one ends the list. */
export const continueList: NoteCommand = (state, tree) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const list = listLine(line.text);
  if (!main.empty || list === null || isCode(tree, main.head)) return null;
  if (main.head < line.from + list.prefix.length) return null;
  if (line.text.slice(list.prefix.length).trim() === '') return leaveList(state, line, list);
  const mark = list.mark === '' ? '' : list.space + nextMark(list.mark) + list.gap;
  const insert = `${state.lineBreak}${list.quote}${mark}${list.box === '' ? '' : '[ ] '}`;
  const spaces = /^[ \t]*/.exec(line.text.slice(main.head - line.from))?.[0].length ?? 0;
  const isNumbered = /^\d/.test(list.mark);
  return {
    changes: [
      { from: main.head, to: main.head + spaces, insert },
      ...(isNumbered ? renumbered(state, line, list) : []),
    ],
    selection: { anchor: main.head + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  };
};

const TYPED_MARK = /^(?:[-*+]|\d{1,9}[.)])$/;

/** Space behind a mark that was typed in an item that has one already: the typed one goes. */
export const dropTypedMark: NoteCommand = (state, tree) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const list = listLine(line.text);
  if (!main.empty || main.head !== line.to || !list?.mark || isCode(tree, main.head)) return null;
  const typed = line.text.slice(list.prefix.length);
  if (!TYPED_MARK.test(typed) || /^\d/.test(typed) !== /^\d/.test(list.mark)) return null;
  const from = line.from + list.prefix.length;
  return { changes: { from, to: line.to }, selection: { anchor: from }, userEvent: 'input' };
};

/** Moves an empty item out by a level, or turns it into a plain line. */
function leaveList(state: EditorState, line: Line, list: ListLine): TransactionSpec {
  const outer = list.mark === '' ? null : indentAbove(state, line, list);
  const insert =
    outer === null
      ? ''
      : list.quote + ' '.repeat(outer) + line.text.slice(list.quote.length + list.space.length);
  const kept = outer === null && list.mark !== '' ? list.quote : insert;
  return {
    changes: { from: line.from, to: line.to, insert: kept },
    selection: { anchor: line.from + kept.length },
    scrollIntoView: true,
    userEvent: 'delete.list',
  };
}

/** The indentation of the parent item; null at the top. */
function indentAbove(state: EditorState, line: Line, list: ListLine): number | null {
  if (list.indent === 0) return null;
  for (let at = line.number - 1; at > 0; at -= 1) {
    const above = listLine(state.doc.line(at).text);
    if (above !== null && above.mark !== '' && above.indent < list.indent) return above.indent;
  }
  return 0;
}

/** Backspace behind an item's mark removes the mark. */
export const removeMark: NoteCommand = (state, tree) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const list = listLine(line.text);
  if (!main.empty || list === null || isCode(tree, main.head)) return null;
  if (main.head !== line.from + list.prefix.length || list.prefix === '') return null;
  const kept = list.mark === '' ? 0 : list.quote.length + list.space.length;
  return {
    changes: { from: line.from + kept, to: main.head },
    userEvent: 'delete.mark',
  };
};

/** Column at which the text of an item and its nested blocks begin. */
function contentColumn(list: ListLine): number {
  return list.indent + list.mark.length + Math.min(Math.max(widthOf(list.gap), 1), TAB);
}

/** The item above that becomes the parent; null for the first of its list. */
function itemAbove(state: EditorState, line: Line, list: ListLine): ListLine | null {
  for (let at = line.number - 1; at > 0; at -= 1) {
    const above = listLine(state.doc.line(at).text);
    if (above === null || above.quote !== list.quote) {
      // Skips nested content and empty lines between the items.
      if (/^(?:\s|$)/.test(state.doc.line(at).text)) continue;
      return null;
    }
    if (above.mark !== '' && above.indent <= list.indent) return above.indent === list.indent ? above : null;
  }
  return null;
}

function shifted(line: Line, list: ListLine, indent: number): ChangeSpec {
  const from = line.from + list.quote.length;
  return { from, to: from + list.space.length, insert: ' '.repeat(Math.max(0, indent)) };
}

/** Moves the selected items, with their nested content, by the same amount as the first one. */
function moveItems(
  state: EditorState,
  target: (line: Line, list: ListLine) => number | null,
): TransactionSpec | null {
  const lines = linesOf(state);
  const [first] = lines;
  const list = first && listLine(first.text);
  if (!first || !list || list.mark === '') return null;
  const indent = target(first, list);
  // The key still counts as handled, so that the focus stays in the field: Escape leaves it.
  if (indent === null || indent === list.indent) return {};
  const by = indent - list.indent;
  const changes: ChangeSpec[] = [];
  const last = lines.at(-1)?.number ?? first.number;
  for (let at = first.number; at <= state.doc.lines; at += 1) {
    const line = state.doc.line(at);
    const quote = /^(?: {0,3}> ?)*/.exec(line.text)?.[0] ?? '';
    const space = /^[ \t]*/.exec(line.text.slice(quote.length))?.[0] ?? '';
    const width = widthOf(space);
    if (line.text.trim() === '') {
      if (at > last) break;
      continue;
    }
    if (at > last && width <= list.indent) break;
    changes.push(shifted(line, { ...list, quote, space }, width + by));
  }
  return { changes, userEvent: 'input.indent' };
}

/** Tab: moves the selected items under the item above. Null outside of lists. */
export const indentItem: NoteCommand = (state, tree) =>
  isCode(tree, state.selection.main.head)
    ? null
    : moveItems(state, (line, list) => {
        const above = itemAbove(state, line, list);
        return above && contentColumn(above);
      });

/** Shift+Tab: moves the selected items out by a level. Null outside of lists. */
export const outdentItem: NoteCommand = (state, tree) =>
  isCode(tree, state.selection.main.head)
    ? null
    : moveItems(state, (line, list) => indentAbove(state, line, list));
