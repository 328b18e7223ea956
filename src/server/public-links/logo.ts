// Logos of public links: a PNG is decoded to its pixels and encoded anew, so that nothing else of what was sent is kept or served.
// What a browser's canvas writes is understood: eight bits a channel, not interlaced.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { logoBytes, logoPixels } from '#wire/public-links.ts';
import type { Tables } from '../data/tables.ts';

const inflated = promisify(inflate);
const deflated = promisify(deflate);

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;
/** Bytes of a pixel by the color type that are understood: gray, RGB, gray with alpha, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

const NOT_READABLE = failed(
  `The logo has to be a PNG with at most ${logoPixels} × ${logoPixels} pixels, eight bits a channel, and not interlaced.`,
);
const TOO_LARGE = failed(`The logo is larger than ${logoBytes / 1_024} KB. Choose a smaller one.`);

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly color: number;
  readonly data: Buffer;
}

/** The header and the compressed pixels; null: damaged, or not understood. */
function read(png: Buffer): Picture | null {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  let head: Buffer | null = null;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > png.length) return null;
    const type = png.toString('latin1', at + 4, at + 8);
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return null;
    const content = png.subarray(at + 8, end);
    if (type === 'IHDR') head = content;
    if (type === 'IDAT') parts.push(content);
    if (type === 'IEND') break;
    at = end + 4;
  }
  if (head?.length !== HEADER_BYTES || parts.length === 0) return null;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const color = head.readUInt8(9);
  // Depth, compression, filter, interlace.
  const isPlain = head[8] === 8 && head[10] === 0 && head[11] === 0 && head[12] === 0;
  const fits = width > 0 && height > 0 && width <= logoPixels && height <= logoPixels;
  return isPlain && fits && color in CHANNELS ? { width, height, color, data: Buffer.concat(parts) } : null;
}

/** PNG specification, 9.4. */
function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - above),
    Math.abs(guess - corner),
  ];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

/** The pixels without filters, in lines; null: a line has a filter that does not exist. */
function unfiltered(raw: Buffer, lineBytes: number, pixelBytes: number): Buffer | null {
  const lines = Math.floor(raw.length / (lineBytes + 1));
  const pixels = Buffer.alloc(lines * lineBytes);
  for (let line = 0; line < lines; line += 1) {
    const filter = raw.readUInt8(line * (lineBytes + 1));
    if (filter > 4) return null;
    const start = line * lineBytes;
    for (let x = 0; x < lineBytes; x += 1) {
      const value = raw[line * (lineBytes + 1) + 1 + x] ?? 0;
      const left = x < pixelBytes ? 0 : (pixels[start + x - pixelBytes] ?? 0);
      const above = line === 0 ? 0 : (pixels[start + x - lineBytes] ?? 0);
      const corner = line === 0 || x < pixelBytes ? 0 : (pixels[start + x - lineBytes - pixelBytes] ?? 0);
      const added = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      pixels[start + x] = (value + added) & 0xff;
    }
  }
  return pixels;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

async function written({ width, height, color }: Picture, pixels: Buffer): Promise<Buffer> {
  const lineBytes = pixels.length / height;
  const raw = Buffer.alloc(height * (lineBytes + 1));
  for (let line = 0; line < height; line += 1) {
    // Filter "up": good for what logos are made of.
    raw[line * (lineBytes + 1)] = 2;
    for (let x = 0; x < lineBytes; x += 1) {
      const at = line * lineBytes + x;
      const above = line === 0 ? 0 : (pixels[at - lineBytes] ?? 0);
      raw[line * (lineBytes + 1) + 1 + x] = ((pixels[at] ?? 0) - above) & 0xff;
    }
  }
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, color], 8);
  const data = await deflated(raw, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** The same picture, encoded by this server; the problem is a sentence for a person. */
export async function encodedAnew(sent: Uint8Array): Promise<Result<Uint8Array, string>> {
  if (sent.length > logoBytes) return TOO_LARGE;
  const picture = read(Buffer.from(sent));
  if (picture === null) return NOT_READABLE;
  const pixelBytes = CHANNELS[picture.color] ?? 0;
  const lineBytes = picture.width * pixelBytes;
  const rawBytes = picture.height * (lineBytes + 1);
  let raw: Buffer;
  try {
    raw = await inflated(picture.data, { maxOutputLength: rawBytes });
  } catch {
    // Damaged, or more than its header says.
    return NOT_READABLE;
  }
  const pixels = raw.length === rawBytes ? unfiltered(raw, lineBytes, pixelBytes) : null;
  if (pixels === null) return NOT_READABLE;
  const png = await written(picture, pixels);
  return png.length > logoBytes ? TOO_LARGE : ok(png);
}

/** A logo as it is served. */
export interface Logo {
  readonly mark: string;
  readonly png: Uint8Array;
}

/** The logos of links. */
export class LogoStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async of(link: Id): Promise<Logo | undefined> {
    return await this.#db
      .selectFrom('public_logo')
      .select(['mark', 'png'])
      .where('link', '=', link)
      .executeTakeFirst();
  }

  /** What names the logo of each link that has one. */
  async marks(scope: Id): Promise<ReadonlyMap<Id, string>> {
    const rows = await this.#db
      .selectFrom('public_logo')
      .select(['link', 'mark'])
      .where('scope', '=', scope)
      .execute();
    return new Map(rows.map(({ link, mark }) => [link, mark]));
  }

  async put({ id, scope }: { readonly id: Id; readonly scope: Id }, png: Uint8Array): Promise<void> {
    const mark = createHash('sha256').update(png).digest('base64url').slice(0, 12);
    await this.#db
      .insertInto('public_logo')
      .values({ link: id, scope, mark, png })
      .onConflict((conflict) => conflict.column('link').doUpdateSet({ mark, png }))
      .execute();
  }

  async remove(link: Id): Promise<void> {
    await this.#db.deleteFrom('public_logo').where('link', '=', link).execute();
  }
}
