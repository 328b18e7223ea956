// The capacity page: a day of a million accounts and more, from what one of each kind of work costs, to machines, money, and what breaks
// first. `npx node bench/capacity/run.ts [--quick] [--write]`: `--write` puts it into docs/capacity.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { must } from '#core/assert.ts';
import { ROOT } from '../../scripts/files.ts';
import { conditions, describeMachine } from '../machine.ts';
import { print, say, show, table } from '../report.ts';
import { PEOPLE, PRICES } from './assumptions.ts';
import { measureUnits } from './measure.ts';
import { bounds, type Plan, planOf } from './plan.ts';
import { simulate } from './simulate.ts';
import type { Cost, Units } from './units.ts';

const ACCOUNTS = [100_000, 1_000_000, 3_000_000];
/** The bounds are computed for so many. */
const OF_INTEREST = 1_000_000;
const SEED = 26;
const PAGE = join(ROOT, 'docs/capacity.md');
const PLACE = /(?<=<!-- capacity -->\n)[\s\S]*(?=<!-- \/capacity -->)/;

const NAMES: readonly (readonly [keyof Units, string])[] = [
  ['push', 'a push with one operation'],
  ['operation', 'each further operation in it'],
  ['delta', 'a change told to one socket'],
  ['sync', 'an app that opens: news asked for, socket opened'],
  ['thousandRows', 'a thousand rows read by a new device'],
  ['request', 'a request of a program (one in three a list, two a change)'],
  ['reminder', 'a reminder pushed'],
  ['mailIn', 'an email that becomes a task'],
];

function unitsTable(units: Units): string {
  const rows = NAMES.map(([kind, name]) => {
    const { nodeMs, databaseMs } = units[kind] as Cost;
    return [name, nodeMs, databaseMs];
  });
  return [
    table(['', 'node, ms', 'database, ms'], rows),
    '',
    `A node takes ${show(units.nodeMb, 'MB')} and ${show(units.socketKb, 'KB')} for each open socket; an operation leaves ${show(units.operationBytes)} bytes in the database, history and indexes included, tables without holes.`,
  ].join('\n');
}

const COLUMNS: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['Operations a second, busiest minute', ({ operationsPerSecond }) => show(operationsPerSecond)],
  ['Open sockets', ({ sockets }) => show(sockets)],
  ['Cores busy in nodes', ({ nodeCores }) => show(nodeCores)],
  ['Cores busy in the database', ({ databaseCores }) => show(databaseCores)],
  ['Nodes, one of them to spare', ({ nodes }) => String(nodes)],
  ['Database after a year', ({ databaseGbAfterAYear }) => show(databaseGbAfterAYear, 'GB')],
  ['Files after a year', ({ objectGbAfterAYear }) => show(objectGbAfterAYear, 'GB')],
  ['Traffic a month', ({ trafficGb }) => show(trafficGb, 'GB')],
  ['Dollars a month', ({ dollars }) => show(dollars)],
];

function plansTable(plans: ReadonlyMap<number, Plan>): string {
  const head = ['', ...Array.from(plans.keys(), (accounts) => `${accounts.toLocaleString('en')} accounts`)];
  return table(
    head,
    COLUMNS.map(([name, read]) => [name, ...Array.from(plans.values(), read)]),
  );
}

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, write: { type: 'boolean' } } });
const units = await measureUnits(values.quick === true ? 3 : 10);
const { load, calibrationMs } = conditions();
const plans = new Map<number, Plan>();
for (const accounts of ACCOUNTS) {
  say(`capacity: a day of ${accounts.toLocaleString('en')} accounts`);
  plans.set(accounts, planOf(simulate(accounts, PEOPLE, SEED), units, PRICES));
}
const first = bounds(must(plans.get(OF_INTEREST), 'it is one of them'), OF_INTEREST);
const text = [
  `Measured on ${describeMachine()}, ${new Date().toISOString().slice(0, 10)}; load ${show(load)}, calibration ${show(calibrationMs, 'ms')}.`,
  unitsTable(units),
  plansTable(plans),
  table(
    ['What runs out', 'at', 'accounts'],
    first.map(({ what, most, accounts }) => [what, most, `${(accounts / 1e6).toFixed(1)} million`]),
  ),
].join('\n\n');
print(`## Capacity\n\n${text}`);
if (values.write === true)
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(PLACE, () => `\n${text}\n\n`),
  );
