// A note as blocks to draw: its parsed Markdown as plain data, with the offset of each text in the note. The screen
// turns it into elements; nothing here is markup.
import type { SyntaxNode } from '@lezer/common';
import { notesParser } from './grammar.ts';
import { type Link, linkOf } from './links.ts';

/** A piece of text within a block, with its style. */
export type Inline =
  /** `at`: its offset in the note. Line ends are part of the text. */
  | { readonly type: 'text'; readonly at: number; readonly text: string }
  | { readonly type: 'code'; readonly at: number; readonly text: string }
  | {
      readonly type: 'strong' | 'emphasis' | 'strike';
      readonly at: number;
      readonly parts: readonly Inline[];
    }
  | {
      readonly type: 'link';
      readonly at: number;
      readonly address: string;
      readonly parts: readonly Inline[];
    };

/** An item of a list. */
export interface Item {
  readonly at: number;
  /** `at`: offset of the sign between the brackets. Null: no checkbox. */
  readonly box: { readonly at: number; readonly isChecked: boolean } | null;
  readonly blocks: readonly Block[];
}

/** A block of a note. `at`: its offset in the note. */
export type Block =
  | {
      readonly type: 'heading';
      readonly at: number;
      readonly level: number;
      readonly parts: readonly Inline[];
    }
  | { readonly type: 'paragraph'; readonly at: number; readonly parts: readonly Inline[] }
  | { readonly type: 'quote'; readonly at: number; readonly blocks: readonly Block[] }
  | {
      readonly type: 'list';
      readonly at: number;
      readonly start: number | null;
      readonly items: readonly Item[];
    }
  | { readonly type: 'code'; readonly at: number; readonly text: string }
  | { readonly type: 'rule'; readonly at: number };

/** Maximum nesting of marks; deeper ones are text. */
const DEEPEST_MARKS = 12;

/** Marks that style the text beside them, and are not drawn. */
const MARKS: ReadonlySet<string> = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkMark',
  'HeaderMark',
  'QuoteMark',
  'TaskMarker',
]);

const SPANS: Readonly<Record<string, 'strong' | 'emphasis' | 'strike'>> = {
  StrongEmphasis: 'strong',
  Emphasis: 'emphasis',
  Strikethrough: 'strike',
};

type Reader = (from: number, to: number) => string;

/** Adds a text line by line, without the indentation that only marks nesting. */
function addText(parts: Inline[], from: number, text: string): void {
  let at = from;
  for (const line of text.split(/(?<=\n)/)) {
    const last = parts.at(-1);
    const isFirst = last === undefined || (last.type === 'text' && last.text.endsWith('\n'));
    const spaces = isFirst ? (/^[ \t]*/.exec(line)?.[0].length ?? 0) : 0;
    if (line.length > spaces) parts.push({ type: 'text', at: at + spaces, text: line.slice(spaces) });
    at += line.length;
  }
}

type Within = Pick<Stretch, 'depth' | 'isInLink'>;

function inlineOf(node: SyntaxNode, read: Reader, within: Within): readonly Inline[] {
  return betweenOf({ node, from: node.from, to: node.to, ...within }, read);
}

interface Stretch {
  readonly node: SyntaxNode;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** Links cannot be nested. */
  readonly isInLink?: boolean;
}

function betweenOf({ node, from, to, depth, isInLink = false }: Stretch, read: Reader): readonly Inline[] {
  const parts: Inline[] = [];
  let at = from;
  const until = (end: number) => {
    if (end > at) addText(parts, at, read(at, end));
  };
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.from < at || child.to > to) continue;
    const part = depth < DEEPEST_MARKS ? partOf(child, read, { depth: depth + 1, isInLink }) : null;
    const isMark = MARKS.has(child.name);
    if (part === null && !isMark && child.name !== 'Escape') continue;
    until(child.from);
    if (part !== null) parts.push(part);
    // The escaped sign is drawn, the backslash is not.
    at = child.name === 'Escape' ? child.from + 1 : child.to;
  }
  until(to);
  return parts;
}

