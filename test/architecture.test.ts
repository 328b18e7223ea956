// Holds the source tree to its shape: which folder may import what, what the pure folders may touch, how long a file may be.
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import {
  circlesOf,
  importsOf,
  readSources,
  type Source,
  staticImportsOf,
  withoutComments,
} from './sources.ts';

const CODE_LINES_LIMIT = 500;
/** Files with code, tests not counted. */
const FOLDER_LIMIT = 25;
/** Files that import each other in a circle, types included. It may only become smaller. */
const LARGEST_CIRCLE = 5;

/** Folder → the folders it may import. Imports go down this list, never up, never sideways. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  wire: ['core'],
  sync: ['core', 'wire'],
  client: ['core', 'wire', 'sync'],
  web: ['core', 'wire', 'sync', 'client'],
  site: ['core', 'wire', 'client'],
  api: ['core', 'wire', 'sync'],
  server: ['core', 'wire', 'sync', 'api'],
  cli: ['core', 'wire', 'sync', 'client', 'api'],
  desktop: ['core', 'wire'],
};

const PURE = ['core', 'wire', 'sync', 'client'];
/** What runs under Node. */
const NODE = ['api', 'server', 'cli'];
/** The one shell of the desktop client that does, too. */
const NODE_SHELL = 'src/desktop/electron/';

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
  'fflate',
  'ical.js',
  'rrule-temporal',
  '@noble/ciphers',
  '@noble/curves',
  '@noble/hashes',
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
  if (isNode && !NODE.includes(from) && !source.path.startsWith(NODE_SHELL))
    return `${from} may not use Node`;
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

/** Loops upwards that have an end of their own. */
const guarded = [
  'src/core/walk-up.ts',
  'src/sync/rows/ancestors.ts',
  // Finds the circles.
  'src/sync/replica/postponed-moves.ts',
  'src/core/formats/json-check.ts',
  // Stops at what it has asked for already, or at the greatest depth: these ask the database at every step.
  'src/server/data/sqlite/sqlite-task-reads.ts',
  'src/server/mail/admission.ts',
  // Goes up as many levels as a drag goes to the left.
  'src/client/outline/dragging.ts',
  // Nodes of a parsed text, not rows.
  'src/client/markdown/',
  'src/core/markdown/',
];

/** Statements that put a parent into a variable that is there already: what a walk upwards is made of. */
function climbs(code: string): string[] {
  const assignment =
    /(?:^|[;{(]|\bdo )\s*(\w+) = ([^;={]*(?:\bplaceOf\([^;]*\.parent\b|\bparentOf\(|\bparentId\(|\.parent\b(?!,))[^;]*?)(?=;|\)\s*\{?$|\)\s*$)/gm;
  return [...code.matchAll(assignment)].map(([, name, value]) => `${name} = ${value?.trim()}`);
}

function codeLines(text: string): number {
  return withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '').length;
}

describe('architecture', () => {
  test('every source file lives in one of the nine folders', () => {
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

  test('[SYNC-33] nothing follows parents upwards in a loop of its own', () => {
    const isGuarded = (path: string) => guarded.some((known) => path.startsWith(known));
    const found = sources
      .filter(({ path }) => !isTest(path) && !isGuarded(path))
      .flatMap(({ path, text }) => climbs(withoutComments(text)).map((line) => `${path}: ${line}`));
    assert.deepEqual(found, []);
  });

  test('a register is read as its type says: no cast of one outside the readers', () => {
    const cast = /\bfields(?:\??\.\w+|(?:\?\.)?\[[^\]]+\])?\s+as\s/;
    const readers = ['src/core/model.ts', 'src/sync/rows/row.ts', 'src/server/data/row-columns.ts'];
    const found = sources
      .filter(({ path }) => !isTest(path) && !readers.includes(path))
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .split('\n')
          .filter((line) => cast.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    assert.deepEqual(found, []);
  });

  test(`no more than ${LARGEST_CIRCLE} files import each other in a circle`, () => {
    const targetOf = (path: string, specifier: string) =>
      specifier.startsWith('#')
        ? `src/${specifier.slice(1)}`
        : posix.join(posix.dirname(path), specifier.split('?')[0] ?? '');
    const edges = new Map(
      sources
        .filter(({ path }) => !isTest(path))
        .map(({ path, text }) => [path, staticImportsOf(text).map((to) => targetOf(path, to))] as const),
    );
    const [largest = []] = circlesOf(edges);
    assert.ok(largest.length <= LARGEST_CIRCLE, `${largest.length} files: ${largest.join(', ')}`);
  });

  test(`no folder holds more than ${FOLDER_LIMIT} files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) {
      if (isTest(path)) continue;
      const folder = posix.dirname(path);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    assert.deepEqual(
      [...counts].filter(([, count]) => count > FOLDER_LIMIT),
      [],
    );
  });

  test('no component handles keys but text fields, and Tab where the focus must stay inside', () => {
    const own = new Set([
      'src/web/views/palette.tsx',
      'src/web/views/dialog-host.tsx',
      'src/web/dialogs/entry/line.tsx',
      'src/web/dialogs/settings/settings.tsx',
      'src/web/dialogs/label-manager.tsx',
    ]);
    const found = sources.filter(
      ({ path, text }) => path.startsWith('src/web/') && /onKey(?:Down|Up|Press)/.test(withoutComments(text)),
    );
    assert.deepEqual(new Set(found.map(({ path }) => path)), own);
  });

  test('what is private to a class is so at run time', () => {
    const found = sources.filter(({ text }) => /^\s+private (?!constructor)/m.test(withoutComments(text)));
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
    );
  });

  test(`no file is longer than ${CODE_LINES_LIMIT} lines of code`, () => {
    const long = sources
      .filter(({ text }) => !text.slice(0, 400).includes('do not edit it'))
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

  test('what a journey opens ends with it, also after something that fails', () => {
    const found = tests
      .filter(({ path }) => path.startsWith('test/browser/') && path !== 'test/browser/harness.ts')
      .filter(({ text }) => /\bt\.after\(/.test(withoutComments(text)));
    assert.deepEqual(
      found.map(({ path }) => path),
      [],
      'endWith of the harness does it',
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

describe('walks upwards', () => {
  test('are seen in every form', () => {
    const forms = [
      'for (let at = start; at !== undefined; at = placeOf(rows.row(at))?.parent) seen(at);',
      'for (let at = start; at;) {\n  at = tree.parentOf(at);\n}',
      'while (row) {\n  row = rows.get(row.parent);\n}',
      'while (at !== root) {\n  at = place.parent;\n}',
      'do id = index.parentId(slot); while (id);',
    ];
    for (const form of forms) assert.equal(climbs(form).length, 1, form);
    assert.deepEqual(climbs('const parent = placeOf(row)?.parent;\nlet above = place.parent;'), []);
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
