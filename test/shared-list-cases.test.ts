// The page of what can happen to shared lists (docs/shared-list-cases.md) names for each situation tests that are there.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSources } from './sources.ts';

/** What stands in a row until its test is written. */
const NOT_YET = 'not yet tested';
const SITUATIONS = 59;

interface Row {
  readonly number: number;
  readonly proofs: readonly string[];
}

function rowsIn(text: string): Row[] {
  return [...text.matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)].map(([, number, proofs = '']) => ({
    number: Number(number),
    proofs: proofs.split('<br>'),
  }));
}

/** Whether a test, or a group of tests, of exactly this name is in a text. */
function hasTest(text: string, name: string): boolean {
  const calls = text.matchAll(/\b(?:test|it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g);
  return [...calls].some((call) =>
    call.slice(1).some((spelled) => spelled?.replaceAll(/\\(.)/g, '$1') === name),
  );
}

/** What is wrong with what a row calls a proof; null: nothing. */
function wrongWith(proof: string, tests: ReadonlyMap<string, string>): string | null {
  const [, path = '', name = ''] = /^`([^`]+)` (.+)$/.exec(proof) ?? [];
  if (path === '') return `“${proof}” names no file and no test`;
  const text = tests.get(path);
  if (text === undefined) return `there is no test file ${path}`;
  return hasTest(text, name) ? null : `${path} has no test “${name}”`;
}

const [page] = readSources('docs', /^docs\/shared-list-cases\.md$/);
const tests = new Map(
  ['src', 'test']
    .flatMap((folder) => readSources(folder, /(?:\.test|-contract)\.ts$/))
    .map(({ path, text }) => [path, text]),
);

describe('situations of shared lists', () => {
  test('are all in the page, each once, in order', () => {
    assert.deepEqual(
      rowsIn(page?.text ?? '').map(({ number }) => number),
      Array.from({ length: SITUATIONS }, (_, index) => index + 1),
    );
  });

  test('name tests that exist', () => {
    const wrong = rowsIn(page?.text ?? '').flatMap(({ number, proofs }) =>
      proofs
        .filter((proof) => proof !== NOT_YET)
        .flatMap((proof) => wrongWith(proof, tests) ?? [])
        .map((what) => `${number}: ${what}`),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('reading the situations', () => {
  const some = new Map([['test/a.test.ts', "test('does it', () => {});\n  it(\n    'does more',\n"]]);

  test('finds rows and what proves them', () => {
    const text = '| No. | What |\n|---|---|\n| 1 | A | B | `test/a.test.ts` does it<br>`b` c |\n';
    assert.deepEqual(rowsIn(text), [{ number: 1, proofs: ['`test/a.test.ts` does it', '`b` c'] }]);
  });

  test('notices a missing file, a missing test and what names neither', () => {
    assert.equal(wrongWith('`test/a.test.ts` does it', some), null);
    assert.equal(wrongWith('`test/a.test.ts` does more', some), null);
    assert.equal(wrongWith('`test/a.test.ts` does', some), 'test/a.test.ts has no test “does”');
    assert.equal(wrongWith('`test/b.test.ts` does it', some), 'there is no test file test/b.test.ts');
    assert.equal(wrongWith('it works', some), '“it works” names no file and no test');
  });
});
