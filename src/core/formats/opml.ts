// Reads OPML, the file that outliners exchange (OPML 2.0, with the notes and completion of Workflowy and its like). Entities that
// a file declares itself are not read, so none of them can grow.
import sax from 'sax';
import { draftOf, type ImportedFile, splitTitle, type TaskDraft } from './imported.ts';

type Attributes = Readonly<Record<string, string>>;

/** The parser's own limit is for streams; ours is the length of a title, further on. */
Object.assign(sax, { MAX_BUFFER_LENGTH: Infinity });

const SIGNS = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
const DONE: ReadonlySet<string> = new Set(['true', 'yes', '1', 'checked', 'done']);
const TAG = /<\/?[a-z][^<>]{0,200}>/gi;
const BREAK_TAG = /<br\s*\/?>/gi;

/** Some outliners write HTML in an attribute: bold, links, line breaks. Its words are what is wanted. */
function plain(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text;
  return text
    .replaceAll(BREAK_TAG, '\n')
    .replaceAll(TAG, '')
    .replaceAll(/&(lt|gt|amp|quot|apos|nbsp);/g, (whole, name: keyof typeof SIGNS) => SIGNS[name] ?? whole);
}

function taskOf(attributes: Attributes): TaskDraft {
  const by = (...names: readonly string[]) => {
    const found = names.find((name) => (attributes[name] ?? '') !== '');
    return found === undefined ? '' : (attributes[found] ?? '');
  };
  const address = by('url', 'xmlUrl', 'htmlUrl');
  const notes = [plain(by('_note', 'note', 'notes', 'description')), address];
  const words = splitTitle(plain(by('text', 'title')), notes.filter((part) => part !== '').join('\n\n'));
  const labels = by('category')
    .split(',')
    .map((name) => name.split('/').at(-1)?.trim() ?? '')
    .filter((name) => name !== '');
  return draftOf({
    ...words,
    isDone: DONE.has(by('_complete', 'complete', 'completed', '_status', 'checked').toLowerCase()),
    due: by('due', '_due', 'dueDate'),
    labels: [...new Set(labels)],
  });
}

/** Reads any text and ends; linear in it, however deep. */
export function parseOpml(text: string): ImportedFile {
  const parser = sax.parser(true, { position: true });
  const root = draftOf({ title: '' });
  const open: TaskDraft[] = [root];
  let isOpml = false;
  let problem: string | null = null;
  parser.onerror = (error) => {
    problem ??= `Line ${parser.line + 1}: ${error.message.split('\n')[0] ?? 'this is no XML.'}`;
  };
  parser.onopentag = ({ name, attributes }) => {
    if (name === 'opml') isOpml = true;
    if (name !== 'outline') return;
    const task = taskOf(attributes as Attributes);
    open.at(-1)?.children.push(task);
    open.push(task);
  };
  parser.onclosetag = (name) => {
    if (name === 'outline' && open.length > 1) open.pop();
  };
  try {
    parser.write(text.startsWith('\uFEFF') ? text.slice(1) : text).close();
  } catch (error) {
    // It stops at the first thing that is not right, and says it once more.
    problem ??= error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'This is no XML.';
  }
  if (problem !== null) return { ok: false, problem };
  if (!isOpml) return { ok: false, problem: 'This XML is no OPML: it holds no outline.' };
  return { ok: true, kind: 'OPML', lists: [{ name: null, tasks: root.children }], left: [] };
}
