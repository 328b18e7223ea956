// One of a crew (crew.ts): lives through the seeds it is handed and answers with what each history met.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { Portion, PortionReport } from './crew.ts';
import { runMixedHistory } from './mixed.ts';
import { production } from './production.ts';
import { runHistory } from './world.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

async function live({ kind, from, count }: Portion): Promise<PortionReport> {
  const run = kind === 'plain' ? runHistory : runMixedHistory;
  const histories: PortionReport['histories'][number][] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      histories.push([...(await run(seed, production)).hits.counts]);
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
