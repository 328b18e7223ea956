// The part without a browser: what a key, an operation and a load cost in the app's own code, and how that grows with the
// number of tasks. Growth is the price at ten times the tasks over the price at one.
import { type Dataset, datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Cell, type Gate, print, say, show, table } from '../report.ts';
import type { Distribution } from '../statistics.ts';
import { timeKeys } from './keys.ts';
import { timeReplica } from './replication.ts';
import { datasetRows, openApp } from './subject.ts';

const COUNT = 200;
const QUICK_COUNT = 60;
/** What the app's own code may take of a frame. */
const KEY_BUDGET_MS = 8;

interface Measured {
  readonly dataset: Dataset;
  readonly steps: ReadonlyMap<string, Distribution>;
  readonly firstRowsMs: number;
  readonly loadedMs: number;
  readonly load: number;
}

async function measure(dataset: Dataset, count: number): Promise<Measured> {
  say(`engine: ${dataset.name} tasks`);
  const rows = datasetRows(dataset);
  const subject = await openApp(rows);
  const steps = new Map([...timeKeys(subject, dataset.tasks, count), ...timeReplica(rows, count)]);
  await subject.close();
  const { firstRowsMs, loadedMs } = subject;
  return { dataset, steps, firstRowsMs, loadedMs, load: conditions().load };
}

function report(measured: readonly Measured[]): void {
  const names = [...(measured[0]?.steps.keys() ?? [])];
  const growth = (name: string): Cell[] =>
    measured.slice(1).map((one, at) => {
      const before = measured[at]?.steps.get(name)?.p50 ?? Number.NaN;
      return `${((one.steps.get(name)?.p50 ?? Number.NaN) / before).toFixed(1)} ×`;
    });
  const rows = names.map((name) => [
    name,
    ...measured.map(({ steps }) => {
      const { p50, p95 } = steps.get(name) ?? { p50: Number.NaN, p95: Number.NaN };
      return `${show(p50)} / ${show(p95)}`;
    }),
    ...growth(name),
  ]);
  const sizes = measured.map(({ dataset, load }) => `${dataset.name} (load ${load.toFixed(1)})`);
  const steps = measured.slice(1).map(({ dataset }) => `growth to ${dataset.name}`);
  print('## In the engine, no browser: ms, p50 / p95');
  print(table(['', ...sizes, ...steps], rows));
  const loads = measured.map(({ dataset, firstRowsMs, loadedMs }) => [dataset.name, firstRowsMs, loadedMs]);
  print(table(['rows from memory', 'first rows ms', 'all ms'], loads));
}

export async function runEngineSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  const measured: Measured[] = [];
  for (const tasks of sizes) measured.push(await measure(datasetOf(tasks), quick ? QUICK_COUNT : COUNT));
  report(measured);
  return measured.flatMap(({ dataset, steps }) =>
    [...steps].map(([name, { p95 }]): Gate => ({
      name: `engine, ${dataset.name} tasks, ${name}: p95`,
      reached: p95,
      bound: KEY_BUDGET_MS,
      unit: 'ms',
      kind: 'at most',
    })),
  );
}
