// A given file, looked at as far as somebody asks: its first bytes, its text, its JSON, its rows. Each look is made once.
import Papa from 'papaparse';
import { decodeText } from '../decode-text.ts';
import { failed, ok, type Result } from '../../result.ts';
import { readJson } from '../../json.ts';
import type { ImportInput } from './shape.ts';

/** What kind of bytes a file begins with. */
export type Magic = 'zip' | 'sqlite' | 'wal' | 'other';

const HEAD = 4_000;
const DATABASE = 'SQLite format 3\0';
/** The most that a text may have: decoding and parsing need several times as much. */
const MOST_TEXT_BYTES = 200 * 1024 * 1024;

const startsWith = (bytes: Uint8Array, sign: string) =>
  bytes.length >= sign.length && [...sign].every((letter, at) => bytes[at] === letter.charCodeAt(0));

function magicOf(bytes: Uint8Array): Magic {
  if (startsWith(bytes, 'PK\x03\x04') || startsWith(bytes, 'PK\x05\x06')) return 'zip';
  if (startsWith(bytes, DATABASE)) return 'sqlite';
  if (startsWith(bytes, '\x37\x7f\x06\x82') || startsWith(bytes, '\x37\x7f\x06\x83')) return 'wal';
  return 'other';
}

/** A table of cells: the separator is found by the content. */
export interface Table {
  readonly rows: readonly (readonly string[])[];
  /** Numbers of rows, from 1, whose quotation marks do not match. */
  readonly broken: readonly number[];
}

/** A file with what was found out about it. */
export class Given {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly writtenAt: number | null;
  /** The archive it was in; null: none. */
  readonly archive: string | null;
  readonly magic: Magic;
  #text: Result<string, string> | null = null;
  #note: string | null = null;
  #json: { readonly value: unknown } | null = null;
  #table: Table | null = null;

  constructor(input: ImportInput, archive: string | null = null) {
    this.name = input.name;
    this.bytes = input.bytes;
    this.writtenAt = input.writtenAt ?? null;
    this.archive = archive;
    this.magic = magicOf(input.bytes);
  }

  /** The last part of the name. */
  get baseName(): string {
    return this.name.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  }

  /** Its base name without its ending: what a list is called that has no name. */
  get title(): string {
    const base = this.baseName;
    return base.replace(/(?:\.[a-z][\w-]{0,14}){1,2}$/i, '') || base;
  }

  /** The text, or why there is none: the rest of a sentence after the name. */
  get text(): Result<string, string> {
    if (this.#text) return this.#text;
    if (this.bytes.length > MOST_TEXT_BYTES) this.#text = failed('is larger than 200 MB. Split it.');
    else {
      const decoded = decodeText(this.bytes);
      this.#text = decoded.ok ? ok(decoded.value.text.replace(/^\uFEFF/, '')) : decoded;
      if (decoded.ok) this.#note = decoded.value.note;
    }
    return this.#text;
  }

  /** How its text was decoded, if not by its own declaration. */
  get note(): string | null {
    return this.#note;
  }

  /** The text; empty if it has none. */
  get said(): string {
    return this.magic === 'other' && this.text.ok ? this.text.value : '';
  }

  /** The first characters, to look for signs of a format. */
  get head(): string {
    return this.said.slice(0, HEAD);
  }

  /** The parsed JSON; undefined when it is none. */
  get json(): unknown {
    this.#json ??= { value: /^\s*[[{]/.test(this.head) ? readJson(this.said) : undefined };
    return this.#json.value;
  }

  /** The rows of the file as a table. Rows of empty cells are left out. */
  get table(): Table {
    if (this.#table) return this.#table;
    const { data, errors } = Papa.parse<string[]>(this.said, { skipEmptyLines: 'greedy' });
    const broken = errors.flatMap(({ type, row }) => (type === 'Quotes' ? [(row ?? 0) + 1] : []));
    this.#table = { rows: data, broken: [...new Set(broken)] };
    return this.#table;
  }

  /** The first rows, for headings; cheap for a file of any size. */
  get headRows(): readonly (readonly string[])[] {
    return Papa.parse<string[]>(this.head, { skipEmptyLines: 'greedy', preview: 30 }).data;
  }

  /** Frees what is not needed any more once it was read. */
  forget(): void {
    this.#json = null;
    this.#table = null;
  }
}

/** The index of the row of headings that has all of these, in any case; −1 for none. */
export function headingRow(rows: readonly (readonly string[])[], names: readonly string[]): number {
  return rows.findIndex((row) => {
    const held = new Set(row.map((cell) => cell.trim().toLowerCase()));
    return names.every((name) => held.has(name));
  });
}

/** Rows of a table as records by the headings in a row of it, in lower case. Cells without a heading are left to `beyond`. */
export function recordsOf(
  rows: readonly (readonly string[])[],
  at: number,
): readonly Readonly<Record<string, string>>[] {
  const headings = (rows[at] ?? []).map((cell) => cell.trim().toLowerCase());
  return rows.slice(at + 1).map((row) => {
    const record: Record<string, string> = {};
    for (const [index, heading] of headings.entries())
      if (heading !== '' && record[heading] === undefined) record[heading] = row[index] ?? '';
    return record;
  });
}
