// `npm run soak`: simulated histories from seed to seed until the time is over. Options: --minutes N (10), --seed S (drawn),
// --histories N (no limit), --workers N (all processors). Stops at the first history that breaks a rule and says how to live
// through it again; ends with what was met, how often, and which faults met least often in one history.
import { parseArgs } from 'node:util';
import { runSeeds } from '../test/simulator/crew.ts';
import { FaultPairs } from '../test/simulator/fault-pairs.ts';
import { replayCommand } from '../test/simulator/world.ts';

const REPORT_MS = 15_000;
const RAREST_PAIRS = 10;
const MEGABYTE = 1_048_576;

function readNumber(text: string | undefined, name: string, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isNaN(value) || value < 0) throw new Error(`--${name} takes a number that is not negative.`);
  return value;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    histories: { type: 'string' },
    workers: { type: 'string' },
  },
});
const minutes = readNumber(values.minutes, 'minutes', 10);
const first = readNumber(values.seed, 'seed', Math.floor(Math.random() * 2 ** 31));
const count = readNumber(values.histories, 'histories', Infinity);

const pairs = new FaultPairs();
const startedAt = performance.now();
let reportedAt = startedAt;
let done = 0;

function report(): void {
  const perSecond = (done / ((performance.now() - startedAt) / 1_000)).toFixed(1);
  const memory = Math.round(process.memoryUsage.rss() / MEGABYTE);
  console.log(`from seed ${first}: ${done} histories, ${perSecond} per second, ${memory} MB in memory`);
}

const { broken, hits } = await runSeeds({
  first,
  count,
  isOver: () => performance.now() - startedAt >= minutes * 60_000,
  ...(values.workers === undefined ? {} : { workers: Math.max(1, readNumber(values.workers, 'workers', 1)) }),
  onHistory(met) {
    pairs.add(met);
    done += 1;
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    report();
  },
});
report();
console.log(hits.toString());
console.log(`Pairs of faults that met least often in one history:\n${pairs.rarest(RAREST_PAIRS).join('\n')}`);
if (broken !== null) {
  console.error(`Seed ${broken.seed} broke a rule. Replay: ${replayCommand(broken.seed)}\n${broken.reason}`);
  process.exitCode = 1;
}
