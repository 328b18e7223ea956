// Where things are in the repository and what a set of input files looks like as one hash. Knows nothing of builds or tests.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every file under the given paths (files or folders, relative to the root), sorted, with forward slashes; absent paths give none. */
export function filesUnder(...paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    const full = join(ROOT, path);
    if (!existsSync(full)) return [];
    if (statSync(full).isFile()) return [full];
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  });
  return found.map((file) => relative(ROOT, file).split(sep).join('/')).toSorted();
}

/** One hash over names and contents: it changes exactly when an input does. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
