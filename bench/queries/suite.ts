// Dates and search: words for dates, repeats, searches at 100,000 and 1,000,000 tasks beside a plain scan of the same rows
// in the same run, and smart lists that follow edits. No browser: what is drawn comes on top.
import { conditions } from '../machine.ts';
import { type Cell, type Gate, isMet, print, say, show, table } from '../report.ts';
import { percentile } from '../statistics.ts';
import { richRows } from './rows.ts';
import { type SearchTimes, timeSearches } from './searches.ts';
import { timeSmart } from './smart.ts';
import { timeWords } from './words.ts';

const FRAME_MS = 16.7;
/** No key waits longer for work that the app does by itself. */
const STRETCH_MS = 8;

const atMost = (name: string, reached: number, bound: number, unit: string): Gate => ({
  name,
  reached,
  bound,
  unit,
  kind: 'at most',
});

const verdict = (gate: Gate): Cell => (isMet(gate) ? 'met' : 'not met');

function words(rounds: number): Gate[] {
  const bounds: Readonly<Record<string, number>> = { 'read a date': 50, 'next occurrence': 20 };
  const gates: Gate[] = [];
  const rows = [...timeWords(rounds)].map(([name, { p50, p95, p99 }]): Cell[] => {
    const bound = bounds[name];
    if (bound === undefined) return [name, p50, p95, p99, null, null];
    const gate = atMost(`${name}: p95`, p95, bound, 'µs');
    gates.push(gate);
    return [name, p50, p95, p99, `≤ ${bound}`, verdict(gate)];
  });
  print('### Words for dates: µs');
  print(table(['', 'p50', 'p95', 'p99', 'limit of p95', ''], rows));
  return gates;
}

function searchGates(size: string, times: readonly SearchTimes[], tasks: number): Gate[] {
  const all = times.flatMap(({ firsts }) => firsts);
  const name = `search, ${size} tasks, first results, all kinds together`;
  if (tasks > 100_000) {
    const longest = percentile(
      times.map((one) => one.longest),
      0.5,
    );
    return [
      atMost(`${name}: p95`, percentile(all, 0.95), 100, 'ms'),
      atMost(`search, ${size} tasks, longest stretch, median of the kinds`, longest, 2 * STRETCH_MS, 'ms'),
    ];
  }
  return [
    atMost(`${name}: p95`, percentile(all, 0.95), FRAME_MS, 'ms'),
    atMost(`${name}: p99`, percentile(all, 0.99), 50, 'ms'),
  ];
}

async function searches(tasks: number, plainTimes: number): Promise<Gate[]> {
  const rich = richRows(tasks);
  say(`searches: ${rich.dataset.name} tasks`);
  const times = await timeSearches(rich, plainTimes);
  const { load } = conditions();
  const limit = tasks > 100_000 ? 100 : FRAME_MS;
  const rows = times.map(({ name, first, all, longest, plain, found }): Cell[] => [
    name,
    `${show(first.p50)} / ${show(first.p95)}`,
    first.p95 <= limit ? 'met' : 'not met',
    `${show(all.p50)} / ${show(all.p95)}`,
    longest,
    plain,
    `${(plain / first.p50).toFixed(0)} × / ${(plain / all.p50).toFixed(1)} ×`,
    found,
  ]);
  print(
    `### Searches of ${rich.dataset.name}: ms, p50 / p95 (load ${load.toFixed(1)}; limit of the first results ${limit} ms)`,
  );
  const head = [
    'asked for',
    'key to first results',
    '',
    'to all in order',
    'longest stretch (CPU)',
    'plain scan',
    'plain to first / all',
    'found',
  ];
  print(table(head, rows));
  return searchGates(rich.dataset.name, times, tasks);
}

function smartLists(tasks: number, edits: number): Gate[] {
  const rich = richRows(tasks);
  const gates: Gate[] = [];
  const rows = ([1, 50] as const).map((lists): Cell[] => {
    say(`smart lists: ${lists} over ${rich.dataset.name} tasks`);
    const { edit, counted, portions } = timeSmart(rich, lists, edits);
    const gate = atMost(
      `smart lists, ${lists} over ${rich.dataset.name} tasks, an edit: p95`,
      edit.p95,
      lists === 1 ? 1 : 2,
      'ms',
    );
    const stretch = atMost(`smart lists, ${lists} counted, a stretch: p95`, portions.p95, STRETCH_MS, 'ms');
    gates.push(gate, stretch);
    return [
      lists,
      `${show(edit.p50)} / ${show(edit.p95)} / ${show(edit.p99)}`,
      `≤ ${gate.bound}`,
      verdict(gate),
      counted,
      `${show(portions.p95)} / ${show(portions.max)}`,
      verdict(stretch),
    ];
  });
  print(`### Smart lists over ${rich.dataset.name} tasks: ms (load ${conditions().load.toFixed(1)})`);
  const head = [
    'lists',
    'an edit, p50 / p95 / p99',
    'limit',
    '',
    'all counted (CPU)',
    `a stretch, p95 (limit ${STRETCH_MS}) / longest`,
    '',
  ];
  print(table(head, rows));
  return gates;
}

export async function runQueriesSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  print('## Dates and search, no browser');
  const gates = words(quick ? 40 : 400);
  gates.push(...(await searches(100_000, quick ? 1 : 3)));
  gates.push(...smartLists(100_000, quick ? 200 : 1_000));
  if (!quick) gates.push(...(await searches(1_000_000, 1)));
  return gates;
}
