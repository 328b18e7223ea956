// How much script the first screen needs over the network.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWeb } from '../scripts/web-build.ts';
import { type Gate, print, table } from './report.ts';

const OUTPUT = join(import.meta.dirname, '../dist/app');
const BUDGET_KB = 170;

/** Scripts that the page names or preloads; the others come when they are asked for. */
export async function runBundleSuite(): Promise<Gate[]> {
  await buildWeb();
  const page = readFileSync(join(OUTPUT, 'index.html'), 'utf8');
  const names = new Set([...page.matchAll(/\/app\/([\w./-]+\.js)/g)].map(([, name = '']) => name));
  const rows = [...names].map((name): [string, number, number] => {
    const content = readFileSync(join(OUTPUT, name));
    return [name, content.length / 1_024, gzipSync(content, { level: 9 }).length / 1_024];
  });
  const total = rows.reduce((sum, [, , gzipped]) => sum + gzipped, 0);
  print('## First load');
  print(table(['script', 'KB', 'KB gzip'], [...rows, ['together', '', total]]));
  return [
    { name: 'script of the first load', reached: total, bound: BUDGET_KB, unit: 'KB gzip', kind: 'at most' },
  ];
}
