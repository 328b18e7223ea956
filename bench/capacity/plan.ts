// From a day's work and the cost of each piece to machines and money, and to what breaks first when it grows.
import { MACHINES, type Prices } from './assumptions.ts';
import { type Day, MINUTES, peak, total, type Work, WORK } from './simulate.ts';
import type { Cost, Units } from './units.ts';

const MB = 1e6;
const DAYS = 30;
const YEAR = 365;

/** What everything costs at the busiest minute, and in a month. */
export interface Plan {
  readonly nodeCores: number;
  readonly databaseCores: number;
  readonly sockets: number;
  readonly operationsPerSecond: number;
  readonly noticesPerSecond: number;
  readonly nodes: number;
  readonly connections: number;
  readonly databaseGbAfterAYear: number;
  readonly objectGbAfterAYear: number;
  readonly trafficGb: number;
  readonly dollars: number;
}

/** Costs by kind of work. What a push costs is that of its first operation; the others come on top. */
function costs(units: Units): Readonly<Record<Work, Cost>> {
  const less = (of: keyof Cost) => Math.max(0, units.push[of] - units.operation[of]);
  const perThousand = (of: keyof Cost) => units.thousandRows[of] / 1_000;
  const cost = (read: (of: keyof Cost) => number): Cost => ({
    nodeMs: read('nodeMs'),
    databaseMs: read('databaseMs'),
    bytesOut: read('bytesOut'),
  });
  return {
    operations: units.operation,
    pushes: cost(less),
    deltas: units.delta,
    syncs: units.sync,
    rowsRead: cost(perThousand),
    requests: units.request,
    reminders: units.reminder,
    mailsIn: units.mailIn,
    mailsOut: units.mailOut,
  };
}

/** By minute: cores that are busy. */
function cores(day: Day, by: Readonly<Record<Work, Cost>>, of: 'nodeMs' | 'databaseMs'): Float64Array {
  const sum = new Float64Array(MINUTES);
  for (const kind of WORK)
    for (const [minute, count] of day.work[kind].entries())
      sum[minute] = (sum[minute] ?? 0) + (count * by[kind][of]) / 60_000;
  return sum;
}

export function planOf(day: Day, units: Units, prices: Prices): Plan {
  const by = costs(units);
  const nodeCores = peak(cores(day, by, 'nodeMs'));
  const databaseCores = peak(cores(day, by, 'databaseMs'));
  const sockets = peak(day.sockets);
  const perNode = (MACHINES.nodeMemoryGb * 1_000 - units.nodeMb) * 1_000 * MACHINES.busiest;
  // One may be gone.
  const nodes =
    1 + Math.max(Math.ceil(nodeCores / MACHINES.busiest), Math.ceil((sockets * units.socketKb) / perNode), 1);
  const traffic =
    (WORK.reduce((sum, kind) => sum + total(day.work[kind]) * by[kind].bytesOut, 0) / MB / 1_000) * DAYS;
  const databaseGb = (total(day.work.operations) * units.operationBytes * YEAR) / MB / 1_000;
  const objectGb = (day.filesMb * YEAR) / 1_000;
  const wanted = Math.ceil(databaseCores / MACHINES.busiest);
  const databaseMemory = Math.max(4, wanted * 8);
  // The database has a copy that takes over.
  const database = 2 * (wanted * prices.core + databaseMemory * prices.memoryGb + databaseGb * prices.diskGb);
  const node = MACHINES.nodeCores * prices.core + MACHINES.nodeMemoryGb * prices.memoryGb;
  return {
    nodeCores,
    databaseCores,
    sockets,
    operationsPerSecond: peak(day.work.operations) / 60,
    noticesPerSecond: peak(day.work.pushes) / 60,
    nodes,
    connections: nodes * MACHINES.connectionsPerNode,
    databaseGbAfterAYear: databaseGb,
    objectGbAfterAYear: objectGb,
    trafficGb: traffic,
    dollars: nodes * node + database + objectGb * prices.objectGb + traffic * prices.trafficGb,
  };
}

/** A bound that something runs into, and with how many accounts. */
export interface Bound {
  readonly what: string;
  readonly most: string;
  readonly accounts: number;
}

/** What breaks first, earliest before: everything here grows as the accounts do. */
export function bounds(plan: Plan, accounts: number): readonly Bound[] {
  const at = (what: string, reached: number, most: number, unit: string): Bound => ({
    what,
    most: `${most.toLocaleString('en')} ${unit}`,
    accounts: Math.floor((accounts * most) / reached),
  });
  return [
    at(
      'notices between nodes by PostgreSQL (then Valkey carries them)',
      plan.noticesPerSecond,
      MACHINES.notices,
      'a second',
    ),
    at(
      'connections to one database (then a pooler)',
      plan.connections,
      MACHINES.databaseConnections,
      'connections',
    ),
    at(
      'the processor of one database',
      plan.databaseCores,
      MACHINES.databaseCores * MACHINES.busiest,
      'cores busy',
    ),
    at('the disk of one database, after a year', plan.databaseGbAfterAYear, MACHINES.databaseDiskGb, 'GB'),
  ].toSorted((one, other) => one.accounts - other.accounts);
}
