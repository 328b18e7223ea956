// Builds the web app into dist/app, when its inputs changed since the last build, and puts compressed copies beside the
// files. The new build replaces the old one in one rename, so that a server reading dist/app never sees half of it.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesUnder, hashFiles, ROOT } from './files.ts';

const OUTPUT = join(ROOT, 'dist/app');
const STAMP = join(ROOT, 'dist/app.inputs');
const INPUTS = [
  'src/core',
  'src/wire',
  'src/sync',
  'src/client',
  'src/web',
  'config',
  'package.json',
  'package-lock.json',
];
/** Of the hash of all inputs, as Settings shows it. */
const BUILD_LETTERS = 12;
const COMPRESSIBLE = /\.(?:js|css|html|svg|json|webmanifest|wasm|txt)$/;
const SMALLEST_WORTH_COMPRESSING = 1_024;

/** Pictures of the README and the site that a browser shows before it installs the app: the manifest names them. */
export const screenshots: readonly string[] = [
  'docs/images/app-light.png',
  'docs/images/app-dark.png',
  'src/site/images/phone-list.png',
  'src/site/images/phone-palette.png',
  'src/site/images/phone-date.png',
];

/** After the bundle: the service worker keeps none of them. */
function copyScreenshots(folder: string): void {
  mkdirSync(join(ROOT, folder, 'screenshots'));
  for (const file of screenshots)
    copyFileSync(join(ROOT, file), join(ROOT, folder, 'screenshots', basename(file)));
}

export type WebBuild = 'absent' | 'current' | 'built';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compress(folder: string): Promise<void> {
  for (const file of filesUnder(folder)) {
    if (!COMPRESSIBLE.test(file)) continue;
    const content = readFileSync(join(ROOT, file));
    if (content.length < SMALLEST_WORTH_COMPRESSING) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(join(ROOT, `${file}.br`), await brotli(content, { params }));
    writeFileSync(join(ROOT, `${file}.gz`), await gzipped(content, { level: 9 }));
  }
}

/**
 * Brings dist/app up to date. `absent` means there is no web app in this copy, `current` that nothing had to be done.
 * Rejects with the bundler's message when the sources do not build; the previous build then stays in place.
 */
export async function buildWeb(options: { readonly force?: boolean } = {}): Promise<WebBuild> {
  if (!existsSync(join(ROOT, 'src/web/index.html'))) return 'absent';
  const inputs = [...filesUnder(...INPUTS).filter((file) => !file.endsWith('.test.ts')), ...screenshots];
  const hash = hashFiles(inputs);
  const isCurrent = existsSync(OUTPUT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
  if (isCurrent && !options.force) return 'current';

  const { build } = await import('vite');
  const fresh = `dist/app.${process.pid}`;
  try {
    await build({
      root: join(ROOT, 'src/web'),
      configFile: join(ROOT, 'config/vite.config.ts'),
      logLevel: 'warn',
      define: { 'import.meta.env.POSTHASTE_BUILD': JSON.stringify(hash.slice(0, BUILD_LETTERS)) },
      build: { outDir: join(ROOT, fresh) },
    });
    await compress(fresh);
    copyScreenshots(fresh);
    rmSync(STAMP, { force: true });
    rmSync(OUTPUT, { recursive: true, force: true });
    renameSync(join(ROOT, fresh), OUTPUT);
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    writeFileSync(STAMP, hash);
  } finally {
    rmSync(join(ROOT, fresh), { recursive: true, force: true });
  }
  return 'built';
}
