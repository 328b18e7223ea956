// One line of a note by its visible parts: quote marks, indentation, the item's mark, its checkbox. Key commands on it
// are in list-editing.ts and mark-editing.ts.
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** `tree`: the parsed text. */
export type NoteCommand = (state: EditorState, tree: Tree) => TransactionSpec | null;

/** A line of a list or quote, split into its parts. */
export interface ListLine {
  readonly indent: number;
  /** The text before the content: quote marks, indentation, the item's mark, its checkbox. */
  readonly prefix: string;
  readonly quote: string;
  readonly space: string;
  /** Empty in a quote without a list. */
  readonly mark: string;
  readonly gap: string;
  readonly box: string;
}

const LIST_LINE = /^((?: {0,3}> ?)*)([ \t]*)(?:([-*+]|\d{1,9}[.)])([ \t]+)(\[[ xX]\](?:[ \t]+|$))?)?/;
export const TAB = 4;

export const widthOf = (space: string): number => space.replaceAll('\t', ' '.repeat(TAB)).length;

/** Null if the line belongs to no list or quote. */
export function listLine(text: string): ListLine | null {
  const found = LIST_LINE.exec(`${text}${/^\s*(?:[-*+]|\d{1,9}[.)])$/.test(text) ? ' ' : ''}`);
  if (!found) return null;
  const [, quote = '', space = '', mark = '', gap = '', box = ''] = found;
  if (mark === '' && quote === '') return null;
  const prefix = mark === '' ? quote : quote + space + mark + gap + box;
  return { indent: widthOf(space), prefix: prefix.slice(0, text.length), quote, space, mark, gap, box };
}

export function isCode(tree: Tree, at: number): boolean {
  for (let node: SyntaxNode | null = tree.resolveInner(at, -1); node; node = node.parent)
    if (node.name === 'FencedCode' && at > node.from) return true;
  return false;
}
