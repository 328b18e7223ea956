// A text in which something was found, or was put in its place. Where the browser can mark it by itself (CSS
// Custom Highlight API) the text stays one node; elsewhere elements mark it.
import { useLayoutEffect, useRef } from 'react';
import type { FoundPart } from '#client/replacing/replace-view.ts';

interface FoundProps {
  readonly parts: readonly FoundPart[];
  readonly isNew?: boolean;
}

const canHighlight = typeof CSS === 'object' && 'highlights' in CSS;

function highlightOf(name: 'ph-found' | 'ph-put'): Highlight {
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

function rangesOf(node: Node, parts: readonly FoundPart[]): StaticRange[] {
  const ranges: StaticRange[] = [];
  let at = 0;
  for (const { text, isFound } of parts) {
    const end = at + text.length;
    if (isFound)
      ranges.push(
        new StaticRange({ startContainer: node, startOffset: at, endContainer: node, endOffset: end }),
      );
    at = end;
  }
  return ranges;
}

function Highlighted({ parts, isNew = false }: FoundProps) {
  const holder = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const node = holder.current?.firstChild;
    if (!node) return undefined;
    const ranges = rangesOf(node, parts);
    const highlight = highlightOf(isNew ? 'ph-put' : 'ph-found');
    for (const range of ranges) highlight.add(range);
    return () => {
      for (const range of ranges) highlight.delete(range);
    };
  }, [parts, isNew]);
  return <span ref={holder}>{parts.map(({ text }) => text).join('')}</span>;
}

export function Found({ parts, isNew = false }: FoundProps) {
  if (canHighlight) return <Highlighted parts={parts} isNew={isNew} />;
  const Mark = isNew ? 'ins' : 'mark';
  return parts.map((part, at) =>
    part.isFound ? <Mark key={at}>{part.text}</Mark> : <span key={at}>{part.text}</span>,
  );
}
