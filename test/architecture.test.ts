// Holds the source tree to its shape: which folder may import what, what the pure folders may touch, how long a file may be.
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { importsOf, readSources, type Source, withoutComments } from './sources.ts';

const CODE_LINES_LIMIT = 500;

/** Folder → the folders it may import. Imports go down this list, never up, never sideways. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  wire: ['core'],
  sync: ['core', 'wire'],
  client: ['core', 'wire', 'sync'],
  web: ['core', 'wire', 'sync', 'client'],
  site: ['core', 'wire', 'client'],
  server: ['core', 'wire', 'sync'],
  cli: ['core', 'wire', 'client'],
};

const PURE = ['core', 'wire', 'sync', 'client'];
/** What runs under Node. */
const NODE = ['server', 'cli'];

/** Packages without clock, randomness, DOM or Node of their own that the pure folders may use. */
const PURE_PACKAGES = [
  'zod',
  'fractional-indexing',
  'uuid',
  'yjs',
  '@leeoniya/ufuzzy',
  'diff-match-patch-es',
  '@lezer/markdown',
  '@lezer/common',
  '@codemirror/state',
  'sax',
  'papaparse',
];

const IMPURE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['the clock', /\bDate\.now\b|\bnew Date\b|\bDate\(\)|\bTemporal\.Now\b|\bperformance\b/],
  ['randomness', /\bMath\.random\b|\bcrypto\.(?:getRandomValues|randomUUID|subtle)\b/],
  ['a timer', /\b(?:setTimeout|setInterval|setImmediate|requestAnimationFrame|queueMicrotask)\b/],
  [
    'the platform',
    /\b(?:globalThis|window|process|localStorage|indexedDB)\s*[.[]|\bfetch\(|\bnew WebSocket\b/,
  ],
];

const sources = readSources('src', /\.tsx?$/);
const tests = readSources('test', /\.tsx?$/);

const isTest = (path: string) => path.endsWith('.test.ts');
const worldOf = (path: string) => path.split('/')[1] ?? '';
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function crossingProblem(source: Source, specifier: string): string | undefined {
  const from = worldOf(source.path);
  if (specifier.startsWith('#')) {
    const to = specifier.slice(1).split('/')[0] ?? '';
    if (to === from) return 'inside one folder the path is relative';
    if (!(to in MAY_IMPORT)) return 'there is no such folder';
    return MAY_IMPORT[from]?.includes(to) ? undefined : `${from} may not import ${to}`;
  }
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(source.path), specifier.split('?')[0] ?? '');
    return target.startsWith(`src/${from}/`) ? undefined : 'a relative path leaves its folder';
  }
  return specifier.startsWith('/') ? 'absolute paths belong to one machine' : undefined;
}

