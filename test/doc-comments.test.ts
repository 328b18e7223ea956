// Every export that another folder uses says what it is for (CONTRIBUTING, Comments).
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { readSources } from './sources.ts';

const DECLARED =
  /^export (?:declare )?(?:default )?(?:async )?(?:abstract )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/;
const IMPORTED = /\bimport (?:type )?(?:\w+,? ?)?\{([^}]*)\} from '([^']+)'/g;

interface Declared {
  readonly line: number;
  readonly hasComment: boolean;
}

/** What a file exports. Of an overloaded function the first signature counts. */
function exportsOf(text: string): ReadonlyMap<string, Declared> {
  const lines = text.split('\n');
  const found = new Map<string, Declared>();
  for (const [at, line] of lines.entries()) {
    const name = DECLARED.exec(line)?.[1];
    if (name === undefined || found.has(name)) continue;
    found.set(name, { line: at + 1, hasComment: (lines[at - 1] ?? '').endsWith('*/') });
  }
  return found;
}

/** The names a file imports, with the file each comes from. */
function* namesImported(path: string, text: string): Generator<readonly [file: string, name: string]> {
  for (const [, names = '', specifier = ''] of text.matchAll(IMPORTED)) {
    const file = specifier.startsWith('#')
      ? `src/${specifier.slice(1)}`
      : posix.join(posix.dirname(path), specifier);
    for (const name of names.split(',')) {
      const own = /^\s*(?:type )?(\w+)/.exec(name)?.[1];
      if (own !== undefined) yield [file, own];
    }
  }
}

/** `path:line name`, for each export that another folder imports and no comment explains. */
function unexplained(sources: readonly { readonly path: string; readonly text: string }[]): string[] {
  const exported = new Map(sources.map(({ path, text }) => [path, exportsOf(text)]));
  const missing = new Set<string>();
  for (const { path, text } of sources)
    for (const [file, name] of namesImported(path, text)) {
      const declared = exported.get(file)?.get(name);
      if (declared === undefined || declared.hasComment || posix.dirname(file) === posix.dirname(path))
        continue;
      missing.add(`${file}:${declared.line} ${name}`);
    }
  return [...missing].toSorted();
}

const SOURCES = readSources('src', /\.tsx?$/).filter(({ path }) => !path.includes('.test.'));

describe('doc comments', () => {
  it('stand at every export that another folder uses', () => {
    assert.deepEqual(unexplained(SOURCES), []);
  });
});
