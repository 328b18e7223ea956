// Reads ZIP archives of unknown origin within bounds: packed and unpacked size, ratio, number of entries. Names are
// never used as paths. Not here: compression (fflate inflates), encryption (refused by name).
import { inflateSync } from 'fflate';
import { failed, ok, type Result } from '../../result.ts';

/** The bounds of an archive. */
export const zipLimits = {
  packedBytes: 200 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  /** Unpacked to packed, of an entry above a megabyte. */
  ratio: 200,
  entries: 5_000,
} as const;

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What an archive holds, and the names of entries that could not be unpacked. */
export interface Unzipped {
  readonly entries: readonly ZipEntry[];
  readonly damaged: readonly string[];
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 65_535;
const ALL_ONES = 0xffffffff;
const SMALL = 1024 * 1024;
const ENCRYPTED = 1;
const DEFLATED = 8;

interface Listed {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** The name in UTF-8, flagged or not; else as Latin-1. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // An old archive: only its letters beyond ASCII are guessed.
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

/** Offset of the end record; −1: there is none. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at -= 1)
    if (view.getUint32(at, true) === END) return at;
  return -1;
}

function listedIn(bytes: Uint8Array, view: DataView): Result<readonly Listed[], string> {
  const end = endOf(view);
  if (end < 0) return failed('is a ZIP archive whose end is missing. Download it again.');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === ALL_ONES || count === 0xffff) return failed('is a ZIP64 archive, which is too large to read.');
  if (count > zipLimits.entries) return failed(`holds more than ${zipLimits.entries} files.`);
  const found: Listed[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + CENTRAL_BYTES > view.byteLength || view.getUint32(at, true) !== CENTRAL)
      return failed('is a damaged ZIP archive.');
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const [name = 0, extra = 0, comment = 0] = lengths;
    found.push({
      name: nameOf(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + name)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += CENTRAL_BYTES + name + extra + comment;
  }
  return ok(found);
}

function contentOf(bytes: Uint8Array, view: DataView, entry: Listed): Uint8Array | null {
  const { offset, packed, size, method } = entry;
  if (offset + LOCAL_BYTES > view.byteLength || view.getUint32(offset, true) !== LOCAL) return null;
  const from = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (from + packed > bytes.length) return null;
  const content = bytes.subarray(from, from + packed);
  if (method === 0) return packed === size ? content.slice() : null;
  if (method !== DEFLATED) return null;
  try {
    // The declared size is the most that it may become.
    const inflated = inflateSync(content, { out: new Uint8Array(size) });
    return inflated.length === size ? inflated : null;
  } catch {
    // Damaged: named in the report.
    return null;
  }
}

const isHidden = (name: string) =>
  name.endsWith('/') || /(?:^|[/\\])(?:__MACOSX[/\\]|\.DS_Store$|\._|Thumbs\.db$)/.test(name);

/** Unpacks an archive. Never throws; what it allocates is bounded by `zipLimits`. */
export function unzip(bytes: Uint8Array): Result<Unzipped, string> {
  if (bytes.length > zipLimits.packedBytes) return failed('is a ZIP archive of more than 200 MB.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = listedIn(bytes, view);
  if (!read.ok) return read;
  const wanted = read.value.filter(({ name }) => !isHidden(name));
  if (wanted.some(({ flags }) => (flags & ENCRYPTED) !== 0))
    return failed('is a ZIP archive with a password. Unpack it first.');
  let total = 0;
  for (const { size, packed } of wanted) {
    total += size;
    if (total > zipLimits.unpackedBytes) return failed('unpacks to more than 1 GB.');
    if (size > SMALL && size > packed * zipLimits.ratio)
      return failed('unpacks to more than 200 times its size. It was made to do harm.');
  }
  const entries: ZipEntry[] = [];
  const damaged: string[] = [];
  for (const entry of wanted) {
    const content = contentOf(bytes, view, entry);
    if (content === null) damaged.push(entry.name);
    else entries.push({ name: entry.name, bytes: content });
  }
  return ok({ entries, damaged });
}
