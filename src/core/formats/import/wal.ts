// Replays the write-ahead log of SQLite into the image of its database, because a library that opens an image in memory
// does not see the log: up to the last transaction that is whole. https://sqlite.org/fileformat2.html#walformat
import { failed, ok, type Result } from '../../result.ts';

const HEADER = 32;
const FRAME = 24;
const LITTLE = 0x377f0682;
const BIG = 0x377f0683;
/** Of the database: its write and read versions; 2: with a log. */
const VERSIONS = 18;

/** The largest database, in bytes. */
export const mostDatabaseBytes = 500 * 1024 * 1024;

/** Whether the last changes of a database may be in a log beside it. */
export const usesLog = (image: Uint8Array) => image[VERSIONS] === 2 || image[VERSIONS + 1] === 2;

/** The image as one that needs no log. */
export function withoutLog(image: Uint8Array): Uint8Array {
  const copy = image.slice();
  if (copy.length > VERSIONS + 1) {
    copy[VERSIONS] = 1;
    copy[VERSIONS + 1] = 1;
  }
  return copy;
}

type Sum = readonly [number, number];

function summed(
  view: DataView,
  { from, to }: { from: number; to: number },
  isLittle: boolean,
  start: Sum,
): Sum {
  let [one, two] = start;
  for (let at = from; at < to; at += 8) {
    one = (one + view.getUint32(at, isLittle) + two) >>> 0;
    two = (two + view.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return [one, two];
}

/** What a log holds: the last version of each page, and the size of the database after it, in pages. */
interface Replay {
  readonly pages: ReadonlyMap<number, number>;
  readonly size: number;
}

/** Pages by number, as offsets in the log. Frames after the last whole transaction do not count. */
function framesOf(view: DataView, pageSize: number, isLittle: boolean): Replay {
  const salts = [view.getUint32(16), view.getUint32(20)] as const;
  let sum = summed(view, { from: 0, to: 24 }, isLittle, [0, 0]);
  const pages = new Map<number, number>();
  let size = 0;
  if (view.getUint32(24) !== sum[0] || view.getUint32(28) !== sum[1]) return { pages, size };
  let open = new Map<number, number>();
  for (let at = HEADER; at + FRAME + pageSize <= view.byteLength; at += FRAME + pageSize) {
    if (view.getUint32(at + 8) !== salts[0] || view.getUint32(at + 12) !== salts[1]) break;
    sum = summed(view, { from: at, to: at + 8 }, isLittle, sum);
    sum = summed(view, { from: at + FRAME, to: at + FRAME + pageSize }, isLittle, sum);
    if (view.getUint32(at + 16) !== sum[0] || view.getUint32(at + 20) !== sum[1]) break;
    open.set(view.getUint32(at), at + FRAME);
    const after = view.getUint32(at + 4);
    if (after === 0) continue;
    size = after;
    for (const [page, offset] of open) pages.set(page, offset);
    open = new Map();
  }
  return { pages, size };
}

/** The image with the log in it. Neither is changed. */
export function replayWal(image: Uint8Array, log: Uint8Array): Result<Uint8Array, string> {
  if (log.length < HEADER) return ok(withoutLog(image));
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const magic = view.getUint32(0);
  if (magic !== LITTLE && magic !== BIG) return failed('has a log that isn’t SQLite’s.');
  const declared = view.getUint32(8);
  const pageSize = declared === 1 ? 65_536 : declared;
  const isPower = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  const [high = 0, low = 0] = image.subarray(16, 18);
  const held = high * 256 + low === 1 ? 65_536 : high * 256 + low;
  if (!isPower || (image.length > 0 && held !== pageSize)) return failed('has a log of another database.');
  const { pages, size } = framesOf(view, pageSize, magic === LITTLE);
  if (size === 0) return ok(withoutLog(image));
  if (size * pageSize > mostDatabaseBytes) return failed('is a database of more than 500 MB.');
  const whole = new Uint8Array(size * pageSize);
  whole.set(image.subarray(0, whole.length));
  for (const [page, offset] of pages)
    if (page >= 1 && page <= size) whole.set(log.subarray(offset, offset + pageSize), (page - 1) * pageSize);
  return ok(withoutLog(whole));
}
