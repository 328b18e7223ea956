// Every figure that the front page states comes from bench/README.md: neither changes alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  FIGURES_TABLE,
  HEADLINE_LIMIT_MS,
  KEY_LIMIT_MS,
  measuredFigures,
  medianFigures,
  PERCENTILES,
} from '#site/content/figures.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The first table below a heading. */
function tableBelow(heading: string): { readonly head: readonly string[]; readonly rows: string[][] } {
  const lines = read('bench/README.md').split('\n');
  const headings = lines.filter((line) => line.startsWith(heading));
  assert.equal(headings.length, 1, `there is one heading "${heading}"`);
  const rest = lines.slice(lines.findIndex((line) => line.startsWith(heading)));
  const from = rest.findIndex((line) => line.startsWith('|'));
  const to = rest.findIndex((line, at) => at > from && !line.startsWith('|'));
  const [head = [], , ...rows] = rest.slice(from, to).map(cellsOf);
  return { head, rows };
}

const { head, rows } = tableBelow(FIGURES_TABLE.heading);

/** A percentile of a key in a column of the table, in milliseconds. Bold says that one of the bench's own limits was missed. */
function timeOf(key: string, column: string, percentile: (typeof PERCENTILES)[number]): number {
  const cell = rows.find(([name]) => name === key)?.[head.indexOf(column)] ?? '';
  const times = cell.replaceAll('*', '').split(' / ').map(Number);
  return times[PERCENTILES.indexOf(percentile)] ?? Number.NaN;
}

describe('figures of the front page', () => {
  test('are those of bench/README.md, rounded up', () => {
    for (const { ms, source } of [...measuredFigures, ...medianFigures])
      assert.equal(ms, Math.ceil(timeOf(source.row, FIGURES_TABLE.column, source.percentile)), source.row);
  });

  test('stay below what is promised of all keys, at every size of the table', () => {
    const columns = head.filter((name) => name.endsWith(': Posthaste'));
    assert.deepEqual(columns, ['1,000: Posthaste', '100,000: Posthaste']);
    for (const [key = ''] of rows) {
      for (const column of columns) assert.ok(timeOf(key, column, 99) < KEY_LIMIT_MS, `${key}, ${column}`);
      assert.ok(timeOf(key, FIGURES_TABLE.column, 95) < HEADLINE_LIMIT_MS, key);
    }
  });

  test('stand in no other place, and their conditions are the written ones', () => {
    const page = read('src/site/pages/landing.tsx') + read('src/site/parts/demo.tsx');
    assert.deepEqual(page.match(/\d+(?:\.\d+)? ?(?:ms|milliseconds)\b/g), null);
    const [bench, method] = [read('bench/README.md'), read('src/site/texts/measured.md')].map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
    for (const condition of ['Two cores', 'Chromium 156', '60 keys each, one run']) {
      assert.ok(method?.includes(condition), condition);
      assert.ok(bench?.includes(condition), condition);
    }
  });

  test('of other apps stand beside their versions, their day and who took them, and on no other page', () => {
    const peers = read('bench/peers.md');
    const names = ['Super Productivity', 'tududi', 'Vimflowy'];
    for (const name of names) {
      assert.match(peers, new RegExp(`^\\| ${name} \\| [0-9a-f.]+ \\|`, 'm'), `${name} has a version`);
      assert.match(peers, new RegExp(`^\\| ${name}, November 20 \\|`, 'm'), `${name} has a day`);
    }
    const method = read('src/site/texts/measured.md');
    for (const said of [
      '::table peers',
      '::table peer versions',
      'keepers of an independent benchmark',
      '2026',
    ])
      assert.ok(method.includes(said), said);
    for (const page of [
      'src/site/pages/landing.tsx',
      'src/site/parts/demo.tsx',
      'src/site/parts/moments.tsx',
    ])
      for (const name of names) assert.ok(!read(page).includes(name), `${page} names ${name}`);
  });
});
