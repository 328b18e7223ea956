// What a new task field costs: `zest`, one of three choices, is added to a copy of the tree by the edits below and nothing
// else. Then it reaches storage, wire, search, sorting, details, history, JSON, CSV, API and OpenAPI (zest-probe.ts).
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/files.ts';

const run = promisify(execFile);

/** Text put before an anchor, which stands in the file once. */
interface Edit {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

const EDITS: readonly Edit[] = [
  {
    file: 'src/core/model.ts',
    before: '}\n\n/** The name of a scalar register. */',
    text: "  readonly zest?: 'low' | 'medium' | 'high' | null;\n",
  },
  {
    file: 'src/core/model.ts',
    before: '] as const satisfies readonly ScalarName[];',
    text: ", 'zest'",
  },
  {
    file: 'src/core/task-fields.ts',
    before: '} as const satisfies { readonly [Name in ScalarName]: FieldOf<Name> };',
    text: `  zest: {
    title: 'Zest',
    noun: 'a zest',
    verb: 'needing',
    orders: ['low first', 'high first'],
    operator: {
      aliases: ['effort'],
      description: 'how much zest it takes',
      example: 'zest:<=medium',
      values: [...ZESTS, 'none', 'any'],
    },
    misread: 'is no zest',
    hint: 'medium',
    api: 'zest',
    columns: ['zest', 'effort'],
    attributes: ['zest'],
    say: (zest: (typeof ZESTS)[number]) => \`\${zest} zest\`,
    rank: (zest: (typeof ZESTS)[number]) => ZESTS.indexOf(zest),
  },
`,
  },
  {
    file: 'src/core/task-fields.ts',
    before: '/** By register.',
    text: "/** From the least to the most. */\nexport const ZESTS = ['low', 'medium', 'high'] as const;\n\n",
  },
  {
    file: 'src/core/scalar-readers.ts',
    before: '};\n\n/** Reads a value',
    text: '  zest: (text) => ZESTS.find((zest) => zest === text.trim().toLowerCase()),\n',
  },
  {
    file: 'src/core/scalar-readers.ts',
    before: "import { english } from './dates/vocabulary.ts';",
    text: "import { ZESTS } from './task-fields.ts';\n",
  },
  {
    file: 'src/wire/values.ts',
    before: '} as const satisfies { readonly [Name in ScalarName]:',
    text: "  zest: z.enum(['low', 'medium', 'high']),\n",
  },
];

/** They write the files that follow from the code: the API's client and description, and the tables of docs/. */
const GENERATORS = ['scripts/api-files.ts', 'scripts/tables.ts'];
const GENERATED = ['docs/api/openapi.json', 'docs/search-operators.md', 'src/wire/api/client.ts'];
const MOST_FILES = 15;

async function addZest(root: string): Promise<void> {
  for (const name of ['src', 'test', 'bench', 'config', 'scripts', 'docs', 'package.json', 'tsconfig.json'])
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
  for (const { file, before, text } of EDITS) {
    const path = join(root, file);
    const parts = (await readFile(path, 'utf8')).split(before);
    assert.equal(parts.length, 2, `${file} has ${before} once; where that line has changed, EDITS follow it`);
    await writeFile(path, parts.join(text + before));
  }
}

// It copies and compiles the tree: a minute on a quiet machine, several on a busy one.
test('a task field is added in few files', { timeout: 600_000 }, async (t) => {
  const files = new Set([...EDITS.map(({ file }) => file), ...GENERATED]);
  assert.ok(files.size <= MOST_FILES, `${files.size} files`);
  const root = await mkdtemp(join(tmpdir(), 'posthaste-field-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  await addZest(root);
  for (const script of GENERATORS) await run(process.execPath, [join(root, script)], { cwd: root });

  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const check = ['--noEmit', '-p', join(root, 'config/tsconfig.tests.json')];
  const checked = await run(process.execPath, [compiler, ...check], { cwd: root }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  assert.equal(checked.stdout, '');

  const probe = ['--test', '--test-reporter=spec', join(root, 'test/fields/zest-probe.ts')];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const probed = await run(process.execPath, probe, { cwd: root, env }).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  assert.match(probed.stdout, /^ℹ fail 0$/m, probed.stdout);
});
