// The map leads somewhere: every path that ARCHITECTURE.md, CONTRIBUTING.md and the pages of docs/ name is there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { filesUnder, ROOT } from '../scripts/files.ts';

const ROOTS = ['src', 'test', 'bench', 'scripts', 'docs', 'config'];
const LAYERS = ['core', 'wire', 'sync', 'client', 'web', 'server', 'site', 'cli'];
const names = new Set(ROOTS.flatMap((root) => filesUnder(root)).map((path) => basename(path)));
const pages = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...filesUnder('docs').filter((path) => path.endsWith('.md') && !path.includes('/decisions/')),
];

/** What is written as code and looks like a path of this repository; without what stands for many (`*`, `<name>`). */
function pathsIn(text: string): readonly string[] {
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner = '']) => inner.trim());
  return code.filter(
    (path) =>
      /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(path) &&
      ([...ROOTS, ...LAYERS].some((folder) => path.startsWith(`${folder}/`)) || /^[\w-]+\.tsx?$/.test(path)),
  );
}

const isThere = (path: string) =>
  path.includes('/')
    ? [path, join('src', path)].some((place) => existsSync(join(ROOT, place)))
    : names.has(path);

describe('the map', () => {
  for (const page of pages)
    test(`${page} names paths that are there`, () => {
      const paths = pathsIn(readFileSync(join(ROOT, page), 'utf8'));
      assert.deepEqual(
        paths.filter((path) => !isThere(path)),
        [],
      );
    });

  test('the map of the whole names many', () => {
    assert.ok(pathsIn(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')).length > 150);
  });
});
