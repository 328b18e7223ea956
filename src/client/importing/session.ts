// One import, where files may take their time: reads them, keeps what they hold, and plans it as often as the options change. It runs
// in a worker (web/platform/importing), in the command line and in tests.
import { decodeText } from '#core/formats/decode-text.ts';
import { fileKind } from '#core/formats/file-kind.ts';
import { formatOf } from '#core/formats/import/formats.ts';
import { Given } from '#core/formats/import/given.ts';
import { readImport } from '#core/formats/import/read-import.ts';
import type { ImportedFile, ImportInput, ImportPorts } from '#core/formats/import/shape.ts';
import { documentFormat } from '#core/formats/json.ts';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { FORMAT } from '../sync-status/unsent-file.ts';
import { planImport, type ImportPlan } from './plan.ts';
import type {
  HearProgress,
  ImportOptions,
  PlanContext,
  Planned,
  PlanSummary,
  ReadAnswer,
  ReadContext,
  TextGiven,
} from './port.ts';

/** A file whose bytes are read when they are wanted. */
export interface UnreadFile {
  readonly name: string;
  readonly size: number;
  readonly writtenAt?: number;
  bytes(): Promise<Uint8Array>;
}

/** What a session needs of the outside world. */
export interface SessionPorts extends ImportPorts {
  newId(): Id;
}

/** Together; more would not leave room for what they become. */
const MOST_BYTES = 500 * 1024 * 1024;
/** Our own documents say what they are at their beginning. */
const HEAD_BYTES = 4_096;
const OWN = new RegExp(`"format"\\s*:\\s*"(?:${documentFormat}|${FORMAT})"`);

/** Reads files once, and plans what they hold as often as it is asked. */
export class ImportSession {
  readonly #ports: SessionPorts;
  readonly #fresh = new Map<object, Id>();
  #file: ImportedFile | null = null;
  #plan: ImportPlan | null = null;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Never rejects for what a file holds. */
  async read(files: readonly UnreadFile[], context: ReadContext, hear: HearProgress): Promise<ReadAnswer> {
    const texts: TextGiven[] = [];
    const problems: string[] = [];
    const inputs: ImportInput[] = [];
    let bytes = 0;
    for (const [at, file] of files.entries()) {
      hear((0.5 * at) / files.length);
      bytes += file.size;
      if (bytes > MOST_BYTES) {
        problems.push(`${file.name} makes it more than 500 MB. Import a part at a time.`);
        continue;
      }
      const { name, writtenAt } = file;
      let content: Uint8Array;
      try {
        // oxlint-disable-next-line no-await-in-loop -- One after the other, as far as there is room.
        content = await file.bytes();
      } catch {
        // It was moved or changed since it was chosen.
        problems.push(`${name} couldn’t be read. Choose it again.`);
        continue;
      }
      const input: ImportInput = {
        name,
        bytes: content,
        ...(writtenAt === undefined ? {} : { writtenAt }),
      };
      const text = textOf(input);
      if (text !== null) texts.push(text);
      else inputs.push(input);
    }
    hear(0.5);
    if (inputs.length > 0) {
      const { phrase, eveningHour } = context;
      const read = await readImport(inputs, { phrase, eveningHour, ports: this.#ports });
      if (read.ok) this.#file = read.value;
      else problems.push(read.problem);
    }
    hear(1);
    return { hasTasks: this.#file !== null, texts, problems };
  }

  /** Only after something was read. */
  plan(options: ImportOptions, context: PlanContext): Result<PlanSummary, string> {
    if (this.#file === null) return failed('There are no tasks in it.');
    const freshId = (of: object) => {
      const known = this.#fresh.get(of) ?? this.#ports.newId();
      this.#fresh.set(of, known);
      return known;
    };
    this.#plan = planImport(this.#file, { options, context, freshId });
    return ok(this.#plan.summary);
  }

  portion(from: number, count: number): readonly Planned[] {
    return this.#plan?.entities.slice(from, from + count) ?? [];
  }
}

/** The text of a file that is for another way in: our own documents, and lines. Null: it may be of another program. */
function textOf(input: ImportInput): TextGiven | null {
  const { name, bytes } = input;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  const isOwn = OWN.test(head);
  const decoded = decodeText(bytes);
  if (!decoded.ok) return null;
  const { text, note } = decoded.value;
  return isOwn || isLines(input, text) ? { name, text, note } : null;
}

/** Lines that no other program writes like this. */
function isLines(input: ImportInput, text: string): boolean {
  const format = fileKind(input.name, text).type === 'lines' ? formatOf(new Given(input)) : undefined;
  return format === null || format?.name === 'text';
}
