// The Markdown of notes: headings, emphasis, code, quotes, lists, checkboxes, links, rules. HTML is not supported and
// stays plain text. Parsing takes time proportional to the length of any text.
import {
  Autolink,
  type BlockContext,
  type BlockParser,
  type Element,
  type Line,
  type MarkdownParser,
  parser,
  Strikethrough,
  TaskList,
} from '@lezer/markdown';

/** Maximum nesting of blocks; deeper ones are paragraphs. A list counts twice: itself and its item. */
const DEEPEST = 40;
/** UTF-16 units of a paragraph that are searched for marks at once: the cost is quadratic. */
const LONGEST_PIECE = 2_000;

const depthLimit: BlockParser = {
  name: 'DepthLimit',
  before: 'Blockquote',
  parse(context: BlockContext, line: Line): boolean {
    if (context.depth < DEEPEST || line.pos >= line.text.length) return false;
    const from = context.lineStart + line.pos;
    context.addElement(context.elt('Paragraph', from, context.lineStart + line.text.length));
    context.nextLine();
    return true;
  },
};

/** Where the first piece of a long text ends: at a line, else at a word. */
function endOfPiece(text: string, from: number): number {
  const end = from + LONGEST_PIECE;
  if (end >= text.length) return text.length;
  const middle = from + LONGEST_PIECE / 2;
  const line = text.lastIndexOf('\n', end - 1);
  if (line > middle) return line + 1;
  const word = text.lastIndexOf(' ', end - 1);
  return word > middle ? word + 1 : end;
}

function create(): MarkdownParser {
  const configured = parser.configure([
    Strikethrough,
    TaskList,
    Autolink,
    {
      parseBlock: [depthLimit],
      remove: ['HTMLBlock', 'HTMLTag', 'Entity', 'LinkReference', 'IndentedCode'],
    },
  ]);
  const parseInline = configured.parseInline.bind(configured);
  configured.parseInline = (text: string, offset: number): Element[] => {
    if (text.length <= LONGEST_PIECE) return parseInline(text, offset);
    const elements: Element[] = [];
    for (let from = 0; from < text.length;) {
      const to = endOfPiece(text, from);
      for (const element of parseInline(text.slice(from, to), offset + from)) elements.push(element);
      from = to;
    }
    return elements;
  };
  return configured;
}

/** The one grammar of notes, for drawing, editing and finding links. */
export const notesParser: MarkdownParser = create();
