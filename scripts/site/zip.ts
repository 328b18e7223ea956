// Writes a zip archive: deflated entries, the same bytes for the same content.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** 1 January 1980, the oldest day the format knows: archives do not differ by when they were made. */
const DOS_DATE = 0x21;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 20;

function header(signature: number, fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  buffer.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [value, bytes] of fields) {
    if (bytes === 2) buffer.writeUInt16LE(value, at);
    else buffer.writeUInt32LE(value, at);
    at += bytes;
  }
  return buffer;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const path = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(content, { level: 9 });
    const common = [
      [VERSION, 2],
      [UTF8_NAMES, 2],
      [DEFLATED, 2],
      [0, 2],
      [DOS_DATE, 2],
      [crc32(content), 4],
      [packed.length, 4],
      [content.length, 4],
      [path.length, 2],
      [0, 2],
    ] as const;
    const local = header(0x04034b50, common);
    parts.push(local, path, packed);
    directory.push(
      header(0x02014b50, [[VERSION, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]),
      path,
    );
    offset += local.length + path.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = header(0x06054b50, [
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [index.length, 4],
    [offset, 4],
    [0, 2],
  ]);
  return Buffer.concat([...parts, index, end]);
}
