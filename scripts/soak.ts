// `npm run soak`: the random tests of `npm test` for as long as one likes. --mode plain, mixed, scopes, shared, kill, cut, api, keys, macros, scripts,
// faults, nodes, upgrade or all (all thirteen, one after the other); the other options stand in docs/reliability.md. Stops at the first thing that breaks a rule, says how to
// live through it again, and fails if memory grows.
import { parseArgs } from 'node:util';
import { fuzz } from '../test/api/api-bodies.ts';
import { runApiKilled } from '../test/process/api-killed.ts';
import { runFaults } from '../test/process/faults/fault-run.ts';
import { runMailKilled } from '../test/process/mail-killed.ts';
import { Cluster } from '../test/process/nodes/cluster.ts';
import { beforeNewestSchema, buildEarlier } from '../test/process/nodes/earlier-build.ts';
import { runHistories, runMixed, type Trouble, troubles } from '../test/process/nodes/histories.ts';
import { NONE_FAILED, runUpgrade } from '../test/process/nodes/upgrade.ts';
import { fuzzScripts } from '../test/scripts/fuzz.ts';
import { liveThrough } from '../test/keystrokes/fuzz-world.ts';
import { tryMacros } from '../test/keystrokes/macro-world.ts';
import { runKilled } from '../test/process/killed.ts';
import { runProxied } from '../test/process/proxied.ts';
import { type Kind, runSeeds } from '../test/simulator/crew.ts';
import { FaultPairs } from '../test/simulator/fault-pairs.ts';
import { growthOf } from '../test/simulator/growth.ts';
import { replayCommand } from '../test/simulator/world.ts';
import { findBrowser } from './browser.ts';
import { buildWeb } from './web-build.ts';

const REPORT_MS = 15_000;
const RAREST_PAIRS = 10;
const MEGABYTE = 1_048_576;
const PROXIED_DEVICES = 4;
const API_REQUESTS = 10_000;
const NODES = 3;
const NODE_HISTORIES = 5_000;
const NODE_HISTORIES_AT_ONCE = 10;
/** Longer than the database waits for one that leads. */
const NODE_STANDS_MS = 60_000;
/** Longer than a server waits for an answer over a link that carries nothing. */
const NODE_LINK_MS = 30_000;
const MODES = [
  'plain',
  'mixed',
  'scopes',
  'shared',
  'kill',
  'cut',
  'api',
  'keys',
  'macros',
  'scripts',
  'faults',
  'nodes',
  'upgrade',
] as const;
type Mode = (typeof MODES)[number];

function readNumber(text: string | undefined, name: string, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isNaN(value) || value < 0) throw new Error(`--${name} takes a number that is not negative.`);
  return value;
}

function readModes(text: string | undefined): readonly Mode[] {
  const found = MODES.filter((mode) => text === undefined || text === 'all' || text === mode);
  if (found.length === 0) throw new Error(`--mode takes one of ${MODES.join(', ')}, all.`);
  return found;
}

const { values } = parseArgs({
  options: {
    mode: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    histories: { type: 'string' },
    workers: { type: 'string' },
    kills: { type: 'string' },
    cuts: { type: 'string' },
    restores: { type: 'string' },
    store: { type: 'string' },
    troubles: { type: 'string' },
    mixed: { type: 'boolean' },
    previous: { type: 'string' },
  },
});
const modes = readModes(values.mode);
const first = readNumber(values.seed, 'seed', Math.floor(Math.random() * 2 ** 31));
const megabytes = (bytes: number): string => `${Math.round(bytes / MEGABYTE)} MB`;

/** Says whether memory grew. */
function reportGrowth(samples: readonly number[]): boolean {
  const growth = growthOf(samples);
  if (growth === null) return true;
  console.log(`Least memory of a worker in each third: ${growth.thirds.map(megabytes).join(', ')}`);
  if (growth.isGrowing) console.error('Memory grows: something is kept that nobody needs.');
  return !growth.isGrowing;
}

