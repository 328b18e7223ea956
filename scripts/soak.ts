// `npm run soak`: simulated histories from seed to seed until the time is over. Options: --minutes N (10), --seed S (drawn),
// --histories N (no limit). Stops at the first history that breaks a rule and says how to live through it again.
import { parseArgs } from 'node:util';
import { Hits } from '../test/simulator/hits.ts';
import { production } from '../test/simulator/production.ts';
import { replayCommand, runHistory } from '../test/simulator/world.ts';

const REPORT_MS = 15_000;

function readNumber(text: string | undefined, name: string, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isNaN(value) || value < 0) throw new Error(`--${name} takes a number that is not negative.`);
  return value;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, histories: { type: 'string' } },
});
const minutes = readNumber(values.minutes, 'minutes', 10);
const first = readNumber(values.seed, 'seed', Math.floor(Math.random() * 2 ** 31));
const histories = readNumber(values.histories, 'histories', Infinity);

const hits = new Hits();
const startedAt = performance.now();
let reportedAt = startedAt;
let done = 0;

function report(): void {
  const perSecond = (done / ((performance.now() - startedAt) / 1_000)).toFixed(1);
  console.log(`seeds ${first} to ${first + done - 1}: ${done} histories, ${perSecond} per second`);
}

while (done < histories && performance.now() - startedAt < minutes * 60_000) {
  const seed = first + done;
  try {
    hits.add((await runHistory(seed, production)).hits);
  } catch (error) {
    console.error(error instanceof Error ? error.stack : String(error));
    console.error(`Seed ${seed} broke a rule. Replay: ${replayCommand(seed)}`);
    process.exitCode = 1;
    break;
  }
  done += 1;
  if (performance.now() - reportedAt > REPORT_MS) {
    reportedAt = performance.now();
    report();
  }
}
report();
console.log(hits.toString());
