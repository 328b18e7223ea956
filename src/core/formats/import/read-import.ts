// Reads files of other programs into the neutral shape (shape.ts): opens archives, tells formats by content, reads,
// settles. Never throws for what a file holds. Not here: our own documents (json.ts), which restore what they hold.
import { documentFormat } from '../json.ts';
import { fileKind } from '../file-kind.ts';
import { isRecord } from '../../json.ts';
import { failed } from '../../result.ts';
import type { Format, RawFile, Tools } from './draft.ts';
import { mostImportedTasks } from './fit.ts';
import { formatOf } from './formats.ts';
import { Given } from './given.ts';
import { Losses } from './losses.ts';
import { settle } from './settle.ts';
import type { ImportContext, ImportedFile, ImportInput, ImportOutcome } from './shape.ts';
import { unzip } from './zip.ts';

const figure = (count: number) => count.toLocaleString('en-US');
/** An archive in an archive, as of a folder that was zipped twice. */
const MOST_NESTED = 2;
/** `Todoist backup 2026-08-12 2248 UTC.zip`: when it was written. */
const STAMPED = /(\d{4}-\d\d-\d\d)[ T_](\d\d)[:.-]?(\d\d) ?UTC/;

function stampOf(name: string): number | null {
  const [, day, hour, minute] = STAMPED.exec(name) ?? [];
  if (day === undefined || hour === undefined || minute === undefined) return null;
  try {
    return Temporal.Instant.from(`${day}T${hour}:${minute}Z`).epochMilliseconds;
  } catch {
    // Digits that are no day.
    return null;
  }
}

class Reading {
  readonly losses = new Losses();
  readonly remarks = new Set<string>();
  /** Sentences about files that could not be read. */
  readonly problems: string[] = [];
  readonly #files: Given[] = [];
  readonly #context: ImportContext;

  constructor(context: ImportContext) {
    this.#context = context;
  }

  open(input: ImportInput, archive: string | null = null, nested = 0): void {
    const stamp = stampOf(input.name);
    const dated = stamp === null ? input : { ...input, writtenAt: stamp };
    const file = new Given(dated, archive);
    if (file.magic !== 'zip') {
      this.#files.push(file);
      return;
    }
    if (nested >= MOST_NESTED) {
      this.problems.push(`${input.name} is an archive in an archive. Unpack it first.`);
      return;
    }
    const read = unzip(file.bytes);
    if (!read.ok) {
      this.problems.push(`${input.name} ${read.problem}`);
      return;
    }
    for (const name of read.value.damaged) this.losses.add('damaged', 'zip', 'nowhere', name);
    for (const entry of read.value.entries)
      this.open(
        dated.writtenAt === undefined ? entry : { ...entry, writtenAt: dated.writtenAt },
        archive ?? file.title,
        nested + 1,
      );
    if (read.value.entries.length === 0) this.problems.push(`${input.name} is an archive without files.`);
  }

  /** Files by format, in the order of the formats' first file. */
  #sorted(): Map<Format, Given[]> {
    const byFormat = new Map<Format, Given[]>();
    for (const file of this.#files) {
      if (file.magic === 'wal') continue;
      const format = formatOf(file);
      if (format === null) this.#unknown(file);
      else if (byFormat.has(format)) byFormat.get(format)?.push(file);
      else byFormat.set(format, [file]);
    }
    return byFormat;
  }

  #unknown(file: Given): void {
    if (file.archive === null) this.problems.push(`${file.baseName} ${whyNot(file)}`);
    else this.losses.add('file', '', 'nowhere', file.name);
  }

  async read(): Promise<ImportOutcome> {
    const tools: Tools = {
      losses: this.losses,
      context: this.#context,
      remark: (sentence) => this.remarks.add(sentence),
    };
    const raws: { raw: RawFile; fallback: string }[] = [];
    const names: string[] = [];
    for (const [format, files] of this.#sorted()) {
      const logs = this.#files.filter(({ magic }) => magic === 'wal');
      const read = await format.read(format.name === 'things' ? [...files, ...logs] : files, tools);
      const [first] = files;
      if (!read.ok) {
        const colon = read.problem.startsWith(':') ? '' : ' ';
        this.problems.push(`${first?.baseName ?? ''}${colon}${read.problem}`);
        continue;
      }
      for (const file of files) {
        if (file.note !== null) this.remarks.add(`${file.baseName}: ${file.note}`);
        file.forget();
      }
      names.push(format.name);
      raws.push({ raw: read.value, fallback: first?.title ?? '' });
    }
    return this.#finish(raws, names, tools);
  }

  #finish(
    raws: readonly { readonly raw: RawFile; readonly fallback: string }[],
    names: readonly string[],
    tools: Tools,
  ): ImportOutcome {
    if (raws.length === 0) return failed(this.problems[0] ?? 'There is no file to read.');
    const settled = settle(raws, tools);
    if (settled.tasks > mostImportedTasks)
      return failed(
        `There are ${figure(settled.tasks)} tasks in it. An account holds ${figure(mostImportedTasks)}. Import a part at a time.`,
      );
    const value: ImportedFile = {
      kind: [...new Set(raws.map(({ raw }) => raw.kind))].join(' and '),
      formats: [...new Set(names)],
      lists: settled.lists,
      labels: settled.labels,
      hasIds: settled.hasIds,
      losses: this.losses.report,
      remarks: [...this.problems, ...this.remarks],
    };
    return { ok: true, value };
  }
}

/** Whether a file is a document of our own, which restores what it holds and is not read here. */
export function isOwnDocument(file: ImportInput): boolean {
  const given = new Given(file);
  return given.magic === 'other' && isRecord(given.json) && given.json['format'] === documentFormat;
}

/** Why a file cannot be imported: the rest of a sentence after its name. */
function whyNot(file: Given): string {
  if (file.bytes.length === 0) return 'is empty.';
  if (file.magic === 'sqlite') return 'is a database of a program that isn’t known here.';
  if (!file.text.ok) return file.text.problem;
  if (file.said.trim() === '') return 'is empty.';
  if (isRecord(file.json) && file.json['format'] === documentFormat)
    return 'is a document of Posthaste. Import it by itself.';
  const kind = fileKind(file.name, file.said);
  if (kind.type === 'unread') return kind.problem;
  if (kind.type === 'json') return 'is JSON of a program that isn’t known here, or it’s damaged.';
  return 'isn’t a file that can be imported.';
}

/**
 * Reads files of other programs together: dropped files, a folder's files, archives. Never rejects for what they hold. The
 * problem is a sentence with the name of the file. A file that can't be read beside others is named in the remarks.
 */
export async function readImport(
  files: readonly ImportInput[],
  context: ImportContext,
): Promise<ImportOutcome> {
  const reading = new Reading(context);
  for (const file of files) reading.open(file);
  return reading.read();
}
