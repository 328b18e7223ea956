// scratch
import { test } from 'node:test';
import { type Counts, tryMacros } from './macro-world.ts';
test('trials', async () => {
  const counts: Counts = new Map();
  let bad = 0;
  const first = Number(process.env['FIRST'] ?? 1);
  const n = Number(process.env['SEEDS'] ?? 30);
  for (let seed = first; seed < first + n; seed += 1) {
    try { await tryMacros(seed, Number(process.env['ROUNDS'] ?? 4), counts); }
    catch (error) { bad += 1; if (bad < Number(process.env['BAD'] ?? 6)) console.log(String((error as Error).message).slice(-1500), '\n', String(((error as Error).cause as Error)?.stack ?? '').slice(0, 1800)); }
  }
  console.log('bad', bad, 'of', n);
  const u = process.threadCpuUsage();
  console.log('cpu s', (u.user + u.system) / 1e6);
  console.log([...counts].toSorted(([a], [b]) => a.localeCompare(b)).filter(([k]) => process.env['ALL'] || !k.startsWith('step:')).map(([k, v]) => `${v} ${k}`).join('\n'));
});
