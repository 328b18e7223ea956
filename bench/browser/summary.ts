// From the sessions of all runs to tables and figures: samples of the runs are pooled for times, and CPU is the median
// of the runs' own medians, because it moves least with the machine's noise.
import type { Dataset } from '../datasets.ts';
import { type Cell, type Gate, print, show, table } from '../report.ts';
import { type Distribution, distributionOf, median } from '../statistics.ts';
import type { InteractionSamples } from './keystrokes.ts';
import type { Session } from './session.ts';
import type { StartUp } from './start-up.ts';
import { INTERACTIONS, type InteractionName } from './subject.ts';

interface Figures {
  readonly done: Distribution;
  readonly eventP95: number;
  readonly over50: number;
  readonly cpu: number;
  readonly script: number;
  readonly lost: number;
}

function figuresOf(samples: readonly InteractionSamples[]): Figures {
  const done = samples.flatMap((one) => one.done);
  return {
    done: distributionOf(done),
    eventP95: distributionOf(samples.flatMap((one) => one.event)).p95,
    over50: done.filter((ms) => ms > 50).length / done.length,
    cpu: median(samples.map((one) => median(one.cpu))),
    script: median(samples.map((one) => median(one.script))),
    lost: samples.reduce((sum, one) => sum + one.lost + one.void, 0),
  };
}

function samplesOf(sessions: readonly Session[], name: InteractionName): readonly InteractionSamples[] {
  return sessions.flatMap((session) => session.interactions[name] ?? []);
}

const times = ({ p50, p95, p99 }: Distribution) => `${show(p50)} / ${show(p95)} / ${show(p99)}`;

function interactionGates(name: string, app: Figures, limit: Figures): Gate[] {
  const gate = (what: string, reached: number, bound: number): Gate => ({
    name: `${name}: ${what}`,
    reached,
    bound,
    unit: 'ms',
    kind: 'at most',
  });
  return [
    gate('p50, 2 × limit', app.done.p50, 2 * limit.done.p50),
    gate('p95, limit + 8', app.done.p95, limit.done.p95 + 8),
    gate('p99, 50 or limit + 10', app.done.p99, Math.max(50, limit.done.p99 + 10)),
    gate('CPU, limit + 5', app.cpu, limit.cpu + 5),
    { ...gate('keys without a valid result', app.lost, 0), unit: '' },
  ];
}

function keysTable(dataset: Dataset, limits: readonly Session[], apps: readonly Session[]): Gate[] {
  const gates: Gate[] = [];
  const rows: Cell[][] = [];
  for (const name of INTERACTIONS) {
    const limitSamples = samplesOf(limits, name);
    const appSamples = samplesOf(apps, name);
    if (limitSamples.length === 0 || appSamples.length === 0) continue;
    const limit = figuresOf(limitSamples);
    const app = figuresOf(appSamples);
    gates.push(...interactionGates(`${dataset.name}, ${name}`, app, limit));
    rows.push([
      name,
      times(limit.done),
      times(app.done),
      `${(app.done.p50 / limit.done.p50).toFixed(1)} / ${(app.done.p95 / limit.done.p95).toFixed(1)}`,
      `${show(limit.cpu)}, ${show(app.cpu)} (${show(app.script)})`,
      app.eventP95,
      `${(app.over50 * 100).toFixed(1)} %`,
      app.done.count,
    ]);
  }
  const head = [
    'key',
    'limit',
    'Posthaste',
    'ratio p50 / p95',
    'CPU limit, Posthaste (script)',
    'event p95',
    'over 50 ms',
    'keys',
  ];
  if (rows.length > 0) print(table(head, rows));
  return gates;
}

