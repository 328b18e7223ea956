// A note as elements of a document, for pages without an editor: what its Markdown says, and nothing else. The app draws the same
// blocks with components of its own (web/notes/reading.tsx).
import { drawn, type Drawn, drawnLink, drawnWords } from './drawn.ts';
import { type Block, type Inline, type Item, readNote } from './reading.ts';

const SPAN = { strong: 'strong', emphasis: 'em', strike: 's' } as const;

const inlines = (parts: readonly Inline[]): readonly Drawn[] => parts.flatMap(inline);

function inline(part: Inline): readonly Drawn[] {
  if (part.type === 'text') return drawnWords(part.text);
  if (part.type === 'code') return [drawn('code', {}, [part.text])];
  if (part.type === 'link') return [drawnLink(part.address, inlines(part.parts))];
  return [drawn(SPAN[part.type], {}, inlines(part.parts))];
}

function item({ box, blocks }: Item): Drawn {
  if (box === null) return drawn('li', {}, blocks.map(block));
  const mark = drawn('span', {
    class: 'check',
    role: 'img',
    'aria-label': box.isChecked ? 'Done:' : 'To do:',
  });
  return drawn('li', { class: box.isChecked ? 'check-item checked' : 'check-item' }, [
    mark,
    ...blocks.map(block),
  ]);
}

function block(each: Block): Drawn {
  switch (each.type) {
    case 'heading':
      // Of one rank, so that none is left out below the name of the list, whatever people write.
      return drawn('h2', { 'data-level': String(each.level) }, inlines(each.parts));
    case 'paragraph':
      return drawn('p', {}, inlines(each.parts));
    case 'quote':
      return drawn('blockquote', {}, each.blocks.map(block));
    case 'list':
      return each.start === null
        ? drawn('ul', {}, each.items.map(item))
        : drawn('ol', { start: String(each.start) }, each.items.map(item));
    case 'code':
      // What is wider than the page is scrolled to by keys too.
      return drawn('pre', { tabindex: '0' }, [each.text]);
    case 'rule':
      return drawn('hr');
  }
}

/** A note, block by block. Takes any text. */
export const drawnNote = (text: string): readonly Drawn[] => readNote(text).map(block);
