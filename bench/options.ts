// What `npm run bench` may be told.
import { parseArgs } from 'node:util';
import { type Dataset, datasetOf, parseDataset } from './datasets.ts';

export const USAGE = `npm run bench -- [options]
  --quick            fewer keys, one run, 1,000 and 10,000 tasks
  --sizes 1000,100000/200
                     numbers of tasks, "/200" spreads them over so many lists
  --runs 3           runs pooled for each figure of the browser
  --keys 70          measured keys per interaction and run
  --seconds 300      how long the crowd pushes
  --database postgres
                     the servers of server, api, and live keep their data in PostgreSQL instead of SQLite, and so do the bare ones
  --only move,start  parts (browser, bundle, engine, scopes, bulk, import, sealing, palette-keys, queries, server, api, mail, site, public-list, live, presence, fan-out, polls, moves, sharing, return, crowd, nodes-crowd, first, calendar, desktop), parts of the crowd
                     (crowd-idle, crowd-busy, crowd-storm, crowd-start), or interactions of the browser
                     (move, toggle, type, create, search, palette, indent, "move task", undo, held, start)`;

export interface Options {
  readonly quick: boolean;
  readonly database: 'sqlite' | 'postgres';
  readonly datasets: readonly Dataset[];
  readonly runs: number;
  readonly keys: number;
  /** Of the crowd's pushing. */
  readonly seconds: number;
  /** What of the crowd was asked for. */
  readonly crowd: readonly CrowdPart[];
  /** Whether a part, or an interaction inside the browser part, was asked for. */
  readonly wants: (part: Part) => boolean;
  readonly wantsInteraction: (name: string) => boolean;
}

const PARTS = [
  'browser',
  'bundle',
  'engine',
  'scopes',
  'palette-keys',
  'bulk',
  'import',
  'sealing',
  'queries',
  'server',
  'api',
  'mail',
  'site',
  'public-list',
  'live',
  'presence',
  'fan-out',
  'polls',
  'moves',
  'sharing',
  'return',
  'crowd',
  'nodes-crowd',
  'first',
  'calendar',
  'desktop',
] as const;
export type Part = (typeof PARTS)[number];
const CROWD_PARTS = ['crowd-idle', 'crowd-busy', 'crowd-storm', 'crowd-start'] as const;
export type CrowdPart = (typeof CROWD_PARTS)[number];

const STANDARD = [datasetOf(1_000), datasetOf(10_000), datasetOf(100_000), datasetOf(100_000, 200)];
const QUICK = [datasetOf(1_000), datasetOf(10_000)];

function positive(text: string, name: string): number | string {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : `--${name} is not a positive number: ${text}`;
}

/** The message says what is wrong. */
export function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      sizes: { type: 'string' },
      runs: { type: 'string' },
      keys: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      database: { type: 'string', default: 'sqlite' },
    },
  });
  const { quick, database } = values;
  if (database !== 'sqlite' && database !== 'postgres')
    return `--database is sqlite or postgres, not ${JSON.stringify(database)}`;
  const sizes = values.sizes?.split(',').map((text) => parseDataset(text) ?? text);
  const wrong = sizes?.find((size) => typeof size === 'string');
  if (wrong !== undefined)
    return `--sizes: ${JSON.stringify(wrong)} is not like 10000 or 100000/200, with 100 tasks or more`;
  const runs = positive(values.runs ?? (quick ? '1' : '3'), 'runs');
  const keys = positive(values.keys ?? (quick ? '30' : '70'), 'keys');
  if (typeof runs === 'string') return runs;
  if (typeof keys === 'string') return keys;
  const seconds = positive(values.seconds ?? (quick ? '10' : '60'), 'seconds');
  if (typeof seconds === 'string') return seconds;
  const only = values.only?.split(',').map((name) => name.trim()) ?? [];
  const isPart = (name: string): boolean => [...PARTS, ...CROWD_PARTS].some((part) => part === name);
  const isCrowd = only.length === 0 || only.includes('crowd');
  const crowd = CROWD_PARTS.filter((part) => isCrowd || only.includes(part));
  const interactions = only.filter((name) => !isPart(name));
  return {
    quick,
    database,
    datasets: sizes?.filter((size) => typeof size !== 'string') ?? (quick ? QUICK : STANDARD),
    runs,
    keys,
    seconds,
    crowd,
    wants: (part) =>
      only.length === 0 ||
      only.includes(part) ||
      (part === 'browser' && interactions.length > 0) ||
      (part === 'crowd' && crowd.length > 0),
    wantsInteraction: (name) => interactions.length === 0 || interactions.includes(name),
  };
}
