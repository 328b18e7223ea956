// Searches of many kinds in a running app without a screen: from the key to the first results, how long the app was busy at
// a stretch meanwhile, and until all are found and in order.
import { performance } from 'node:perf_hooks';
import { NO_KEY } from '#client/keys/stroke.ts';
import { cpuMs, openApp } from '../engine/subject.ts';
import { say } from '../report.ts';
import { type Distribution, distributionOf } from '../statistics.ts';
import { PlainScan } from './plain-scan.ts';
import type { Rich } from './rows.ts';

/** What is asked, and another wording for every time, so that nothing is remembered. */
const SEARCHES: readonly (readonly [name: string, query: (at: number) => string])[] = [
  ['a word that most have', (at) => ['the', 'no.', 'e'][at % 3] as string],
  ['a word that one has', (at) => `no.${12_345 + at * 7}`],
  ['a word that none has', (at) => `zebra${at}`],
  ['two words, one in notes', (at) => `station ${10 + at}`],
  ['nearly all tasks', (at) => `is:incomplete -no.${1_000 + at}`],
  ['nearly all, by due date', (at) => `-no.${1_000 + at} sort:due-date`],
  ['nearly all, by title', (at) => `-no.${2_000 + at} sort:alphabetically-desc`],
  ['due today or earlier', (at) => `is:due -no.${at} sort:due-date`],
  ['due in a range of days', (at) => `due:-${at + 1}d..${at + 9}d is:open`],
  ['a label in a list', (at) => `label:"Label ${at % 8}" in:"List ${at + 1}"`],
  ['alternatives', (at) => `(label:"Label ${at % 8}" OR is:overdue OR has:notes) -duration:<${at + 5}m`],
  ['nested, with notes', (at) => `is:nested has:notes ${at}`],
  ['made lately', (at) => `created:"last ${at + 3} days" sort:creation-date-desc`],
  ['completed lately', (at) => `completed:"last ${at + 3} days"`],
  ['metadata', (at) => `meta:ticket=${at * 31}`],
];

export interface SearchTimes {
  readonly name: string;
  readonly first: Distribution;
  /** Every one of them. */
  readonly firsts: readonly number[];
  readonly all: Distribution;
  /** The most the app used of a core at a stretch. */
  readonly longest: number;
  readonly plain: number;
  readonly found: number;
}

const TIMES = 12;

export async function timeSearches({ rows }: Rich, plainTimes: number): Promise<readonly SearchTimes[]> {
  const stretches: number[] = [];
  const subject = await openApp(rows, (ms) => stretches.push(ms));
  const { app } = subject;
  app.key(SLASH);
  await until(() => app.view.search.get() !== null);
  app.searchInput('zzz');
  await settled(app);
  const times: (Omit<SearchTimes, 'plain'> & { readonly query: (at: number) => string })[] = [];
  for (const [name, query] of SEARCHES) {
    const first: number[] = [];
    const all: number[] = [];
    let longest = 0;
    for (let at = 0; at < TIMES; at += 1) {
      app.searchInput('');
      await settled(app);
      stretches.length = 0;
      const startedAt = performance.now();
      const before = cpuMs();
      app.searchInput(query(at));
      stretches.push(cpuMs() - before);
      await until(() => app.view.rows.count.get() > 0 || app.view.header.get().count !== null);
      first.push(performance.now() - startedAt);
      await settled(app);
      all.push(performance.now() - startedAt);
      // The first time what is asked is compiled.
      if (at > 1) longest = Math.max(longest, ...stretches);
    }
    const found = app.view.header.get().count ?? 0;
    times.push({
      name,
      query,
      first: distributionOf(first),
      firsts: first,
      all: distributionOf(all),
      longest,
      found,
    });
    say(`searches: ${name}`);
  }
  await subject.close();
  // Afterwards, so that what it leaves to be collected is not collected while the app is timed.
  const plain = new PlainScan(rows);
  return times.map(({ query, ...one }) => {
    const spent = Array.from({ length: plainTimes }, (_, at) => {
      const startedAt = performance.now();
      plain.find(query(at));
      return performance.now() - startedAt;
    });
    return { ...one, plain: Math.min(...spent) };
  });
}

const SLASH = { ...NO_KEY, key: '/', code: 'Slash', keyCode: 191 };

type Subject = Awaited<ReturnType<typeof openApp>>['app'];

async function settled(app: Subject): Promise<void> {
  await until(() => app.view.header.get().count !== null);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
