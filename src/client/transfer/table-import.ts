// Imports OPML, CSV and todo.txt files of other programs: a preview first, then new lists, as one undo. Loaded with the first
// such file. Parsing is in core/formats.
import { counted } from '#core/counted.ts';
import type { ImportedFile, ImportedTask, ImportResult } from '#core/formats/imported.ts';
import { parseCsv } from '#core/formats/csv.ts';
import { fileKind, isTableKind, type TableKind } from '#core/formats/file-kind.ts';
import { parseOpml } from '#core/formats/opml.ts';
import { parseTodoTxt } from '#core/formats/todo-txt.ts';
import { readDate } from '#core/dates/phrase.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import { seriesStart } from '#core/dates/repeat-start.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { fold } from '#core/search/fold.ts';
import { type Id, listsRoot } from '#core/ids.ts';
import { scalarNames, type TaskDraft, limits } from '#core/model.ts';
import { readScalar } from '#core/scalar-readers.ts';
import { scalarField } from '#core/task-fields.ts';
import { isZone, momentOf, type When } from '#core/when.ts';
import type { Action } from '#sync/rows/operation.ts';
import { finish } from './transfer-commands.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { TextFile } from './given-file.ts';
import { issueInBatches, type ItemToMake, itemsToActions } from './importing.ts';
import { labelNamed, newLabels } from '../labels/creating.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Program } from '../app/program.ts';
import type { ImportPreviewView } from '../dialogs/dialog-view.ts';

const SHOWN = 12;
const ENDING = /\.(?:opml|csv|tsv|xml|txt)$/i;
/** Todoist appends the id of the project to its name. */
const PROJECT_ID = / \[(?:\d{6,}|[\dA-Za-z]{16})\]$/;
/** Names of the default list in other programs. */
const INBOXES: ReadonlySet<string> = new Set(
  `inbox, eingang, posteingang, boîte de réception, bandeja de entrada, posta in arrivo, postvak in,
  inkorgen, innboks, indbakke, saapuneet, skrzynka spraw, входящие, インボックス, 收件箱, 收集箱, 收件匣, 관리함, gelen kutusu`
    .split(',')
    .map((word) => word.trim())
    .map(fold),
);
/** With seconds or a zone, as programs write it. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const SECONDS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/;

const READERS: Readonly<Record<TableKind, (text: string) => ImportResult>> = {
  opml: (text) => parseOpml(text),
  csv: (text) => parseCsv(text),
  todoTxt: (text) => parseTodoTxt(text),
};

/** `next`: continues after the person has answered. */
export function previewTable(program: Program, file: TextFile, next: () => void = () => undefined): void {
  const { type } = fileKind(file.name, file.text);
  if (!isTableKind(type)) throw new Error(`Impossible: ${type} is no table`);
  const read = READERS[type](file.text);
  if (!read.ok) {
    program.dialog.show({
      type: 'import',
      busy: false,
      progress: 0,
      problems: [`${file.name}: ${read.problem}`],
    });
    return;
  }
  program.leaveText();
  program.editor.flush();
  program.dialog.open(new ImportPreview(program, { file, read: read.value, next }));
}

interface Offer {
  readonly file: TextFile;
  readonly read: ImportedFile;
  readonly next: () => void;
}

/** Every task, parents first, with its level from 1. */
function* walk(tasks: readonly ImportedTask[]): Generator<readonly [task: ImportedTask, level: number]> {
  const waiting = tasks.toReversed().map((task): readonly [ImportedTask, number] => [task, 1]);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const [task, level] = next;
    for (let at = task.children.length - 1; at >= 0; at -= 1) {
      const child = task.children[at];
      if (child) waiting.push([child, level + 1]);
    }
  }
}

class ImportPreview implements OpenDialog {
  readonly type = 'importPreview';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #offer: Offer;
  readonly #view: ImportPreviewView;

  constructor(program: Program, offer: Offer) {
    this.#program = program;
    this.#offer = offer;
    this.#view = viewOf(program, offer);
  }

