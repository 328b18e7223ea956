// Two last steps of the web app's build: the service worker learns which files it keeps, and the first load is measured
// against its budget.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { heaviest } from './heaviest.ts';

const WORKER = 'sw.js';
const WORKER_REMOVAL = 'sw-removal.js';
const BASE = '/app/';
/** Script that must arrive before the first screen, compressed. */
const ENTRY_BUDGET_BYTES = 170 * 1024;

/** Modules of the app's own entry that are named with their weight. */
const HEAVIEST = 10;

type Bundle = Rolldown.OutputBundle;

const contentOf = (part: Bundle[string]) => (part.type === 'chunk' ? part.code : part.source);
const isKept = (file: string) => file !== WORKER && file !== WORKER_REMOVAL && !file.endsWith('.map');

function publicFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** Every file of the app, and a version that changes with the content of any. */
function precacheOf(bundle: Bundle, publicFolder: string): { version: string; files: string[] } {
  const contents = new Map<string, string | Uint8Array>();
  for (const [file, part] of Object.entries(bundle)) if (isKept(file)) contents.set(file, contentOf(part));
  for (const file of publicFiles(publicFolder)) contents.set(file, readFileSync(join(publicFolder, file)));
  const files = [...contents.keys()].toSorted();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(contents.get(file) ?? '')
      .update('\0');
  return { version: hash.digest('hex').slice(0, 16), files: files.map((file) => BASE + file) };
}

/** The page's script and all that it imports at once. */
function entryFiles(bundle: Bundle): string[] {
  const entry = Object.values(bundle).find(
    (part) => part.type === 'chunk' && part.isEntry && part.name === 'index',
  );
  const found = new Set<string>();
  const visit = (file: string) => {
    const part = bundle[file];
    if (part?.type !== 'chunk' || found.has(file)) return;
    found.add(file);
    part.imports.forEach(visit);
  };
  if (entry) visit(entry.fileName);
  return [...found];
}

export function appBundle(publicFolder: string): Plugin {
  return {
    name: 'posthaste-app-bundle',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sizes = entryFiles(bundle).map((file) => {
          const part = bundle[file];
          return { file, bytes: part ? gzipSync(contentOf(part), { level: 9 }).length : 0 };
        });
        const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
        const parts = sizes.map(({ file, bytes }) => `${file} ${kilobytes(bytes)}`).join(', ');
        console.log(
          `First load: ${kilobytes(total)} of ${kilobytes(ENTRY_BUDGET_BYTES)} compressed script (${parts}).`,
        );
        for (const { file } of sizes) {
          const part = bundle[file];
          if (part?.type !== 'chunk' || !part.map || !part.fileName.includes('index')) continue;
          const modules = heaviest(part.code, part.map, HEAVIEST);
          console.log(
            `Heaviest: ${modules.map(([name, bytes]) => `${name} ${kilobytes(bytes)}`).join(', ')}.`,
          );
        }
        if (total > ENTRY_BUDGET_BYTES)
          this.error(
            `The first load is ${total - ENTRY_BUDGET_BYTES} bytes larger than its budget. Load what the first screen does not ` +
              'need with a lazy part (client/loading/lazy-part.ts), or import it only from what is loaded later.',
          );
        const worker = bundle[WORKER];
        if (worker?.type === 'chunk') {
          worker.code = `globalThis.precache=${JSON.stringify(precacheOf(bundle, publicFolder))};\n${worker.code}`;
        }
      },
    },
  };
}
