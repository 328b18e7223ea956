// Which modules weigh most in a file of the build: its text is shared out by its source map, and each share compressed.
import { gzipSync } from 'node:zlib';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CONTINUES = 32;

interface SourceMap {
  readonly mappings: string;
  readonly sources: readonly string[];
}

/** The numbers of one segment of a source map: column, source and what else it names, each relative to the last. */
function numbersOf(segment: string): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & (CONTINUES - 1)) << shift;
    shift += 5;
    if (digit & CONTINUES) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** The text of a file, by the source that it came from. */
function textBySource(code: string, map: SourceMap): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const lines = code.split('\n');
  let source = 0;
  for (const [at, line] of map.mappings.split(';').entries()) {
    const text = lines[at] ?? '';
    let column = 0;
    const starts =
      line === ''
        ? []
        : line.split(',').map((segment) => {
            const [columns = 0, sources] = numbersOf(segment);
            column += columns;
            source += sources ?? 0;
            return { column, name: sources === undefined ? '' : (map.sources[source] ?? '') };
          });
    for (const [index, { column: from, name }] of starts.entries())
      texts.set(name, (texts.get(name) ?? '') + text.slice(from, starts[index + 1]?.column));
  }
  return texts;
}

/** Names and compressed bytes of the modules that add most to a file, the heaviest first. */
export function heaviest(code: string, map: SourceMap, most: number): readonly (readonly [string, number])[] {
  const weighed = [...textBySource(code, map)].map(([name, text]) => [name, gzipSync(text).length] as const);
  const sum = weighed.reduce((total, [, bytes]) => total + bytes, 0);
  // Apart they compress worse than together.
  const together = gzipSync(code, { level: 9 }).length / Math.max(1, sum);
  return weighed
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, bytes]) => [
      name === '' ? 'what the bundler adds' : name.replace(/^(?:\.\.\/)+/, ''),
      Math.round(bytes * together),
    ]);
}
