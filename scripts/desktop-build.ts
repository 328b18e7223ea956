// Builds the desktop app into dist/desktop: the program for GJS, the script that stands before all others in its page, and the files of the web app.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bridgeFile, buildFile } from '../src/desktop/app-files.ts';
import { filesUnder, hashFiles, ROOT } from './files.ts';
import { buildWeb } from './web-build.ts';

const OUTPUT = join(ROOT, 'dist/desktop');
const STAMP = join(ROOT, 'dist/desktop.inputs');
/** What GJS 1.72 and newer runs: Debian 12, Ubuntu 22.04. */
const GJS_TARGET = 'firefox91';
/** How scripts of pages are built. */
export const PAGE_SCRIPT = { format: 'iife', target: 'safari16' } as const;
/** Made for a server that sends files compressed, for browsers that install the app, and for debugging. */
const NOT_NEEDED = /\.(?:br|gz|map)$|^(?:screenshots|sw\.js|sw-removal\.js|manifest\.webmanifest)$/;

interface Bundling {
  readonly format: 'es' | 'iife' | 'cjs';
  readonly target: string;
  readonly external?: readonly RegExp[];
  readonly isForNode?: boolean;
}

/** One script of an entry and all that it imports. */
export async function bundle(
  entry: string,
  { format, target, external = [], isForNode = false }: Bundling,
): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    // Programs have no node_modules beside them.
    ssr: { noExternal: true },
    build: {
      write: false,
      ...(isForNode && { ssr: true }),
      target,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: join(ROOT, entry), external: [...external], output: { format } },
    },
  });
  const [chunk] = 'output' in built ? built.output : [];
  if (!chunk) throw new Error(`The bundler made no script of ${entry}.`);
  return chunk.code;
}

/** The version, and the public key whose releases this copy takes: of who builds it, from RELEASE_KEY. */
function buildOf(): { readonly version: string; readonly key: string | null } {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const key = process.env['RELEASE_KEY'] ?? null;
  if (key !== null && !/^[0-9a-f]{64}$/.test(key))
    throw new Error('RELEASE_KEY is the public half of a release key, 64 hex digits.');
  return { version, key };
}

/** Brings dist/desktop up to date. True: it was built. */
export async function buildDesktop(): Promise<boolean> {
  await buildWeb();
  const inputs = filesUnder(
    'dist/app',
    'src/desktop',
    'src/client',
    'src/web',
    'src/sync',
    'src/wire',
    'src/core',
    'scripts/desktop-build.ts',
  );
  const hash = `${hashFiles(inputs)} ${JSON.stringify(buildOf())}`;
  if (existsSync(OUTPUT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return false;
  const fresh = join(ROOT, `dist/desktop.${process.pid}`);
  try {
    mkdirSync(join(fresh, 'app'), { recursive: true });
    for (const name of readdirSync(join(ROOT, 'dist/app')))
      if (!NOT_NEEDED.test(name))
        cpSync(join(ROOT, 'dist/app', name), join(fresh, 'app', name), {
          recursive: true,
          filter: (from) => !/\.(?:br|gz|map)$/.test(from),
        });
    writeFileSync(join(fresh, bridgeFile), await bundle('src/desktop/page/bridge.ts', PAGE_SCRIPT));
    for (const name of ['server.html', 'server.css', 'erase.html'])
      cpSync(join(ROOT, 'src/desktop/page', name), join(fresh, name));
    for (const name of ['server', 'erase'])
      writeFileSync(join(fresh, `${name}.js`), await bundle(`src/desktop/page/${name}.ts`, PAGE_SCRIPT));
    // Beside the web app, which has no way to load it.
    const custom = await bundle('src/web/platform/desktop/custom-code.ts', PAGE_SCRIPT);
    writeFileSync(join(fresh, 'custom-code.js'), custom);
    writeFileSync(join(fresh, buildFile), `${JSON.stringify(buildOf())}\n`);
    writeFileSync(
      join(fresh, 'main.js'),
      await bundle('src/desktop/linux/main.ts', {
        format: 'es',
        target: GJS_TARGET,
        external: [/^gi(?::|$)/],
      }),
    );
    rmSync(STAMP, { force: true });
    rmSync(OUTPUT, { recursive: true, force: true });
    renameSync(fresh, OUTPUT);
    writeFileSync(STAMP, hash);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}
