// How the web app in src/web becomes the files under dist/app, and how it is served while developing.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { appBundle } from './app-bundle.ts';
import { chunks } from './chunks.ts';
import { neededScripts, preloadHelper } from './preload-helper.ts';

const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// The service worker, and what takes it away, are programs of their own whose names must stay the same from version to version.
const workers: Readonly<Record<string, string>> = {
  sw: folder('src/web/service-worker.ts'),
  'sw-removal': folder('src/web/service-worker-removal.ts'),
};
const input = { index: folder('src/web/index.html'), ...workers };

/** The file of each module; known when the build has read them all. */
const files = new Map<string, string>();

const { version, license } = JSON.parse(readFileSync(folder('package.json'), 'utf8')) as {
  readonly version: string;
  readonly license: string;
};

export default defineConfig({
  root: folder('src/web'),
  base: '/app/',
  cacheDir: folder('node_modules/.vite'),
  plugins: [
    react({ compiler: true }),
    chunks(files),
    preloadHelper('/app/'),
    appBundle(folder('src/web/public')),
  ],
  // What Settings says about the app; the build itself is named by what builds it (scripts/web-build.ts).
  define: {
    'import.meta.env.POSTHASTE_VERSION': JSON.stringify(version),
    'import.meta.env.POSTHASTE_LICENCE': JSON.stringify(license),
    'import.meta.env.POSTHASTE_BUILD': JSON.stringify('development'),
  },
  resolve: { alias: [{ find: /^stream$/, replacement: folder('config/no-stream.ts') }] },
  server: { port: 5173, strictPort: true },
  worker: { format: 'es' },
  // Names of classes are in the script twice.
  css: { modules: { generateScopedName: '_[hash:base64:5]' } },
  build: {
    outDir: folder('dist/app'),
    emptyOutDir: true,
    // One stylesheet, before the first paint: each that came later would have the browser lay out all rows again.
    cssCodeSplit: false,
    target: 'es2024',
    // Maps are for error reports on the server's side; the shipped files do not point at them.
    sourcemap: 'hidden',
    // Every byte of script comes from a file of our own origin: the content security policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: neededScripts },
    reportCompressedSize: false,
    // "rest" is large on purpose: it comes in one request after the first screen.
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input,
      // "use no memo" is for the compiler, which has run by then; which imports cut files is up to chunks.ts.
      onLog(level, log, say) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT')
          say(level, log);
      },
      // No property is read for the sake of reading it.
      treeshake: { propertyReadSideEffects: false },
      output: {
        entryFileNames: ({ name }) => (name in workers ? '[name].js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'chunks.ts', name: (id) => files.get(id) ?? null }],
        },
      },
    },
  },
});
