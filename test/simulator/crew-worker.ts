// One of a crew (crew.ts): lives through the seeds it is handed and answers with what each history met.
import { parentPort } from 'node:worker_threads';
import type { Portion, PortionReport } from './crew.ts';
import { production } from './production.ts';
import { runHistory } from './world.ts';

async function live({ from, count }: Portion): Promise<PortionReport> {
  const histories: PortionReport['histories'][number][] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      histories.push([...(await runHistory(seed, production)).hits.counts]);
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { histories, broken: { seed, reason } };
    }
  }
  return { histories, broken: null };
}

parentPort?.on('message', (portion: Portion) => {
  void live(portion).then((report) => parentPort?.postMessage(report));
});
