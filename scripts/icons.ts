// Draws the app's icons from one mark: `node scripts/icons.ts`. The files are committed; this runs when the mark changes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './browser.ts';
import { ROOT } from './files.ts';

const FOLDER = join(ROOT, 'src/web/public/icons');
const BLUE = '#0065CC';
const RED = '#CC2219';
const INK = '#181E29';

/** An envelope with the striped edge of airmail, leaning forward. `edge` is the empty margin, `radius` the corner. */
function mark({ radius, scale }: { readonly radius: number; readonly scale: number }): string {
  const move = 256 * (1 - scale);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
  <defs>
    <clipPath id="paper"><rect x="76" y="128" width="360" height="256" rx="30"/></clipPath>
  </defs>
  <rect width="512" height="512" rx="${radius}" fill="${BLUE}"/>
  <g transform="translate(${move} ${move}) scale(${scale})">
    <g transform="rotate(-8 256 256)">
      <g clip-path="url(#paper)">
        <rect x="76" y="128" width="360" height="256" fill="#FFFFFF"/>
        <g stroke-width="26">
          <path d="M64 400 104 344M184 400 224 344M304 400 344 344M424 400 464 344" stroke="${RED}"/>
          <path d="M124 400 164 344M244 400 284 344M364 400 404 344" stroke="${BLUE}"/>
        </g>
        <rect x="76" y="128" width="360" height="232" fill="#FFFFFF"/>
      </g>
      <path d="m100 162 130 98a44 44 0 0 0 52 0l130-98" fill="none" stroke="${INK}" stroke-width="24" stroke-linecap="round" stroke-linejoin="round"/>
    </g>
  </g>
</svg>
`;
}

const ICONS = [
  { file: 'icon-192.png', size: 192, radius: 112, scale: 1 },
  { file: 'icon-512.png', size: 512, radius: 112, scale: 1 },
  // Platforms cut these to their own shape: no corners, and the mark inside the safe circle.
  { file: 'maskable-512.png', size: 512, radius: 0, scale: 0.8 },
  { file: 'apple-touch-icon.png', size: 180, radius: 0, scale: 0.9 },
] as const;

/** In pixels: what browsers ask /favicon.ico for. */
const FAVICON_SIZES = [16, 32, 48] as const;

/** The container for several pictures of one icon, each a PNG: 6 bytes, 16 for each picture, the pictures. */
function ico(pictures: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** One colour, for systems that paint it in their own: the open envelope alone. */
function outline(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
  <g transform="rotate(-8 256 256)" fill="none" stroke="#000000" stroke-width="28" stroke-linecap="round" stroke-linejoin="round">
    <rect x="90" y="142" width="332" height="228" rx="30"/>
    <path d="m104 170 126 94a44 44 0 0 0 52 0l126-94"/>
  </g>
</svg>
`;
}

const found = findBrowser();
if (found.type === 'missing') throw new Error(found.reason);
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'icon.svg'), mark({ radius: 112, scale: 1 }));
const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
try {
  const paint = async (drawing: string, size: number): Promise<Buffer> => {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const svg = drawing.replace('width="512" height="512"', `width="${size}" height="${size}"`);
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
    const png = await page.screenshot({ omitBackground: true });
    await page.close();
    return png;
  };
  const drawn = ICONS.map(({ file, size, ...look }) => ({ file, size, drawing: mark(look) }));
  for (const { file, size, drawing } of [
    ...drawn,
    { file: 'monochrome-512.png', size: 512, drawing: outline() },
  ])
    writeFileSync(join(FOLDER, file), await paint(drawing, size));
  const pictures = [];
  for (const size of FAVICON_SIZES)
    pictures.push({ size, png: await paint(mark({ radius: 112, scale: 1 }), size) });
  writeFileSync(join(FOLDER, '../favicon.ico'), ico(pictures));
} finally {
  await browser.close();
}
