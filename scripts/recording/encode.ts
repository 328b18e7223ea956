// From frames with their moments to small files: H.264 for everybody, AV1 for those who can, a poster. Needs ffmpeg, which a
// copy of the repository does not: what is made here is kept in it.
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from './stage.ts';

const RATE = 25;

/** A picture in the small format of the site. */
export function webpOf(png: string, target: string): void {
  ffmpeg(['-i', png, '-c:v', 'libwebp', '-quality', '78', target]);
}

function ffmpeg(args: readonly string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
}

/** The frames between two moments as a list for ffmpeg: each as long as it was on screen. */
function listOf(frames: readonly Frame[], from: number, to: number): string {
  const shown = frames.filter(({ at }, index) => at < to && (frames[index + 1]?.at ?? to) > from);
  const lines = shown.map(({ file, at }, index) => {
    const until = Math.min(shown[index + 1]?.at ?? to, to);
    return `file '${file}'\nduration ${(until - Math.max(at, from)).toFixed(4)}`;
  });
  // The last one again: without it ffmpeg forgets how long it was shown.
  return `${lines.join('\n')}\nfile '${shown.at(-1)?.file}'\n`;
}

export interface Cut {
  readonly frames: readonly Frame[];
  readonly folder: string;
  readonly from: number;
  readonly to: number;
  /** Of the picture, in its own pixels. */
  readonly width: number;
  readonly height: number;
  /** How much of the screen's upper part is left out, in pixels of the picture; its lower part is, where it is higher. Absent: all is shown. */
  readonly top?: number;
}

/** Pixels between two screens that stand side by side. */
const GAP = 12;
/** How much of their height is shown: the bar at their foot is not. */
const SHOWN = 0.84;

/** Writes `<target>.mp4`, two screens side by side, and a poster of its end, `<target>.webp`. `gap`: the color between them. */
export function encodePair(
  sides: readonly [Pick<Cut, 'frames' | 'folder'>, Pick<Cut, 'frames' | 'folder'>],
  { to, width, height, gap }: Pick<Cut, 'to' | 'width' | 'height'> & { readonly gap: string },
  target: string,
): void {
  const inputs = sides.flatMap(({ frames, folder }) => {
    const list = join(folder, 'list.txt');
    writeFileSync(list, listOf(frames, 0, to));
    return ['-f', 'concat', '-safe', '0', '-i', list];
  });
  const shown = 2 * Math.round((height * SHOWN) / 2);
  const scaled = `fps=${RATE},scale=${width}:${height}:flags=lanczos,crop=${width}:${shown}:0:0`;
  const filter =
    `[0:v]${scaled},pad=${width + GAP}:${shown}:0:0:${gap}[a];[1:v]${scaled}[b];` +
    '[a][b]hstack=shortest=0,format=yuv420p';
  const h264 = ['-c:v', 'libx264', '-preset', 'slow', '-tune', 'animation', '-crf', '27'];
  const length = ['-t', to.toFixed(3)];
  ffmpeg([
    ...inputs,
    '-filter_complex',
    filter,
    ...length,
    ...h264,
    '-movflags',
    '+faststart',
    '-an',
    `${target}.mp4`,
  ]);
  ffmpeg([
    '-ss',
    String(to - 0.3),
    '-i',
    `${target}.mp4`,
    '-frames:v',
    '1',
    '-c:v',
    'libwebp',
    '-quality',
    '80',
    `${target}.webp`,
  ]);
  sayWeight(target, ['mp4', 'webp']);
}

function sayWeight(target: string, kinds: readonly string[]): void {
  const sizes = kinds.map((kind) => `${kind} ${Math.round(statSync(`${target}.${kind}`).size / 1_024)} KB`);
  console.log(`${target}: ${sizes.join(', ')}`);
}

/** Writes `<target>.mp4` and a poster of the moment `poster`, `<target>.webp`; with `hasAv1` `<target>.webm` and `<target>.avif`: smaller. */
export function encode(
  cut: Cut,
  target: string,
  { poster, crf, hasAv1 = false }: { poster: number; crf: number; hasAv1?: boolean },
): void {
  const { frames, folder, from, to, width, height, top } = cut;
  const list = join(folder, 'list.txt');
  writeFileSync(list, listOf(frames, from, to));
  const length = (to - from).toFixed(3);
  const input = ['-f', 'concat', '-safe', '0', '-i', list, '-t', length];
  const size =
    top === undefined
      ? `scale=${width}:${height}:flags=lanczos`
      : `scale=${width}:-2:flags=lanczos,crop=${width}:${height}:0:${top}`;
  const filter = ['-vf', `fps=${RATE},${size},format=yuv420p`];
  const h264 = ['-c:v', 'libx264', '-preset', 'slow', '-tune', 'animation', '-crf', String(crf)];
  const av1 = ['-c:v', 'libsvtav1', '-preset', '7', '-crf', String(crf + 15), '-g', '250'];
  ffmpeg([...input, ...filter, ...h264, '-movflags', '+faststart', '-an', `${target}.mp4`]);
  if (hasAv1) ffmpeg([...input, ...filter, ...av1, '-an', `${target}.webm`]);
  const still = ['-ss', String(poster), '-i', `${target}.mp4`, '-frames:v', '1'];
  // That of a long film is among the first things that a page shows: it fits into the first round of packets.
  const avif = ['-vf', 'scale=800:-2:flags=lanczos,format=yuv420p', '-c:v', 'libaom-av1', '-crf', '43'];
  if (hasAv1) ffmpeg([...still, ...avif, '-cpu-used', '2', '-still-picture', '1', `${target}.avif`]);
  else ffmpeg([...still, '-c:v', 'libwebp', '-quality', '80', `${target}.webp`]);
  sayWeight(target, ['mp4', ...(hasAv1 ? ['webm', 'avif'] : ['webp'])]);
}
