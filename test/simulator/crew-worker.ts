// One of a crew (crew.ts): lives through the seeds it is handed and answers with what each history met.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { Kind, Portion, PortionReport } from './crew.ts';
import type { Hits } from './hits.ts';
import { runMixedHistory } from './mixed.ts';
import { production, scopesProduction } from './production.ts';
import { openBench } from './scope-bench.ts';
import { runScopes } from './scopes.ts';
import { runSharedHistory } from './shared.ts';
import { runHistory } from './world.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Histories of several scopes share a server as long as a portion lasts. */
async function runnerOf(kind: Kind): Promise<(seed: number) => Promise<{ readonly hits: Hits }>> {
  if (kind === 'plain') return (seed) => runHistory(seed, production);
  if (kind === 'mixed') return (seed) => runMixedHistory(seed, production);
  if (kind === 'shared') return (seed) => runSharedHistory(seed, production);
  const bench = await openBench(scopesProduction);
  return (seed) => runScopes(seed, bench);
}

async function live({ kind, from, count }: Portion): Promise<PortionReport> {
  const run = await runnerOf(kind);
  const histories: PortionReport['histories'][number][] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      histories.push([...(await run(seed)).hits.counts]);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { histories, broken: { seed, reason }, heapBytes: heapBytes() };
    }
  }
  return { histories, broken: null, heapBytes: heapBytes() };
}

parentPort?.on('message', (portion: Portion) => {
  void live(portion).then((report) => parentPort?.postMessage(report));
});