  submit(): void {
    this.#program.run('dialog.close');
    makeTable(this.#program, this.#offer);
    this.#offer.next();
  }

  refresh(): void {
    this.#program.dialog.show({ type: 'importPreview', preview: this.#view });
  }

  leave(): void {
    // Nothing was created, so nothing has to be undone.
  }
}

/** The name from the file's content, else the file's own name. */
function nameOf({ file }: Offer, name: string | null): string {
  const own = file.name.replace(ENDING, '').replace(ENDING, '').replace(PROJECT_ID, '');
  return fitName((name ?? own).trim()).text || 'Imported';
}

const isInbox = (offer: Offer, name: string | null) => INBOXES.has(fold(nameOf(offer, name)));

function viewOf(program: Program, offer: Offer): ImportPreviewView {
  const { read } = offer;
  const words = new Words(program, offer.file.writtenAt);
  const sample: { title: string; level: number; isDone: boolean }[] = [];
  const labels = new Set<string>();
  let [tasks, done, notes, unread, deadlines, deepest] = [0, 0, 0, 0, 0, 0];
  for (const { tasks: some } of read.lists)
    for (const [task, level] of walk(some)) {
      tasks += 1;
      deepest = Math.max(deepest, level);
      if (task.isDone) done += 1;
      if (task.notes !== '') notes += 1;
      const read = words.fieldsOf(task);
      unread += read.unread.length;
      if (read.hasDeadline) deadlines += 1;
      for (const label of task.labels) labels.add(fold(label));
      if (sample.length < SHOWN) sample.push({ title: task.title, level, isDone: task.isDone });
    }
  const fresh = [...labels].filter((name) => labelNamed(program, name) === null).length;
  const into = placesOf(offer);
  const extra = [
    ...(done > 0 ? [`${done} completed`] : []),
    ...(notes > 0 ? [`${notes} with notes`] : []),
    ...(deepest > 1 ? [`${counted(deepest, 'level')} deep`] : []),
  ];
  const lines = [
    `${read.kind}: ${counted(tasks, 'task')}${extra.length > 0 ? ` (${extra.join(', ')})` : ''} in ${into}.`,
    ...(labels.size > 0 ? [`${counted(labels.size, 'label')}, ${fresh} of them new.`] : []),
    ...(unread > 0
      ? [
          `${counted(unread, 'date')} couldn’t be read. ${unread === 1 ? 'It stays' : 'They stay'} in the notes.`,
        ]
      : []),
    ...(deadlines > 0
      ? [
          `${counted(deadlines, 'task')} with a date and a deadline. The deadline becomes the due date, the date the start date.`,
        ]
      : []),
    ...(deepest > limits.depth
      ? [`Anything deeper than ${limits.depth} levels moves up to the deepest one.`]
      : []),
    ...read.left,
    ...(offer.file.note ? [offer.file.note] : []),
    'Nothing is added yet. One undo removes all of it.',
  ];
  return { fileName: quoted(offer.file.name), lines, sample, more: tasks - sample.length };
}

/** "the new lists ‘A’, ‘B’", "the Inbox": where it would go. */
function placesOf(offer: Offer): string {
  const { lists } = offer.read;
  const names = lists
    .filter(({ name }) => !isInbox(offer, name))
    .map(({ name }) => quoted(nameOf(offer, name)));
  const made =
    names.length > 3
      ? counted(names.length, 'new list')
      : `the new ${names.length === 1 ? 'list' : 'lists'} ${names.join(', ')}`;
  if (names.length === lists.length) return made;
  return names.length === 0 ? 'the Inbox' : `the Inbox and ${made}`;
}

interface FieldsRead {
  readonly fields: TaskDraft;
  readonly unread: readonly string[];
  /** Its date became the start, its deadline the due date. */
  readonly hasDeadline: boolean;
}

const REPEAT = /^(?:every|after|daily|weekly|monthly|yearly)/i;
/** "15 Apr. 2033". */
const DOTTED_MONTH = /(?<=\p{L}{3})\.(?=\s|$)/gu;

const isSame = (one: unknown, other: unknown) =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);