function packageProblem(source: Source, specifier: string): string | undefined {
  const from = worldOf(source.path);
  if (/^[.#/]/.test(specifier) || isTest(source.path)) return undefined;
  const isNode = specifier.startsWith('node:');
  if (isNode && !NODE.includes(from)) return `${from} may not use Node`;
  if (PURE.includes(from) && !PURE_PACKAGES.includes(packageOf(specifier))) return `${from} is pure`;
  if (NODE.includes(from) && /^react(?:-dom)?$/.test(packageOf(specifier))) return `${from} draws nothing`;
  return undefined;
}

function importProblems(problem: (source: Source, specifier: string) => string | undefined): string[] {
  return sources.flatMap((source) =>
    importsOf(source.text).flatMap((specifier) => {
      const reason = problem(source, specifier);
      return reason === undefined ? [] : [`${source.path} imports ${specifier}: ${reason}`];
    }),
  );
}

function codeLines(text: string): number {
  return withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '').length;
}

describe('architecture', () => {
  test('every source file lives in one of the eight folders', () => {
    const strays = sources.map(({ path }) => path).filter((path) => !(worldOf(path) in MAY_IMPORT));
    assert.deepEqual(strays, []);
  });

  test('imports go down the dependency table', () => {
    assert.deepEqual(importProblems(crossingProblem), []);
  });

  test('each folder uses only the packages of its world', () => {
    assert.deepEqual(importProblems(packageProblem), []);
  });

  test('the pure folders touch no clock, randomness, timer or platform', () => {
    const touched = sources
      .filter(({ path }) => PURE.includes(worldOf(path)) && !isTest(path))
      .flatMap(({ path, text }) => {
        // A word inside a text or a pattern touches nothing.
        const code = withoutComments(text).replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
        return IMPURE.filter(([, pattern]) => pattern.test(code)).map(([name]) => `${path} touches ${name}`);
      });
    assert.deepEqual(touched, []);
  });

  test(`no file is longer than ${CODE_LINES_LIMIT} lines of code`, () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: codeLines(text) }))
      .filter(({ lines }) => lines > CODE_LINES_LIMIT)
      .map(({ path, lines }) => `${path}: ${lines}`);
    assert.deepEqual(long, []);
  });

  test('every source file opens with what it is responsible for', () => {
    const silent = [...sources, ...tests].filter(({ text }) => !/^(?:#!.*\n)?\/[/*]/.test(text));
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });

  test('nothing is exported by default and nothing is re-exported wholesale', () => {
    const found = sources
      .filter(({ path }) => !path.endsWith('.config.ts'))
      .filter(({ text }) => /^export (?:default\b|\*)/m.test(withoutComments(text)));
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
    );
  });

  test('tests that span folders name the folders with #', () => {
    const escaping = tests.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .filter((specifier) => posix.join(posix.dirname(path), specifier).startsWith('src/'))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    assert.deepEqual(escaping, []);
  });
});

describe('reading imports', () => {
  test('sees every form an import can take', () => {
    const text = [
      "import { a } from '#core/a.ts';",
      "import type { B } from './b.ts';",
      'import {\n  c,\n  type D,\n} from "../c.ts";',
      "import 'side-effect';",
      "export { e } from './e.ts';",
      "const f = await import('./f.ts');",
      "type G = import('./g.ts').G;",
    ].join('\n');
    const seen = importsOf(text).toSorted();
    assert.deepEqual(seen, ['#core/a.ts', '../c.ts', './b.ts', './e.ts', './f.ts', './g.ts', 'side-effect']);
  });

  test('passes over the word in a text', () => {
    assert.deepEqual(
      importsOf("type A = { type: 'import'; name: 'x' };\nconst b = 'export'; const from = 'c';"),
      [],
    );
  });

  test('passes over comments', () => {
    assert.deepEqual(
      importsOf("// import './a.ts'\n/* import './b.ts' */\nexport const url = 'https://c.example';"),
      [],
    );
  });

  test('the table refuses going up, going sideways and leaving by a relative path', () => {
    const core = { path: 'src/core/task.ts', text: '' };
    const web = { path: 'src/web/views/outline.tsx', text: '' };
    assert.equal(crossingProblem(core, '#sync/clock.ts'), 'core may not import sync');
    assert.equal(crossingProblem(web, '#server/app.ts'), 'web may not import server');
    assert.equal(crossingProblem(core, '../sync/clock.ts'), 'a relative path leaves its folder');
    assert.equal(crossingProblem(core, '#core/ids.ts'), 'inside one folder the path is relative');
    assert.equal(crossingProblem(web, '../../client/store.ts'), 'a relative path leaves its folder');
    assert.equal(crossingProblem(web, '#client/store.ts'), undefined);
    assert.equal(packageProblem(core, 'node:fs'), 'core may not use Node');
    assert.equal(packageProblem({ path: 'src/cli/run.ts', text: '' }, 'node:fs'), undefined);
    assert.equal(packageProblem(core, 'react'), 'core is pure');
    assert.equal(packageProblem(core, 'zod/mini'), undefined);
  });
});
