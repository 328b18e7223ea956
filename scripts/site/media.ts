// Pictures and films of the site: copied with names that tell their content, and what pages need to know of them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { filesUnder, ROOT } from '../files.ts';

const MEDIA = 'src/site/media';

export const hashed = (content: Uint8Array) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 10);

interface Size {
  readonly width: number;
  readonly height: number;
}

/** As the first chunk of a WebP says it, of which there are three kinds. */
function webpSize(content: Buffer): Size {
  const kind = content.toString('latin1', 12, 16);
  if (kind === 'VP8 ')
    return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff };
  if (kind === 'VP8X') return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 };
  const bits = content.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Width and height of a PNG stand in its first chunk. */
const sizeOf = (file: string, content: Buffer): Size =>
  extname(file) === '.webp'
    ? webpSize(content)
    : { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };

/** Copies a file below the assets; its address. */
function copy(folder: string, file: string): { readonly src: string; readonly content: Buffer } {
  const content = readFileSync(join(ROOT, file));
  const ending = extname(file);
  const src = `assets/${basename(file, ending)}-${hashed(content)}${ending}`;
  mkdirSync(join(folder, 'files/assets'), { recursive: true });
  writeFileSync(join(folder, 'files', src), content);
  return { src: `/${src}`, content };
}

interface FoundPicture extends Size {
  readonly src: string;
  /** The same in the dark, of the same size. */
  readonly dark: string | null;
}

/** By the address that a text uses. `x-dark.webp` belongs to `x.webp`. */
export function picturesOf(folder: string): Readonly<Record<string, FoundPicture>> {
  const found: Record<string, FoundPicture> = {};
  const files = filesUnder('src/site/images', 'src/site/guides/images').filter((file) =>
    /\.(?:png|webp)$/.test(file),
  );
  for (const file of files) {
    const darkFile = file.replace(/(\.\w+)$/, '-dark$1');
    const { src, content } = copy(folder, file);
    const dark = files.includes(darkFile) ? copy(folder, darkFile).src : null;
    found[`images/${basename(file)}`] = { src, dark, ...sizeOf(file, content) };
  }
  return found;
}

/** Addresses by file name. */
export function mediaOf(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(join(ROOT, MEDIA))) return {};
  return Object.fromEntries(filesUnder(MEDIA).map((file) => [basename(file), copy(folder, file).src]));
}

/** What the captions of the overview say, one after the other. */
export function transcriptOf(): readonly string[] {
  const file = join(ROOT, MEDIA, 'overview.vtt');
  if (!existsSync(file)) return [];
  const [, ...cues] = readFileSync(file, 'utf8').trim().split('\n\n');
  return cues.map((cue) => cue.split('\n').slice(1).join(' '));
}