function heldTable(dataset: Dataset, sessions: readonly Session[]): Gate[] {
  const held = sessions.flatMap(({ subject, held: one }) => (one ? [{ subject, ...one }] : []));
  if (held.length === 0) return [];
  const rows = held.map((one) => [
    one.subject,
    distributionOf(one.paints).p95,
    one.catchUp,
    `${one.positions} of ${one.repeats}`,
  ]);
  print(table(['↓ held at 30 Hz', 'key to frame p95', 'catch-up ms', 'positions painted'], rows));
  const catchUps = held.filter(({ subject }) => subject === 'Posthaste').map(({ catchUp }) => catchUp);
  return [
    {
      name: `${dataset.name}, held ↓: catch-up`,
      reached: median(catchUps),
      bound: 50,
      unit: 'ms',
      kind: 'at most',
    },
  ];
}

function startTable(dataset: Dataset, groups: readonly (readonly Session[])[]): Gate[] {
  const rows: Cell[][] = [];
  const gates: Gate[] = [];
  for (const sessions of groups) {
    const [first] = sessions;
    if (!first || first.cold.length === 0) continue;
    for (const kind of ['cold', 'warm'] as const) {
      const loads = sessions.flatMap((session) => session[kind]);
      const of = (name: keyof StartUp) => median(loads.map((load) => load[name]));
      rows.push([
        `${first.subject}, ${kind}`,
        of('visible'),
        of('firstKey'),
        of('complete'),
        of('bytes') / 1_024,
        of('requests'),
      ]);
      if (first.subject !== 'Posthaste' || kind !== 'cold') continue;
      const bound = dataset.tasks <= 1_000 ? 500 : 900;
      gates.push({
        name: `${dataset.name}: cold load to first key`,
        reached: of('firstKey'),
        bound,
        unit: 'ms',
        kind: 'at most',
      });
    }
  }
  const head = ['start-up, ms', 'rows on screen', 'first key’s result', 'all in memory', 'kB', 'requests'];
  if (rows.length > 0) print(table(head, rows));
  return gates;
}

function weightTable(dataset: Dataset, sessions: readonly Session[]): Gate[] {
  const rows = sessions.map(({ subject, heapBytes, nodes, conditions, errors }) => [
    subject,
    heapBytes / 2 ** 20,
    nodes,
    `${show(conditions.calibrationMs)}, ${show(conditions.load)}`,
    errors.length === 0 ? 'none' : errors.join(' | '),
  ]);
  print(table(['session', 'heap MB', 'DOM nodes', 'calibration ms, load', 'uncaught errors'], rows));
  const heaps = sessions
    .filter(({ subject }) => subject === 'Posthaste')
    .map(({ heapBytes }) => heapBytes / 2 ** 20);
  return [{ name: `${dataset.name}: heap`, reached: median(heaps), bound: 120, unit: 'MB', kind: 'at most' }];
}

/** Prints what was measured for one dataset; returns its figures. */
export function reportDataset(dataset: Dataset, sessions: readonly Session[]): Gate[] {
  const limits = sessions.filter(({ subject }) => subject !== 'Posthaste');
  const apps = sessions.filter(({ subject }) => subject === 'Posthaste');
  print(`### ${dataset.name} tasks: key to visible result, ms, p50 / p95 / p99; main-thread CPU per key, ms`);
  return [
    ...keysTable(dataset, limits, apps),
    ...heldTable(dataset, sessions),
    ...startTable(dataset, [limits, apps]),
    ...weightTable(dataset, sessions),
  ];
}

/** The number of elements must not depend on the number of tasks. */
export function nodeGate(sessions: readonly Session[]): Gate[] {
  // A list of fewer rows, or another sidebar, is another page: only lists alike are compared.
  const alike = sessions.filter(({ subject, dataset }) => subject === 'Posthaste' && dataset.lists === 1);
  const counts = alike.map(({ nodes }) => nodes);
  if (new Set(alike.map(({ dataset }) => dataset.tasks)).size < 2) return [];
  const reached = Math.max(...counts) / Math.min(...counts);
  return [
    { name: 'DOM nodes, most over fewest of all sizes', reached, bound: 1.1, unit: '×', kind: 'at most' },
  ];
}