/** Null: it is drawn as plain text. */
function partOf(node: SyntaxNode, read: Reader, within: Within): Inline | null {
  const span = SPANS[node.name];
  if (span) return { type: span, at: node.from, parts: inlineOf(node, read, within) };
  if (node.name === 'InlineCode') return codeOf(node, read);
  const link = within.isInLink === true ? null : linkOf(node, read);
  return link && anchorOf(node, link, { read, depth: within.depth });
}

function codeOf(node: SyntaxNode, read: Reader): Inline {
  const [open, close] = node.getChildren('CodeMark');
  const from = open?.to ?? node.from;
  return { type: 'code', at: from, text: read(from, close?.from ?? node.to) };
}

function anchorOf(
  node: SyntaxNode,
  { address, label }: Link,
  { read, depth }: { readonly read: Reader; readonly depth: number },
): Inline {
  const [open, close] = node.getChildren('LinkMark');
  const isNamed = (node.name === 'Link' || node.name === 'Image') && open && close && close.from > open.to;
  const parts: readonly Inline[] = isNamed
    ? betweenOf({ node, from: open.to, to: close.from, depth, isInLink: true }, read)
    : [{ type: 'text', at: node.getChild('URL')?.from ?? node.from, text: label }];
  return { type: 'link', at: node.from, address, parts };
}

function itemOf(node: SyntaxNode, read: Reader): Item {
  const task = node.getChild('Task');
  const marker = task?.getChild('TaskMarker');
  const box = marker && { at: marker.from + 1, isChecked: read(marker.from + 1, marker.from + 2) !== ' ' };
  return { at: node.from, box: box ?? null, blocks: blocksOf(node, read) };
}

function listOf(node: SyntaxNode, read: Reader): Block {
  const items = node.getChildren('ListItem');
  const mark = node.name === 'OrderedList' ? items[0]?.getChild('ListMark') : null;
  const start = mark ? Number.parseInt(read(mark.from, mark.to), 10) : null;
  return { type: 'list', at: node.from, start, items: items.map((item) => itemOf(item, read)) };
}

function blockOf(node: SyntaxNode, read: Reader): Block | null {
  const { name, from: at } = node;
  const level = /^(?:ATX|Setext)Heading([1-6])$/.exec(name)?.[1];
  if (level !== undefined)
    return { type: 'heading', at, level: Number(level), parts: trimmed(inlineOf(node, read, { depth: 0 })) };
  if (name === 'BulletList' || name === 'OrderedList') return listOf(node, read);
  if (name === 'Blockquote') return { type: 'quote', at, blocks: blocksOf(node, read) };
  if (name === 'HorizontalRule') return { type: 'rule', at };
  if (name === 'FencedCode') {
    const texts = node.getChildren('CodeText');
    return {
      type: 'code',
      at: texts[0]?.from ?? at,
      text: texts.map(({ from, to }) => read(from, to)).join(''),
    };
  }
  if (name === 'Paragraph' || name === 'Task')
    return { type: 'paragraph', at, parts: trimmed(inlineOf(node, read, { depth: 0 })) };
  return null;
}

/** Removes spaces next to marks and at the end. */
function trimmed(parts: readonly Inline[]): readonly Inline[] {
  const last = parts.at(-1);
  if (last?.type !== 'text') return parts;
  const text = last.text.trimEnd();
  return text === '' ? parts.slice(0, -1) : [...parts.slice(0, -1), { ...last, text }];
}

function blocksOf(node: SyntaxNode, read: Reader): readonly Block[] {
  const blocks: Block[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const block = blockOf(child, read);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** Reads a note block by block. Takes any text and never throws. */
export function readNote(text: string): readonly Block[] {
  return blocksOf(notesParser.parse(text).topNode, (from, to) => text.slice(from, to));
}

/** The note with the checkbox at `at` (an item's `box.at`) toggled; unchanged if there is none any more. */
export function withBoxToggled(text: string, at: number): string {
  const sign = /^\[([ xX])\]$/.exec(text.slice(at - 1, at + 2))?.[1];
  if (sign === undefined) return text;
  return text.slice(0, at) + (sign === ' ' ? 'x' : ' ') + text.slice(at + 1);
}
