// The browser part: for every dataset and run, the limit page and the app one after the other, in turns.
import type { Options } from '../options.ts';
import { type Gate, print, say } from '../report.ts';
import { limitPage } from './limit-page.ts';
import { createPosthaste } from './posthaste.ts';
import { runSession, type Session } from './session.ts';
import { nodeGate, reportDataset } from './summary.ts';

const LOADS = 5;
const QUICK_LOADS = 2;

export async function runBrowserSuite(options: Options): Promise<Gate[]> {
  const app = await createPosthaste();
  const gates: Gate[] = [];
  const all: Session[] = [];
  print('## In the browser');
  for (const dataset of options.datasets) {
    const sessions: Session[] = [];
    for (let run = 0; run < options.runs; run += 1) {
      // Which one comes first changes from run to run, so that a change of the machine's load favours neither.
      const order = run % 2 === 0 ? [limitPage, app] : [app, limitPage];
      for (const subject of order) {
        say(`${dataset.name} tasks, run ${run + 1} of ${options.runs}: ${subject.name}`);
        const loads = options.quick ? QUICK_LOADS : LOADS;
        sessions.push(
          await runSession(subject, {
            dataset,
            keys: options.keys,
            loads,
            only: options.wantsInteraction,
            log: say,
          }),
        );
      }
    }
    gates.push(...reportDataset(dataset, sessions));
    all.push(...sessions);
  }
  return [...gates, ...nodeGate(all)];
}
