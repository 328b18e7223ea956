// Files of other programs, OPML and CSV: shown first as what they would become, then made as lists of their own, as one undo.
// Loaded with the first such file. Reading them is core/formats.
import { counted } from '#core/counted.ts';
import type { ImportedFile, ImportedTask } from '#core/formats/imported.ts';
import { parseCsv } from '#core/formats/csv.ts';
import { parseOpml } from '#core/formats/opml.ts';
import { readDate, readDuration } from '#core/dates/phrase.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { fold } from '#core/search/fold.ts';
import { type Id, listsRoot } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Action } from '#sync/operation.ts';
import { finish } from './commands/transfer.ts';
import { quoted } from './editor.ts';
import { fitName } from './fitting.ts';
import { issueInBatches, type ItemToMake, itemsToActions } from './importing.ts';
import { labelNamed, newLabels } from './labels/creating.ts';
import type { OpenDialog } from './open-dialog.ts';
import { phraseContext } from './pickers/phrase-context.ts';
import type { Program } from './program.ts';
import type { ImportPreviewView } from './dialog-view.ts';

interface Given {
  readonly name: string;
  readonly text: string;
}

type Read = Extract<ImportedFile, { readonly ok: true }>;

const SHOWN = 12;
const ENDING = /\.(?:opml|csv)$/i;
/** With seconds, or with a zone: as programs write it. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const SECONDS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/;

/** A table has commas where an outline has tags. */
const isOpml = ({ name, text }: Given) => !/\.csv$/i.test(name) || /^\uFEFF?\s*<(?:\?xml|opml)/.test(text);

/** `next`: what follows once the person has answered. */
export function previewTable(program: Program, file: Given, next: () => void = () => undefined): void {
  const read = isOpml(file) ? parseOpml(file.text) : parseCsv(file.text);
  if (!read.ok) {
    program.dialog.set({
      type: 'import',
      busy: false,
      progress: 0,
      problems: [`${file.name}: ${read.problem}`],
    });
    return;
  }
  program.leaveText();
  program.editor.flush();
  program.openDialog = new ImportPreview(program, { file, read, next });
  program.openDialog.refresh();
}

interface Offer {
  readonly file: Given;
  readonly read: Read;
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
  readonly isTyping = false;
  readonly #program: Program;
  readonly #offer: Offer;
  readonly #view: ImportPreviewView;

  constructor(program: Program, offer: Offer) {
    this.#program = program;
    this.#offer = offer;
    this.#view = viewOf(program, offer);
  }

  submit({ action = '' }: Readonly<Record<string, string>>): void {
    if (action !== 'import') return;
    this.#program.run('dialog.close');
    makeTable(this.#program, this.#offer);
    this.#offer.next();
  }

  refresh(): void {
    this.#program.dialog.set({ type: 'importPreview', preview: this.#view });
  }

  leave(): void {
    // Nothing was made: nothing has to be put back.
  }
}

/** Lists get the name that the file gives them, else its own. */
const nameOf = ({ file }: Offer, name: string | null) =>
  fitName((name ?? file.name.replace(ENDING, '')).trim()).text || 'Imported';

function viewOf(program: Program, offer: Offer): ImportPreviewView {
  const { read } = offer;
  const words = new Words(program);
  const sample: { title: string; level: number; isDone: boolean }[] = [];
  const labels = new Set<string>();
  let [tasks, done, notes, unread, deepest] = [0, 0, 0, 0, 0];
  for (const { tasks: some } of read.lists)
    for (const [task, level] of walk(some)) {
      tasks += 1;
      deepest = Math.max(deepest, level);
      if (task.isDone) done += 1;
      if (task.notes !== '') notes += 1;
      unread += words.fieldsOf(task).unread.length;
      for (const label of task.labels) labels.add(fold(label));
      if (sample.length < SHOWN) sample.push({ title: task.title, level, isDone: task.isDone });
    }
  const fresh = [...labels].filter((name) => labelNamed(program, name) === null).length;
  const names = read.lists.map(({ name }) => quoted(nameOf(offer, name)));
  const into =
    names.length > 3
      ? counted(names.length, 'new list')
      : `the new ${names.length === 1 ? 'list' : 'lists'} ${names.join(', ')}`;
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
          `${counted(unread, 'date')} not understood: ${unread === 1 ? 'it stays' : 'they stay'} in the notes.`,
        ]
      : []),
    ...(deepest > limits.depth
      ? [`What lies deeper than ${limits.depth} levels stands at the deepest one.`]
      : []),
    ...read.left,
    'Nothing was added yet. One undo takes all of it back.',
  ];
  return { fileName: quoted(offer.file.name), lines, sample, more: tasks - sample.length };
}

/** What the words of a file mean for this person. */
class Words {
  readonly #context: PhraseContext;
  /** The same date stands in many rows. */
  readonly #known = new Map<string, When | null>();

  constructor(program: Program) {
    this.#context = phraseContext(program, null);
  }

  fieldsOf(task: ImportedTask): {
    readonly fields: Record<string, unknown>;
    readonly unread: readonly string[];
  } {
    const fields: Record<string, unknown> = {};
    const unread: string[] = [];
    if (task.due !== '') {
      const [repeat] = /^(?:every|after|daily|weekly|monthly|yearly)/i.test(task.due)
        ? readRepeat(task.due, this.#context, { vocabulary: english })
        : [];
      const due = repeat ? repeat.first : this.#when(task.due);
      if (repeat) fields.repeat = repeat.rule;
      if (due !== null) fields.due = due;
      else if (repeat) fields.due = this.#when('today');
      else unread.push(`Due: ${task.due}`);
    }
    if (task.start !== '') {
      const start = this.#when(task.start);
      if (start === null) unread.push(`Start: ${task.start}`);
      else fields.start = start;
    }
    if (task.duration !== '') {
      const minutes = readDuration(task.duration, { vocabulary: english });
      if (minutes === null) unread.push(`Duration: ${task.duration}`);
      else fields.duration = minutes;
    }
    return { fields, unread };
  }

  #when(text: string): When | null {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const read = this.#read(text);
    this.#known.set(text, read);
    return read;
  }

  #read(text: string): When | null {
    if (INSTANT.test(text)) {
      try {
        const at = Temporal.Instant.from(text.replace(' ', 'T')).epochMilliseconds;
        return { at, zone: this.#context.zone };
      } catch {
        // It looked like a moment and is none: 2026-02-30.
        return null;
      }
    }
    return readDate(text.replace(SECONDS, '$1 $2'), this.#context, { vocabulary: english })[0]?.when ?? null;
  }
}

/** The same tree, with what can be set on a task here. */
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
    const item: Draft = {
      title: task.title,
      ...(notes === '' ? {} : { notes }),
      ...(task.isDone ? { done: true } : {}),
      fields,
      children: [],
    };
    open.length = level - 1;
    (open.at(-1)?.children ?? tops).push(item);
    open.push(item);
  }
  return tops;
}

/** Labels by their folded names: those that are here, and new ones for the others, each of another colour. */
function labelsOf(
  program: Program,
  { lists }: Read,
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
  const words = new Words(program);
  const { byName: labels, made } = labelsOf(program, read);
  const actions: Action[] = [...made];
  let first: Id | null = null;
  for (const { name, tasks } of read.lists) {
    const id = replica.newId();
    first ??= id;
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