async function soakHistories(kind: Kind, minutes: number): Promise<boolean> {
  const pairs = new FaultPairs();
  const heaps: number[] = [];
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let done = 0;
  const report = (): void => {
    const perSecond = (done / ((performance.now() - startedAt) / 1_000)).toFixed(1);
    console.log(
      `${kind} histories from seed ${first}: ${done}, ${perSecond} per second, ${megabytes(process.memoryUsage.rss())} in memory`,
    );
  };
  const { broken, hits } = await runSeeds({
    kind,
    first,
    count: readNumber(values.histories, 'histories', Infinity),
    isOver: () => performance.now() - startedAt >= minutes * 60_000,
    ...(values.workers === undefined
      ? {}
      : { workers: Math.max(1, readNumber(values.workers, 'workers', 1)) }),
    onHeap: (bytes) => heaps.push(bytes),
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
  console.log(
    `Pairs of faults that met least often in one history:\n${pairs.rarest(RAREST_PAIRS).join('\n')}`,
  );
  if (broken !== null)
    console.error(
      `Seed ${broken.seed} broke a rule. Replay: ${replayCommand(broken.seed, kind)}\n${broken.reason}`,
    );
  return reportGrowth(heaps) && broken === null;
}

async function soakKills(): Promise<boolean> {
  const rounds = readNumber(values.kills, 'kills', 200);
  const { acknowledged, slowestStartMs, largestLogBytes } = await runKilled({ rounds, seed: first });
  console.log(
    `Killed ${rounds} times, seed ${first}: ${acknowledged} operations acknowledged, each there once; slowest start ${Math.round(slowestStartMs)} ms, largest log ${(largestLogBytes / MEGABYTE).toFixed(1)} MB`,
  );
  return true;
}

async function soakCuts(): Promise<boolean> {
  const cuts = readNumber(values.cuts, 'cuts', 2_000);
  const { operations, whole } = await runProxied({ seed: first, devices: PROXIED_DEVICES, cuts });
  console.log(
    `Cut ${cuts} requests and answers, seed ${first}: ${operations} operations, each effect once; ${whole} requests came through`,
  );
  return true;
}

/** Odd requests in process for as long as asked, then the server killed while programs write. */
async function soakApi(): Promise<boolean> {
  const end = performance.now() + readNumber(values.minutes, 'minutes', 10) * 60_000;
  let seed = first;
  for (; performance.now() < end; seed += 1) await fuzz(seed, API_REQUESTS);
  console.log(`${(seed - first) * API_REQUESTS} odd requests from seed ${first}: none made the server fail`);
  const rounds = readNumber(values.kills, 'kills', 200);
  const acknowledged = await runApiKilled({ rounds, seed: first });
  console.log(`Killed ${rounds} times, seed ${first}: ${acknowledged} tasks answered, each there once`);
  const flood = { messages: 50 * rounds, accounts: 5, senders: 5, lifeMs: 500, seed: first };
  const mail = await runMailKilled({ ...flood, kills: rounds });
  console.log(`Killed ${mail.kills} times, seed ${first}: ${mail.tasks} mails taken, each a task once`);
  return true;
}

/** Random keys, commands, presses and drags in the app without a screen. */
async function soakKeys(): Promise<boolean> {
  const end = performance.now() + readNumber(values.minutes, 'minutes', 10) * 60_000;
  const count = readNumber(values.histories, 'histories', Infinity);
  let seed = first;
  for (; performance.now() < end && seed < first + count; seed += 1) {
    try {
      await liveThrough(seed);
    } catch (error) {
      console.error(error);
      console.error(`Replay: npm run soak -- --mode keys --seed ${seed} --histories 1`);
      return false;
    }
  }
  console.log(
    `${seed - first} sequences of keys from seed ${first}: none failed, lost the focus, or left what undo does not take back`,
  );
  return true;
}

const MACROS_PER_ACCOUNT = 5;

/** Random macros, each tried and then run. */
async function soakMacros(): Promise<boolean> {
  const end = performance.now() + readNumber(values.minutes, 'minutes', 10) * 60_000;
  const count = readNumber(values.histories, 'histories', Infinity);
  const occurred = new Map<string, number>();
  let seed = first;
  for (; performance.now() < end && seed < first + count; seed += 1) {
    try {
      await tryMacros(seed, MACROS_PER_ACCOUNT, occurred);
    } catch (error) {
      console.error(error);
      console.error(`Replay: npm run soak -- --mode macros --seed ${seed} --histories 1`);
      return false;
    }
  }
  console.log(
    `${occurred.get('tried') ?? 0} macros from seed ${first}: each changed what its trial had said, and one undo took it back`,
  );
  return true;
}

/** Random scripts of macros in their engine. */
async function soakScripts(): Promise<boolean> {
  const end = performance.now() + readNumber(values.minutes, 'minutes', 10) * 60_000;
  const count = readNumber(values.histories, 'histories', Infinity);
  try {
    const { answered, problems, workers } = await fuzzScripts(first, count, () => performance.now() > end);
    const others = Object.values(problems).reduce((sum, of) => sum + of, 0);
    console.log(
      `${answered + others} scripts from seed ${first}: ${answered} answered; ${counts(new Map(Object.entries(problems)))}; ${workers} workers thrown away`,
    );
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}

const FAULT_KILLS = 75;
const FAULT_RESTORES = 10;
const FAULT_PACE_MS = 150;
const FAULT_ENGINES = 4;

function counts(map: ReadonlyMap<string, number>): string {
  return [...map].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}

/** Processes of server and devices under every fault at once. */
async function soakFaults(): Promise<boolean> {
  const store = values.store ?? 'sqlite';
  if (store !== 'sqlite' && store !== 'postgres') throw new Error('--store takes one of sqlite, postgres.');
  const kills = readNumber(values.kills, 'kills', FAULT_KILLS);
  const restores = readNumber(values.restores, 'restores', FAULT_RESTORES);
  const report = await runFaults({
    seed: first,
    store,
    engines: FAULT_ENGINES,
    kills,
    restores,
    paceMs: FAULT_PACE_MS,
    onStep: (line) => console.log(line),
  });
  console.log(
    `Faults on ${store}, seed ${first}: ${counts(report.faults)}; skipped: ${counts(report.skipped)}; ${report.cuts} requests and answers cut`,
  );
  console.log(
    `${report.kept} changes acknowledged, ${report.open} more begun, ${report.excused} written by the program alone and put back; ${report.forms} bodies were forms; ${report.rows} rows in the end`,
  );
  console.log(
    `Largest write-ahead log ${megabytes(report.largestLogBytes)}, slowest start ${Math.round(report.slowestStartMs)} ms, ${(report.ms / 60_000).toFixed(1)} minutes`,
  );
  const wrong = [...report.violations, ...report.lostWords];
  for (const violation of wrong) console.error(violation);
  if (wrong.length > 0)
    console.error(
      `Seed ${first} broke ${wrong.length} rules. The same plan: npm run soak -- --mode faults --store ${store} --kills ${kills} --restores ${restores} --seed ${first}`,
    );
  return wrong.length === 0;
}

function readTroubles(text: string | undefined): readonly Trouble[] | null {
  if (text === undefined) return null;
  const wheel = text.split(',').flatMap((name) => troubles.filter((trouble) => trouble === name));
  if (wheel.length !== text.split(',').length)
    throw new Error(`--troubles takes some of ${troubles.join(', ')}.`);
  return wheel;
}

/** Devices at three real servers on one PostgreSQL that are killed, stand still and lose it, their links, or what `--troubles` says. */
async function soakNodes(): Promise<boolean> {
  const histories = readNumber(values.histories, 'histories', NODE_HISTORIES);
  const wheel = readTroubles(values.troubles);
  const earlier = values.mixed === true ? buildEarlier(values.previous ?? beforeNewestSchema()) : null;
  const cluster = await Cluster.start(NODES, earlier === null ? {} : { main: earlier.main });
  try {
    if (wheel?.includes('failover')) await cluster.follow('asynchronous');
    else if (wheel?.includes('synchronous failover')) await cluster.follow('synchronous');
    const options = {
      seed: first,
      histories,
      atOnce: NODE_HISTORIES_AT_ONCE,
      standsMs: NODE_STANDS_MS,
      linkMs: NODE_LINK_MS,
      ...(wheel === null ? {} : { wheel }),
    };
    const { acknowledged } =
      earlier === null ? await runHistories(cluster, options) : await runMixed(cluster, options);
    console.log(
      `${histories} histories at ${NODES} servers, seed ${first}: ${acknowledged} operations acknowledged, each there once; ${counts(new Map(Object.entries(cluster.counts)))}`,
    );
    return true;
  } catch (error) {
    console.error(error);
    const mixed = earlier === null ? '' : ` --mixed --previous ${earlier.commit}`;
    const same = wheel === null ? '' : ` --troubles "${wheel.join(',')}"`;
    console.error(
      `The same plan: npm run soak -- --mode nodes --seed ${first} --histories ${histories}${same}${mixed}`,
    );
    return false;
  } finally {
    await cluster.close();
    earlier?.remove();
  }
}

const UPGRADE_KEYS_MS = 50;

/** Three servers that are replaced while somebody types in a browser; then one is killed, and the database fails over. */
async function soakUpgrade(): Promise<boolean> {
  const browser = findBrowser();
  if (browser.type === 'missing') throw new Error(browser.reason);
  process.env['POSTHASTE_CHROMIUM'] = browser.path;
  await buildWeb();
  const earlier = values.previous === undefined ? null : buildEarlier(values.previous);
  try {
    const report = await runUpgrade({
      seed: first,
      say: (line) => console.log(line),
      ...(earlier === null ? {} : { main: earlier.main }),
    });
    const { typed, acknowledged, requests, keys, seen, failed } = report;
    console.log(
      `From ${earlier?.commit ?? 'today’s program'} to today’s: ${typed} tasks typed and ${acknowledged} operations acknowledged, each there once; ${requests} requests`,
    );
    console.log(
      `Key to picture, 95 of 100: ${keys.before.toFixed(0)} ms before, ${keys.upgrade.toFixed(0)} ms while they were replaced, ${keys.failures.toFixed(0)} ms while one and the database failed`,
    );
    console.log(`Answers that failed while they were replaced: ${failed.upgrade}; later: ${failed.failures}`);
    console.log(`Seen while they were replaced: ${seen.upgrade.join(', ') || 'nothing'}`);
    console.log(`Seen later: ${seen.failures.join(', ') || 'nothing'}`);
    return (
      seen.upgrade.length === 0 &&
      failed.upgrade === NONE_FAILED &&
      keys.upgrade <= keys.before + UPGRADE_KEYS_MS
    );
  } catch (error) {
    console.error(error);
    return false;
  } finally {
    earlier?.remove();
  }
}

const HISTORIES: readonly Mode[] = ['plain', 'mixed', 'scopes', 'shared'];
const histories = modes.filter((mode) => HISTORIES.includes(mode));
const minutes = readNumber(values.minutes, 'minutes', 10) / Math.max(1, histories.length);
const runs: Record<Mode, () => Promise<boolean>> = {
  plain: () => soakHistories('plain', minutes),
  mixed: () => soakHistories('mixed', minutes),
  scopes: () => soakHistories('scopes', minutes),
  shared: () => soakHistories('shared', minutes),
  kill: soakKills,
  cut: soakCuts,
  api: soakApi,
  keys: soakKeys,
  macros: soakMacros,
  scripts: soakScripts,
  faults: soakFaults,
  nodes: soakNodes,
  upgrade: soakUpgrade,
};
for (const mode of modes) {
  if (await runs[mode]()) continue;
  process.exitCode = 1;
  break;
}
