// Pictures for shared links, drawn at build time. Where the drawing library or a font is missing, pages name the icon
// instead: a build never fails for want of a picture.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../files.ts';

export const PICTURE_SIZE = { width: 1_200, height: 630 } as const;

const CACHE = join(ROOT, 'dist/pictures');
const VERSION = 'three';

/** Fonts that systems bring, regular and bold; the first pair that is there. */
const FONTS: readonly (readonly [regular: string, bold: string])[] = [
  ['/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf', '/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf'],
  ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf'],
  ['/Library/Fonts/Arial.ttf', '/Library/Fonts/Arial Bold.ttf'],
  ['/System/Library/Fonts/Supplemental/Arial.ttf', '/System/Library/Fonts/Supplemental/Arial Bold.ttf'],
  ['C:/Windows/Fonts/segoeui.ttf', 'C:/Windows/Fonts/segoeuib.ttf'],
];

interface Card {
  readonly title: string;
  readonly description: string;
}

const box = (style: Readonly<Record<string, unknown>>, children: unknown) => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});

function airmail(): unknown[] {
  return Array.from({ length: 31 }, (_, index) =>
    box(
      {
        width: 26,
        height: 18,
        marginRight: 14,
        transform: 'skewX(-32deg)',
        background: index % 2 === 0 ? '#CC2219' : '#0065CC',
      },
      '',
    ),
  );
}

function cardOf({ title, description }: Card): unknown {
  const name = title.replace(/ · Posthaste( guides)?$/, '');
  return box(
    {
      width: '100%',
      height: '100%',
      flexDirection: 'column',
      background: '#FFFFFF',
      color: '#181E29',
      fontFamily: 'sans',
    },
    [
      box({ height: 18, width: 1_240, overflow: 'hidden', marginLeft: -12 }, airmail()),
      box({ flexDirection: 'column', flexGrow: 1, justifyContent: 'center', padding: '0 88px' }, [
        box(
          { fontSize: name.length > 34 ? 68 : 88, fontWeight: 700, letterSpacing: -2.5, lineHeight: 1.08 },
          name,
        ),
        box({ fontSize: 34, marginTop: 28, color: '#505763', lineHeight: 1.4 }, description),
      ]),
      box(
        { padding: '0 88px 56px', fontSize: 34, fontWeight: 700, color: '#0065CC', letterSpacing: -1 },
        'Posthaste',
      ),
    ],
  );
}

export type DrawPicture = (card: Card) => Promise<Uint8Array>;

/** Null, with the reason, where pictures cannot be drawn. */
export async function openPictures(): Promise<DrawPicture | { readonly missing: string }> {
  const font = FONTS.find(([regular, bold]) => existsSync(regular) && existsSync(bold));
  if (!font) return { missing: 'no font was found' };
  try {
    const [{ default: satori }, { Resvg }] = await Promise.all([import('satori'), import('@resvg/resvg-js')]);
    const [regular, bold] = font.map((path) => readFileSync(path));
    mkdirSync(CACHE, { recursive: true });
    return async (card) => {
      const key = createHash('sha256')
        .update(JSON.stringify([VERSION, font, card]))
        .digest('hex')
        .slice(0, 24);
      const path = join(CACHE, `${key}.png`);
      if (existsSync(path)) return readFileSync(path);
      const svg = await satori(cardOf(card) as Parameters<typeof satori>[0], {
        ...PICTURE_SIZE,
        fonts: [
          { name: 'sans', data: regular ?? Buffer.alloc(0), weight: 400, style: 'normal' },
          { name: 'sans', data: bold ?? Buffer.alloc(0), weight: 700, style: 'normal' },
        ],
      });
      const png = new Resvg(svg).render().asPng();
      writeFileSync(path, png);
      return png;
    };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
