// Reads OPML, the exchange format of outliners (OPML 2.0, with notes and completion as in Workflowy and similar ones).
// Entities that a file declares itself are not read, so none of them can expand.
import sax from 'sax';
import { failed, ok } from '../result.ts';
import { draftOf, type ImportResult, splitTitle, type TaskDraft } from './imported.ts';
import { eachScalar } from '../task-fields.ts';
import { readMarkup } from './markup.ts';
import { Statuses } from './statuses.ts';

type Attributes = Readonly<Record<string, string>>;

/** The parser's own limit is for streams; ours, the length of a title, is applied later. */
Object.assign(sax, { MAX_BUFFER_LENGTH: Infinity });

/** Attributes that are read; the first one that is not empty counts. */
const NAMES = {
  title: ['text', 'title'],
  notes: ['_note', 'note', 'notes', 'description'],
  address: ['url', 'xmlUrl', 'htmlUrl'],
  labels: ['category', 'context', 'contexts', 'tags'],
  flagged: ['flagged', '_flagged'],
  done: ['_complete', 'complete', '_status', 'status', 'checked', '_checked', 'completed'],
  completed: ['completed', '_completed', 'completedAt', 'completionDate'],
  created: ['created', '_created', 'dateCreated', 'createdAt'],
  due: ['due', '_due', 'dueDate'],
  start: ['start', '_start', 'startDate', 'defer'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const SCALARS = eachScalar((_, { attributes }) => attributes);
const TAKEN: ReadonlySet<string> = new Set([...Object.values(NAMES), ...Object.values(SCALARS)].flat());
/** Attributes about the appearance or the internals of a program. */
const SILENT: ReadonlySet<string> = new Set(
  `type, collapsed, _collapsed, expanded, _expanded, isComment, isBreakpoint, checkbox, id, _id, uuid,
  structure, expansionState, listStyle, numbered, version, language`
    .split(',')
    .map((word) => word.trim()),
);
const NO: ReadonlySet<string> = new Set(['', 'false', 'no', '0', 'none']);
const MOST_NAMED = 8;

/** Reads the elements of a file and remembers the attributes it left out. */
class OutlineReader {
  readonly #statuses = new Statuses();
  readonly #left = new Set<string>();

  read(attributes: Attributes): TaskDraft {
    const by = (names: readonly string[]) => {
      const found = names.find((name) => (attributes[name] ?? '') !== '');
      return found === undefined ? '' : (attributes[found] ?? '').trim();
    };
    for (const [name, value] of Object.entries(attributes))
      if (value !== '' && !TAKEN.has(name) && !SILENT.has(name)) this.#left.add(name);
    const title = readMarkup(by(NAMES.title));
    const notes = readMarkup(by(NAMES.notes)).linked;
    // Titles are plain text: the addresses of their links go into the notes.
    const addresses = [...new Set([...title.addresses, by(NAMES.address)])].filter(
      (one) => !title.words.includes(one),
    );
    const status = this.#statuses.read({ done: by(NAMES.done), completed: by(NAMES.completed) });
    const labels = NAMES.labels
      .flatMap((name) => (attributes[name] ?? '').split(','))
      .map((name) => name.split(/[/:]/).at(-1)?.trim() ?? '');
    const flagged = NO.has(by(NAMES.flagged).toLowerCase()) ? '' : 'flagged';
    const kept = [notes, addresses.join('\n')].filter((part) => part !== '');
    return draftOf({
      ...splitTitle(title.words, kept.join('\n\n')),
      isDone: status.isDone,
      completed: status.completed,
      created: by(NAMES.created),
      due: by(NAMES.due),
      start: by(NAMES.start),
      scalars: eachScalar((name) => by(SCALARS[name])),
      labels: [...new Set([...labels, flagged, status.label ?? ''])].filter((name) => name !== ''),
    });
  }

  get left(): readonly string[] {
    const names = [...this.#left];
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    const what = names.length === 1 ? 'the attribute' : 'the attributes';
    return [
      ...this.#statuses.left,
      ...(names.length === 0 ? [] : [`Left out: ${what} ${names.slice(0, MOST_NAMED).join(', ')}${more}.`]),
    ];
  }
}

/** 32 MB of plain letters: some 300,000 tasks. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** A document type without declarations. */
const DOCTYPE = /<!DOCTYPE[^<>[]{0,1000}>/iy;

/** The index after the `>` of the tag that begins there; −1 when it has none. */
function endOfTag(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at + 1;
  }
  return -1;
}

/**
 * Position of the first declaration: a `<!` that begins no comment, no CDATA and no plain document type; null for none.
 * Declarations are not read, and the parser's time for them grows with the square of their size.
 */
function declaration(text: string): number | null {
  const after = (sign: string, at: number) => {
    const found = text.indexOf(sign, at);
    return found < 0 ? -1 : found + sign.length;
  };
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) at = after('-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) at = after(']]>', at);
    else if (text.startsWith('<?', at)) at = after('?>', at);
    else if (!text.startsWith('<!', at)) at = endOfTag(text, at);
    else {
      DOCTYPE.lastIndex = at;
      if (!DOCTYPE.test(text)) return at;
      at = DOCTYPE.lastIndex;
    }
    // Unclosed: the parser reports it.
    if (at < 0) return null;
  }
  return null;
}

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length;

/** Stops the parser, which would go on to the end of the text. */
class BrokenXml extends Error {}

/** What is told of an outline while it is read. */
export interface OutlineWalk {
  /** An item begins. */
  open(attributes: Attributes): void;
  /** The last open item ends. */
  close(): void;
}

/** Goes through the items of an outline. Gives a sentence about why it can't be read, or null. */
export function walkOpml(text: string, walk: OutlineWalk): string | null {
  if (text.length > MOST_CHARACTERS) return 'This outline is larger than 32 MB. Split it.';
  const declared = declaration(text);
  if (declared !== null) return `Line ${lineAt(text, declared)}: declarations (“<!”) aren’t supported.`;
  const parser = sax.parser(true, { position: true });
  let isOpml = false;
  let problem: string | null = null;
  let depth = 0;
  parser.onerror = (error) => {
    problem ??= `Line ${parser.line + 1}: ${error.message.split('\n')[0] ?? 'this isn’t XML.'}`;
    throw new BrokenXml(problem);
  };
  parser.onopentag = ({ name, attributes }) => {
    if (name === 'opml') isOpml = true;
    if (name !== 'outline') return;
    depth += 1;
    walk.open(attributes as Attributes);
  };
  parser.onclosetag = (name) => {
    if (name !== 'outline' || depth === 0) return;
    depth -= 1;
    walk.close();
  };
  try {
    parser.write(text.startsWith('\uFEFF') ? text.slice(1) : text).close();
  } catch (error) {
    if (!(error instanceof BrokenXml)) throw error;
  }
  if (problem !== null) return problem;
  return isOpml ? null : 'This XML isn’t OPML. It has no outline.';
}

/** Reads any text and ends; linear in the text, at any depth. */
export function parseOpml(text: string): ImportResult {
  const root = draftOf({ title: '' });
  const open: TaskDraft[] = [root];
  const reader = new OutlineReader();
  const problem = walkOpml(text, {
    open: (attributes) => {
      const task = reader.read(attributes);
      open.at(-1)?.children.push(task);
      open.push(task);
    },
    close: () => open.pop(),
  });
  if (problem !== null) return failed(problem);
  return ok({ kind: 'OPML', lists: [{ name: null, tasks: root.children }], left: reader.left });
}
