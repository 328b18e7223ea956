// Reads Workflowy: its OPML, whose text is HTML escaped once more, its plain text, and the JSON of its backups. What the
// three say of an item becomes a task in one place.
import { isRecord, type JsonRecord } from '../../json.ts';
import { failed, ok } from '../../result.ts';
import { walkOpml } from '../opml.ts';
import { type Format, paragraphs, rawList, rawTask, type RawTask, type Tools } from '../import/draft.ts';
import { readHtml } from '../import/html.ts';
import { isSet, numberIn, recordIn, recordsIn, recordsOfList, textIn } from '../import/records.ts';

/** Letters of any script, digits, `-`, `_` and `:`; not a number alone, not in an address. */
const TAG = /(^|\s)#(?=[\p{L}\p{N}_:-]*\p{L})([\p{L}\p{N}][\p{L}\p{M}\p{N}_:-]*)(?=[\s.,;!?)]|$)/gu;
const EDGE_TAGS =
  /^(?:#(?=[\p{N}_:-]*\p{L})[\p{L}\p{M}\p{N}_:-]+\s+)+|(?:\s+#(?=[\p{N}_:-]*\p{L})[\p{L}\p{M}\p{N}_:-]+)+$/gu;
/** Longer titles are prose, whose tags stay. */
const LONGEST_TAGGED = 2_000;

/** An item with markup in its title and its note. */
function itemOf(title: string, note: string, tools: Tools): RawTask {
  const { losses } = tools;
  const [named, noted] = [readHtml(title), readHtml(note)];
  const labels = [...named.words.matchAll(TAG)].map(([, , name = '']) => ({ name }));
  const bare =
    labels.length === 0 || named.words.length > LONGEST_TAGGED
      ? named.words
      : named.words.replaceAll(EDGE_TAGS, '').trim();
  const words = bare === '' || bare.startsWith('#') ? named.words : bare;
  if (named.addresses.length > 0) losses.add('link', 'a', 'notes', words);
  if (named.isFormatted) losses.add('formatting', 'b, i, mark', 'title', words);
  const others = named.otherTimes + noted.otherTimes + (noted.time === null ? 0 : 1);
  for (let at = 0; at < others; at += 1) losses.add('date', 'time', 'title', words);
  const mentions = [...named.mentions, ...noted.mentions];
  for (const _mention of mentions) losses.add('mention', 'mention', 'notes', words);
  return rawTask({
    title: words,
    notes: paragraphs(
      noted.markdown,
      named.addresses.join('\n'),
      mentions.map((id) => `@someone (${id})`).join('\n'),
    ),
    due: named.time === null ? null : { when: named.time.when },
    duration: named.time?.minutes ?? null,
    labels,
  });
}

/** Workflowy's OPML: nothing but three attributes, and the address of its owner in the head. */
export const workflowyOpml: Format = {
  name: 'workflowy',
  title: 'Workflowy OPML',
  extensions: ['.opml'],
  detect: ({ head }) => /<opml[\s>]/.test(head) && /<ownerEmail\b/.test(head) && !/<flavor>/.test(head),
  read: (files, tools) => {
    const lists = [];
    for (const file of files) {
      const tasks: RawTask[] = [];
      const open: RawTask[] = [];
      const problem = walkOpml(file.said, {
        open: (attributes) => {
          const task = itemOf(attributes['text'] ?? '', attributes['_note'] ?? '', tools);
          if (attributes['_complete'] === 'true') task.done = { at: null };
          (open.at(-1)?.children ?? tasks).push(task);
          open.push(task);
        },
        close: () => open.pop(),
      });
      if (problem !== null) return failed(`: ${problem}`);
      lists.push(rawList({ name: file.title, tasks, writtenAt: file.writtenAt }));
    }
    tools.remark('Workflowy writes mirrors as copies, so each place has one.');
    return ok({ kind: 'Workflowy', lists });
  },
};

const LINE = /^( *)- (.*)$/;
const COMPLETE = /^\[COMPLETE\]\s?/;

/** The plain text that Workflowy exports: bullets of two spaces, notes in quotation marks, [COMPLETE]. */
export const workflowyText: Format = {
  name: 'workflowy-text',
  title: 'Workflowy text',
  extensions: ['.txt'],
  detect: ({ head }) => {
    const lines = head.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
    const isItem = LINE.test(lines[0] ?? '');
    const hasSigns = /^ *- \[COMPLETE\]/m.test(head) || /^ *- .*\r?\n +"/m.test(head);
    return isItem && hasSigns && !/^ *[-*] \[[ xX]\]/m.test(head);
  },
  read: (files) =>
    ok({
      kind: 'Workflowy',
      lists: files.map((file) =>
        rawList({ name: file.title, tasks: textItems(file.said), writtenAt: file.writtenAt }),
      ),
    }),
};

function textItems(text: string): RawTask[] {
  const tops: RawTask[] = [];
  const open: { readonly level: number; readonly task: RawTask; readonly note: string[] }[] = [];
  let last: (typeof open)[number] | null = null;
  const endNote = () => {
    if (last === null || last.note.length === 0) return;
    const note = last.note.join('\n').trim();
    const isQuoted = note.length > 1 && note.startsWith('"') && note.endsWith('"');
    last.task.notes = isQuoted ? note.slice(1, -1) : note;
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const isInNote = last !== null && last.note.length > 0 && isOpenNote(last.note);
    const [, indent = '', said = ''] = isInNote ? [] : (LINE.exec(line) ?? []);
    if (said === '' && !/^ *- ?$/.test(isInNote ? 'x' : line)) {
      if (last && (line.trim() !== '' || last.note.length > 0))
        last.note.push(line.slice(last.level * 2 + 2));
      else if (line.trim() !== '') tops.push(rawTask({ title: line.trim() }));
      continue;
    }
    endNote();
    const level = Math.floor(indent.length / 2);
    while ((open.at(-1)?.level ?? -1) >= level) open.pop();
    const task = rawTask({
      title: said.replace(COMPLETE, ''),
      done: COMPLETE.test(said) ? { at: null } : null,
    });
    (open.at(-1)?.task.children ?? tops).push(task);
    last = { level, task, note: [] };
    open.push(last);
  }
  endNote();
  return tops;
}

/** Whether a quoted note goes on: its last line does not end with a quotation mark. */
function isOpenNote(note: readonly string[]): boolean {
  if (!(note[0] ?? '').startsWith('"')) return false;
  const last = (note.at(-1) ?? '').trimEnd();
  return note.length === 1 ? last.length < 2 || !last.endsWith('"') : !last.endsWith('"');
}

const isNode = (record: JsonRecord | undefined) =>
  record !== undefined && 'id' in record && ('nm' in record || 'ch' in record);

/** The tree of a backup. */
class Backup {
  readonly #tools: Tools;
  readonly #names = new Map<string, string>();
  #hasMoments = false;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  read(nodes: readonly JsonRecord[]): RawTask[] {
    this.#learn(nodes);
    const tops: RawTask[] = [];
    const waiting = [{ nodes, into: tops, under: null as RawTask | null }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      for (const node of next.nodes) {
        const children = recordsIn(node, 'ch', 'children');
        const layout = textIn(recordIn(node, 'metadata'), 'layoutMode');
        const above = next.under;
        if (isSet(recordIn(node, 'metadata'), 'isReferencesRoot')) continue;
        if (layout === 'cmnt-c' && above) {
          this.#comments(children, above);
          continue;
        }
        const task = this.#task(node);
        next.into.push(task);
        if (children.length > 0) waiting.push({ nodes: children, into: task.children, under: task });
      }
    }
    if (this.#hasMoments)
      this.#tools.remark('Workflowy’s backups don’t say on which days items were made and completed.');
    return tops;
  }

  #learn(nodes: readonly JsonRecord[]): void {
    const waiting = [...nodes];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const id = textIn(node, 'id');
      if (id !== '' && !this.#names.has(id)) this.#names.set(id, readHtml(textIn(node, 'nm')).words);
      if (numberIn(node, 'ct') !== null) this.#hasMoments = true;
      waiting.push(...recordsIn(node, 'ch', 'children'));
    }
  }

  #task(node: JsonRecord): RawTask {
    const metadata = recordIn(node, 'metadata');
    const mirror = recordIn(metadata, 'mirror');
    const original = textIn(mirror, 'originalId');
    const id = textIn(node, 'id');
    const name = textIn(node, 'nm');
    const isMirror = original !== '' && original !== id && name === '';
    const task = itemOf(name, textIn(node, 'no'), this.#tools);
    if (isMirror) {
      const title = this.#names.get(original) ?? '';
      task.title = title === '' ? 'Mirror' : title;
      task.notes = paragraphs(
        task.notes,
        title === '' ? 'Mirror of an item that isn’t in the file' : `Mirror of “${title}”`,
      );
      this.#tools.losses.add('mirror', 'mirror', 'task', task.title);
    }
    const file = recordIn(metadata, 's3File');
    if (isSet(file, 'isFile')) {
      task.notes = paragraphs(task.notes, `File: ${textIn(file, 'fileName')}`);
      this.#tools.losses.add('attachment', 's3File', 'notes', textIn(file, 'fileName'));
    }
    task.id = id === '' ? null : `workflowy:${id}`;
    if (numberIn(node, 'cp') !== null) task.done = { at: null };
    task.isBookmarked = isSet(metadata, 'isStarred', 'starred');
    return task;
  }

  #comments(nodes: readonly JsonRecord[], above: RawTask): void {
    const waiting = nodes.toReversed();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const text = readHtml(textIn(node, 'nm')).markdown.trim();
      if (text !== '') {
        above.notes = paragraphs(above.notes, text);
        this.#tools.losses.add('comment', 'cmnt', 'notes', text);
      }
      waiting.push(...recordsIn(node, 'ch', 'children').toReversed());
    }
  }
}

/** Workflowy's backup. */
export const workflowyJson: Format = {
  name: 'workflowy-json',
  title: 'Workflowy backup',
  extensions: ['.backup', '.json'],
  detect: ({ json }) => {
    const nodes = isRecord(json) ? recordsIn(json, 'nodes') : recordsOfList(json);
    return isNode(nodes[0]);
  },
  read: (files, tools) =>
    ok({
      kind: 'Workflowy',
      lists: files.map((file) => {
        const { json } = file;
        const nodes = isRecord(json) ? recordsIn(json, 'nodes') : recordsOfList(json);
        return rawList({
          name: file.title,
          tasks: new Backup(tools).read(nodes),
          writtenAt: file.writtenAt,
        });
      }),
    }),
};