/** Reads the words of a file as this person means them. */
class Words {
  readonly #context: PhraseContext;
  /** Cache by zone and words: many rows have the same date. */
  readonly #known = new Map<string, When | null>();

  /** `writtenAt`: of the file, if known. */
  constructor(program: Program, writtenAt: number | undefined) {
    const context = phraseContext(program, null);
    this.#context = { ...context, writtenAt: writtenAt ?? context.now };
  }

  fieldsOf(task: ImportedTask): FieldsRead {
    const fields: TaskDraft = {};
    const unread: string[] = [];
    const take = (field: 'due' | 'start', words: string, label: string) => {
      const when = words === '' ? null : this.#when(words, task.zone);
      if (when !== null) fields[field] = when;
      else if (words !== '') unread.push(`${label}: ${words}`);
    };
    const isRepeat = REPEAT.test(task.due);
    if (!isRepeat) take('due', task.due, 'Due');
    take('start', task.start, 'Start');
    const repeats = [isRepeat ? task.due : '', task.repeat].filter((words) => words !== '');
    for (const words of repeats) if (!this.#repeat(words, task.zone, fields)) unread.push(`Repeat: ${words}`);
    // Some programs write the same date twice: such a task would be hidden until it is due.
    if (isSame(fields.start, fields.due)) delete fields.start;
    const hasDeadline = this.#deadline(task, fields, unread);
    for (const name of scalarNames) {
      const words = task.scalars[name];
      const value = words === '' ? null : readScalar(name, words);
      if (value !== null) Object.assign(fields, { [name]: value });
      else if (words !== '') unread.push(`${scalarField(name).title}: ${words}`);
    }
    return { fields, unread, hasDeadline };
  }

  /** Time of completion; null: the words name no moment. */
  momentOf(words: string, zone: string): number | null {
    if (words === '') return null;
    const when = this.#when(words, zone);
    if (when === null) return null;
    const { now } = this.#context;
    // If only the day is known, its noon.
    const at = 'on' in when ? { local: `${when.on}T12:00` } : when;
    return Math.min(now, momentOf(at, this.#zoneOf(zone)));
  }

  #deadline({ deadline, zone }: ImportedTask, fields: TaskDraft, unread: string[]): boolean {
    if (deadline === '') return false;
    const at = this.#when(deadline, zone);
    const due = fields.due ?? undefined;
    if (at !== null && due === undefined) {
      fields.due = at;
      return false;
    }
    if (at !== null && isSame(at, due)) return false;
    const isLater =
      at !== null &&
      due !== undefined &&
      momentOf(at, this.#context.zone) >= momentOf(due, this.#context.zone);
    if (!isLater || fields.repeat !== undefined || fields.start !== undefined) {
      unread.push(`Deadline: ${deadline}`);
      return false;
    }
    fields.start = due;
    fields.due = at;
    return true;
  }

  /** False: the words are no repeat. */
  #repeat(words: string, zone: string, fields: TaskDraft): boolean {
    const [repeat] = readRepeat(words, this.#contextIn(zone), { vocabulary: english });
    if (!repeat) return false;
    fields.repeat = repeat.rule;
    const held = fields.due ?? null;
    fields.due = seriesStart(repeat, held) ?? this.#when('today', zone);
    if (repeat.duration !== null) fields.duration = repeat.duration;
    return true;
  }

  #when(text: string, zone: string): When | null {
    const key = `${zone}\n${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const read = this.#read(text, zone);
    this.#known.set(key, read);
    return read;
  }

  #zoneOf(zone: string): string {
    return zone !== '' && isZone(zone) ? zone : this.#context.zone;
  }

  #contextIn(zone: string): PhraseContext {
    return { ...this.#context, zone: this.#zoneOf(zone) };
  }

  #read(text: string, zone: string): When | null {
    if (INSTANT.test(text)) {
      try {
        const at = Temporal.Instant.from(text.replace(' ', 'T')).epochMilliseconds;
        return { at, zone: this.#zoneOf(zone) };
      } catch {
        // It looked like a moment, but is invalid: 2026-02-30.
        return null;
      }
    }
    const said = text.replace(SECONDS, '$1 $2').replace(DOTTED_MONTH, ' ');
    return readDate(said, this.#contextIn(zone), { vocabulary: english })[0]?.when ?? null;
  }
}

/** The same tree, with the fields that tasks have here. */
function itemsOf(
  tasks: readonly ImportedTask[],
  words: Words,
  labels: ReadonlyMap<string, Id>,
): ItemToMake[] {
  type Draft = ItemToMake & { readonly children: ItemToMake[] };
  const tops: ItemToMake[] = [];
  const open: Draft[] = [];
  for (const [task, level] of walk(tasks)) {
    const { fields, unread } = words.fieldsOf(task);
    for (const name of task.labels) {
      const label = labels.get(fold(name));
      if (label !== undefined) fields[`label:${label}`] = true;
    }
    const notes = [task.notes, ...unread].filter((part) => part !== '').join('\n');
    const doneAt = task.isDone ? words.momentOf(task.completed, task.zone) : null;
    if (doneAt !== null) fields.status = { done: doneAt };
    const createdAt = words.momentOf(task.created, task.zone);
    const item: Draft = {
      title: task.title,
      ...(notes === '' ? {} : { notes }),
      ...(task.isDone ? { done: true } : {}),
      ...(createdAt === null ? {} : { createdAt }),
      fields,
      children: [],
    };
    open.length = level - 1;
    (open.at(-1)?.children ?? tops).push(item);
    open.push(item);
  }
  return tops;
}

/** Labels by folded name: existing ones, and new ones in different colors. */
function labelsOf(
  program: Program,
  { lists }: ImportedFile,
): { readonly byName: ReadonlyMap<string, Id>; readonly made: readonly Action[] } {
  const byName = new Map<string, Id>();
  const missing = new Map<string, string>();
  for (const { tasks } of lists)
    for (const [{ labels }] of walk(tasks))
      for (const name of labels) {
        const key = fold(name);
        if (byName.has(key) || missing.has(key)) continue;
        const known = labelNamed(program, name);
        if (known === null) missing.set(key, name);
        else byName.set(key, known);
      }
  const made = newLabels(program, [...missing.values()]);
  const keys = [...missing.keys()];
  for (const [index, { id }] of made.entries()) byName.set(keys[index] ?? '', id);
  return { byName, made };
}

function makeTable(program: Program, offer: Offer): void {
  const { replica } = program;
  const { file, read } = offer;
  const words = new Words(program, file.writtenAt);
  const { byName: labels, made } = labelsOf(program, read);
  const actions: Action[] = [...made];
  let first: Id | null = null;
  for (const { name, tasks } of read.lists) {
    const isThere = isInbox(offer, name);
    const id = isThere ? program.workspace.inbox : replica.newId();
    first ??= id;
    if (!isThere)
      actions.push({
        a: 'create',
        id,
        type: 'list',
        fields: { listType: 'list', name: nameOf(offer, name) },
        place: { parent: listsRoot(replica.scope) },
      });
    const items = itemsOf(tasks, words, labels);
    const target = {
      first: { parent: id },
      now: replica.now(),
      levels: limits.depth,
      makeId: () => replica.newId(),
    };
    for (const action of itemsToActions(items, target)) actions.push(action);
  }
  const total = actions.filter((action) => action.a === 'create' && action.type === 'task').length;
  issueInBatches(program, actions, {
    label: `imported ${quoted(file.name)}`,
    done: (failed, why) => {
      program.sidebar.invalidate();
      if (first !== null && failed === 0) program.open({ type: 'list', id: first });
      finish(program, total - failed, { failed, why });
    },
  });
}
