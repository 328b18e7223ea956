// Keeps the behaviour rules in docs/rules and the tests together: every rule is quoted by a test, every quoted rule exists.
// A rule is a list item such as "- **TASK-1** A title may be empty."; a test quotes it in its name: "[TASK-1] keeps an empty title".
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSources, type Source, withoutComments } from './sources.ts';

interface Mention {
  readonly rule: string;
  readonly path: string;
}

function rulesIn({ path, text }: Source): Mention[] {
  return [...text.matchAll(/^[-*] \*\*([A-Z]+-\d+)\*\*/gm)].flatMap(([, rule]) =>
    rule ? [{ rule, path }] : [],
  );
}

/** Rules in square brackets at the start of the names of tests and suites; one name may quote several: "[A-1] [A-2] …". */
function citationsIn({ path, text }: Source): Mention[] {
  const names = withoutComments(text).matchAll(
    /\b(?:test|it|describe|suite)\(\s*(['"`])((?:\[[A-Z]+-\d+\]\s*)+)/g,
  );
  return [...names].flatMap(([, , quoted = '']) =>
    [...quoted.matchAll(/[A-Z]+-\d+/g)].map(([rule]) => ({ rule, path })),
  );
}

const say = ({ rule, path }: Mention) => `${rule} (${path})`;

function repeated(mentions: readonly Mention[]): Mention[] {
  return mentions.filter(({ rule }, index) => mentions.findIndex((other) => other.rule === rule) < index);
}

const rules = readSources('docs/rules', /\.md$/).flatMap(rulesIn);
const testFiles = ['src', 'test'].flatMap((folder) => readSources(folder, /(?:\.test|-contract)\.ts$/));
const citations = testFiles.filter(({ path }) => path !== 'test/rules.test.ts').flatMap(citationsIn);

describe('rules', () => {
  test('every rule has a number of its own', () => {
    assert.deepEqual(repeated(rules).map(say), []);
  });

  test('every rule is quoted by a test', () => {
    const quoted = new Set(citations.map(({ rule }) => rule));
    assert.deepEqual(rules.filter(({ rule }) => !quoted.has(rule)).map(say), []);
  });

  test('every quoted rule exists', () => {
    const known = new Set(rules.map(({ rule }) => rule));
    assert.deepEqual(citations.filter(({ rule }) => !known.has(rule)).map(say), []);
  });
});

describe('reading rules', () => {
  const source = (text: string): Source => ({ path: 'a', text });

  test('finds rules at the start of list items only', () => {
    const text = '- **TASK-1** One.\n  See **TASK-9**.\n* **REP-12** Two.\n';
    assert.deepEqual(
      rulesIn(source(text)).map(({ rule }) => rule),
      ['TASK-1', 'REP-12'],
    );
  });

  test('finds what a name quotes, once per rule', () => {
    const text =
      "test('[TASK-1] [REP-2] keeps it', () => {});\n// test('[TASK-3] gone')\ntest('about [TASK-4]');";
    assert.deepEqual(
      citationsIn(source(text)).map(({ rule }) => rule),
      ['TASK-1', 'REP-2'],
    );
  });
});
