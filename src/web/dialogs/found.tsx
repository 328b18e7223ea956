// A text in which something was found. Where the browser can mark it by itself (CSS Custom Highlight API) the text stays one
// piece and nothing is drawn but it; elsewhere elements mark it.
import { useLayoutEffect, useRef } from 'react';

interface FoundPart {
  readonly text: string;
  readonly isFound: boolean;
}

const NAME = 'ph-found';
const canHighlight = typeof CSS === 'object' && 'highlights' in CSS;

function foundHighlight(): Highlight {
  const known = CSS.highlights.get(NAME);
  if (known) return known;
  const made = new Highlight();
  CSS.highlights.set(NAME, made);
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

function Highlighted({ parts }: { readonly parts: readonly FoundPart[] }) {
  const holder = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const node = holder.current?.firstChild;
    if (!node) return undefined;
    const ranges = rangesOf(node, parts);
    const highlight = foundHighlight();
    for (const range of ranges) highlight.add(range);
    return () => {
      for (const range of ranges) highlight.delete(range);
    };
  }, [parts]);
  return <span ref={holder}>{parts.map(({ text }) => text).join('')}</span>;
}

export function Found({ parts }: { readonly parts: readonly FoundPart[] }) {
  if (canHighlight) return <Highlighted parts={parts} />;
  return parts.map((part, at) =>
    part.isFound ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
  );
}
