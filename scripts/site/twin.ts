// The markdown twin of a page: what it says, without how it looks, for programs that read.
import { elementsOf, type HtmlElement, type HtmlNode, readHtml, textOf } from './html.ts';

const SKIPPED = new Set([
  'nav',
  'form',
  'button',
  'svg',
  'dialog',
  'noscript',
  'video',
  'search',
  'input',
  'fieldset',
]);

const isHidden = ({ attributes }: HtmlElement) =>
  (attributes['class'] ?? '')
    .split(' ')
    .some((name) => ['anchor', 'visually-hidden', 'in-dark'].includes(name)) || 'hidden' in attributes;

const classOf = ({ attributes }: HtmlElement) => attributes['class'] ?? '';

function inline(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node.replaceAll(/\s+/g, ' ');
      if (SKIPPED.has(node.tag) || isHidden(node)) return '';
      const inside = inline(node.children);
      // Of two ways to write a key the Mac's is marked as such.
      if (classOf(node).includes('keys-apple')) return `${inside} (Mac) `;
      if (node.tag === 'strong') return `**${inside.trim()}**`;
      if (node.tag === 'em') return `*${inside.trim()}*`;
      if (node.tag === 'code' || node.tag === 'kbd') return `\`${textOf(node)}\``;
      if (node.tag === 'br') return '\n';
      if (node.tag === 'img') return node.attributes['alt'] ? `(Picture: ${node.attributes['alt']})` : '';
      if (node.tag === 'a')
        return inside.trim() === '' ? '' : `[${inside.trim()}](${node.attributes['href'] ?? ''})`;
      return inside;
    })
    .reduce((text, part, at) => {
      // Beside each other without a space in the source, two elements are held apart by their style.
      const isApart = at > 0 && typeof nodes[at] !== 'string' && typeof nodes[at - 1] !== 'string';
      return isApart && /\S$/.test(text) && /^\S/.test(part) ? `${text} ${part}` : `${text}${part}`;
    }, '');
}

const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'ul',
  'ol',
  'dl',
  'table',
  'pre',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'header',
  'hr',
]);

const hasBlocks = (node: HtmlElement) => [...elementsOf(node.children)].some(({ tag }) => BLOCKS.has(tag));

function table(node: HtmlElement): string {
  const rows = [...elementsOf([node])]
    .filter(({ tag }) => tag === 'tr')
    .map((row) =>
      row.children
        .filter((cell): cell is HtmlElement => typeof cell !== 'string')
        .map((cell) => inline(cell.children).trim().replaceAll('|', '\\|')),
    );
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

function list(node: HtmlElement): string {
  const items = node.children.filter(
    (item): item is HtmlElement => typeof item !== 'string' && item.tag === 'li',
  );
  return items
    .map((item, index) => {
      const mark = node.tag === 'ol' ? `${index + 1}. ` : '- ';
      const text = hasBlocks(item) ? blocks(item.children) : inline(item.children).trim();
      return mark + text.replaceAll(/\n(?!\n)/g, `\n${' '.repeat(mark.length)}`);
    })
    .join('\n');
}

function block(node: HtmlElement): string {
  const level = /^h([1-6])$/.exec(node.tag)?.[1];
  if (level) return `${'#'.repeat(Number(level))} ${inline(node.children).trim()}`;
  if (node.tag === 'ul' || node.tag === 'ol') return list(node);
  if (node.tag === 'table') return table(node);
  if (node.tag === 'hr') return '---';
  if (node.tag === 'pre')
    return `\`\`\`${node.attributes['data-language'] ?? ''}\n${textOf(node).trimEnd()}\n\`\`\``;
  return hasBlocks(node) ? blocks(node.children) : inline(node.children).trim();
}

function blocks(nodes: readonly HtmlNode[]): string {
  const parts: string[] = [];
  let words: HtmlNode[] = [];
  const flush = () => {
    const text = inline(words).trim();
    if (text !== '') parts.push(text);
    words = [];
  };
  for (const node of nodes) {
    if (typeof node !== 'string' && (SKIPPED.has(node.tag) || isHidden(node))) continue;
    if (typeof node === 'string' || !(BLOCKS.has(node.tag) || hasBlocks(node))) {
      words.push(node);
      continue;
    }
    flush();
    parts.push(block(node));
  }
  flush();
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `markup`: the whole body of a page; what counts is its main part. */
export function markdownTwin(markup: string): string {
  const main = [...elementsOf(readHtml(markup))].find(({ tag }) => tag === 'main');
  return `${blocks(main?.children ?? [])}\n`;
}
