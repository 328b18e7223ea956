// Every figure that the front page states comes from bench/README.md: neither changes alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { KEY_LIMIT_MS, measuredFigures } from '#site/content/figures.ts';

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

const PERCENTILES = [50, 95, 99];

describe('figures of the front page', () => {
  test('are those of bench/README.md', () => {
    for (const { text, source } of measuredFigures) {
      const { head, rows } = tableBelow(source.heading);
      const row = rows.find(([name]) => name === source.row);
      const cell = row?.[head.indexOf(source.column)] ?? '';
      const written = cell.split(' / ')[PERCENTILES.indexOf(source.percentile)];
      assert.equal(text, `${written} ms`, `${source.heading}, ${source.row}`);
    }
  });

  test('stay below what is promised of all keys', () => {
    const { head, rows } = tableBelow('### 10,000 tasks');
    for (const row of rows) {
      const p95 = Number(row[head.indexOf('Posthaste')]?.split(' / ')[1]);
      assert.ok(p95 < KEY_LIMIT_MS, `${row[0]}: ${p95} ms`);
    }
  });

  test('stand in no other place, and their conditions are the written ones', () => {
    const page = read('src/site/pages/landing.tsx');
    assert.deepEqual(page.match(/\d+(?:\.\d+)? ?(?:ms|milliseconds)\b/g), null);
    const bench = read('bench/README.md');
    for (const condition of ['Two cores', 'Chromium 156', 'three runs']) {
      assert.ok(page.replaceAll(/\s+/g, ' ').includes(condition), condition);
      assert.ok(bench.includes(condition), condition);
    }
  });
});
