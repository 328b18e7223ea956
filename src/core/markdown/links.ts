// Finds the links of a text and decides which addresses may be opened: web, mail and telephone. Any other kind of
// address, such as a script, stays text.
import type { SyntaxNode, Tree } from '@lezer/common';
import { notesParser } from './grammar.ts';

/** A link of a text. */
export interface Link {
  /** Safe to open as it is. */
  readonly address: string;
  /** Its name, if that differs from the address. */
  readonly label: string;
}

const OPENABLE = /^(?:https?:\/\/[^\s/]|mailto:[^\s]|tel:[^\s])/i;
// oxlint-disable-next-line no-control-regex -- browsers leave these out of an address, so that it becomes another one
const UNPRINTED = /[\u0000-\u001f\u007f-\u009f]/;
const MAIL = /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/;

/** The address to open for a written one; null if it may not be opened. */
export function addressOf(written: string): string | null {
  const text = written.replace(/^<(.*)>$/s, '$1').trim();
  if (UNPRINTED.test(text)) return null;
  if (OPENABLE.test(text)) return text;
  if (/^www\.[^\s/]/i.test(text)) return `https://${text}`;
  return MAIL.test(text) ? `mailto:${text}` : null;
}

const urlOf = (node: SyntaxNode) => (node.name === 'URL' ? node : null);

/** The target of a named link, whose name may contain an address too. */
function targetOf(node: SyntaxNode): SyntaxNode | null {
  const end = node.getChildren('LinkMark')[1]?.to;
  return node.getChildren('URL').find(({ from }) => end !== undefined && from >= end) ?? null;
}

/** The link of a tree node; null if there is none that may be opened. */
export function linkOf(node: SyntaxNode, textOf: (from: number, to: number) => string): Link | null {
  const isNamed = node.name === 'Link' || node.name === 'Image';
  const url = isNamed ? targetOf(node) : node.name === 'Autolink' ? node.getChild('URL') : urlOf(node);
  const address = url && addressOf(textOf(url.from, url.to));
  if (!address) return null;
  const [open, close] = isNamed ? node.getChildren('LinkMark') : [];
  const label = open && close ? textOf(open.to, close.from).replaceAll(/\s+/g, ' ').trim() : '';
  return { address, label: label === '' ? textOf(url.from, url.to) : label };
}

/** The links of a text in order, each address once. */
export function linksIn(text: string): readonly Link[] {
  const found = new Map<string, Link>();
  const textOf = (from: number, to: number) => text.slice(from, to);
  notesParser.parse(text).iterate({
    enter(ref) {
      if (!/^(?:Link|Image|Autolink|URL)$/.test(ref.name)) return undefined;
      const link = linkOf(ref.node, textOf);
      if (link === null) return undefined;
      if (!found.has(link.address)) found.set(link.address, link);
      // The name of a link may look like another link.
      return ref.name === 'Link' ? false : undefined;
    },
  });
  return [...found.values()];
}

/** The link at an offset of a text, its ends included. */
export function linkAt(tree: Tree, at: number, textOf: (from: number, to: number) => string): Link | null {
  for (const side of [1, -1] as const) {
    for (let node: SyntaxNode | null = tree.resolveInner(at, side); node; node = node.parent) {
      const link = linkOf(node, textOf);
      // An address within a named link belongs to that link.
      if (link !== null) return (node.parent && linkOf(node.parent, textOf)) ?? link;
    }
  }
  return null;
}
