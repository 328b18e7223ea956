// Key commands that put marks around text, remove them, and make links.
import { type ChangeSpec, EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';
import { isCode, listLine, type NoteCommand } from './list-line.ts';
import { addressOf } from '#core/markdown/links.ts';

export type MarkKind = 'StrongEmphasis' | 'Emphasis' | 'Strikethrough' | 'InlineCode';

const MARK: Readonly<Record<MarkKind, string>> = {
  StrongEmphasis: '**',
  Emphasis: '*',
  Strikethrough: '~~',
  InlineCode: '`',
};

/** The marked range that contains the whole selection. */
function around(
  tree: Tree,
  { from, to }: { readonly from: number; readonly to: number },
  kind: MarkKind,
): SyntaxNode | null {
  for (const side of [1, -1] as const) {
    for (let node: SyntaxNode | null = tree.resolveInner(from, side); node; node = node.parent)
      if (node.name === kind && node.from <= from && node.to >= to) return node;
  }
  return null;
}

/** Toggles marks around the selection, or the word at the caret. */
export function toggleMark(kind: MarkKind): NoteCommand {
  const mark = MARK[kind];
  return (state, tree) => {
    const { main } = state.selection;
    if (isCode(tree, main.head)) return null;
    const marked = around(tree, main, kind);
    if (marked?.firstChild && marked.lastChild) {
      const { firstChild: open, lastChild: close } = marked;
      return {
        changes: [
          { from: open.from, to: open.to },
          { from: close.from, to: close.to },
        ],
        userEvent: 'delete.mark',
      };
    }
    const word = main.empty ? state.wordAt(main.head) : main;
    if (word === null) return emptyMarks(state, mark);
    return wrapped(state, word, mark);
  };
}

/** Inserts marks to type between; pressed again, removes them. */
function emptyMarks(state: EditorState, mark: string): TransactionSpec {
  const { head } = state.selection.main;
  const from = head - mark.length;
  if (from >= 0 && state.sliceDoc(from, head + mark.length) === mark + mark)
    return { changes: { from, to: head + mark.length }, userEvent: 'delete.mark' };
  return {
    changes: { from: head, insert: mark + mark },
    selection: { anchor: head + mark.length },
    userEvent: 'input.mark',
  };
}

/** Each line separately: marks do not reach across blocks. */
function wrapped(
  state: EditorState,
  range: { readonly from: number; readonly to: number },
  mark: string,
): TransactionSpec | null {
  const changes: ChangeSpec[] = [];
  for (let { number } = state.doc.lineAt(range.from); number <= state.doc.lines; number += 1) {
    const line = state.doc.line(number);
    if (line.from > range.to) break;
    const from = Math.max(range.from, line.from + (listLine(line.text)?.prefix.length ?? 0));
    const to = Math.min(range.to, line.to);
    if (from >= to) continue;
    const text = state.sliceDoc(from, to);
    const inner = text.trim();
    if (inner === '') continue;
    const start = from + text.indexOf(inner);
    changes.push({ from: start, insert: mark }, { from: start + inner.length, insert: mark });
  }
  if (changes.length === 0) return null;
  const set = state.changes(changes);
  const { main } = state.selection;
  const selection = main.empty
    ? EditorSelection.cursor(set.mapPos(main.head, main.head === range.to ? -1 : 1))
    : EditorSelection.range(set.mapPos(main.from, 1), set.mapPos(main.to, -1));
  return { changes: set, selection: EditorSelection.create([selection]), userEvent: 'input.mark' };
}

/** Makes a link of the selection; the caret goes to the missing name or address. */
export const makeLink: NoteCommand = (state, tree) => {
  const { main } = state.selection;
  if (isCode(tree, main.head)) return null;
  const text = state.sliceDoc(main.from, main.to);
  if (text.includes('\n')) return null;
  const address = text.trim() === '' || /\s/.test(text.trim()) ? null : addressOf(text);
  const insert = address === null ? `[${text}]()` : `[](${text.trim()})`;
  const anchor = main.from + (address === null && text !== '' ? insert.length - 1 : 1);
  return {
    changes: { from: main.from, to: main.to, insert },
    selection: { anchor },
    userEvent: 'input.link',
  };
};

/** Makes the selected words a link to an address; null if the selection or the address is not suitable. */
export function linkSelection(state: EditorState, address: string): TransactionSpec | null {
  const { from, to, empty } = state.selection.main;
  const text = state.sliceDoc(from, to);
  const target = address.trim();
  const isPlain = !empty && !/[\n[\]]/.test(text) && addressOf(text) === null;
  if (!isPlain || /[\s()<>]/.test(target) || addressOf(target) !== target) return null;
  const insert = `[${text}](${target})`;
  return {
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.paste',
  };
}
