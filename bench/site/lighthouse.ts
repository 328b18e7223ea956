// How Lighthouse judges the site: `node bench/site/lighthouse.ts [options] <folder with lighthouse installed> [path …]`. Lighthouse is
// large and nothing else needs it, so it is not among our dependencies: `npm install --prefix <folder> lighthouse@13.5.0`, with the
// pinned Node first in the PATH. Ends with 1 when a figure is missed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/files.ts';
import { buildSite } from '../../scripts/site-build.ts';
import { buildWeb } from '../../scripts/web-build.ts';
import { runAdmin } from '../../src/server/admin-commands.ts';
import { DATABASE_FILE } from '../../src/server/data/location.ts';
import { conditions, describeMachine } from '../machine.ts';
import { type Gate, print, printGates, say, show, table } from '../report.ts';
import { startProgram } from '../server/server-process.ts';
import { CATEGORIES, type Form, FORMS, type Judgement, judge, loadTool } from './lighthouse-tool.ts';
import { PAGES } from './pages.ts';

const USAGE = `node bench/site/lighthouse.ts [options] <folder> [path …]
  --runs 3           of each page; the median counts
  --form mobile      or desktop; both without it
  --write            puts the tables into docs/site.md`;

const CODE = 'LIGHTHOUSE';
/** Those that React takes over. */
const ALIVE = [`/a/${CODE}`, '/invite', '/reset-password'];
/** The page of a public list, whose token is known once there is one. */
const PUBLIC_LIST = '/p/…';
const PERSON = 'person@example.org';
/** Pages that search engines are asked to leave out lose points for being left out. */
const HIDDEN = [...ALIVE, PUBLIC_LIST];
const SITE_DOCS = join(ROOT, 'docs/site.md');
const PLACE = /(?<=<!-- lighthouse -->\n)[\s\S]*(?=<!-- \/lighthouse -->)/;
const HEAD = [
  'Page',
  'Performance',
  'Accessibility',
  'Best practices',
  'SEO',
  'LCP ms',
  'of it network',
  'CLS',
  'TBT ms',
];

function gatesOf(path: string, form: Form, judged: Judgement): readonly Gate[] {
  const isAlive = ALIVE.includes(path);
  const name = (figure: string) => `${path}, ${form}: ${figure}`;
  const score = (category: string, bound: number): Gate => ({
    name: name(category),
    reached: judged.scores[category] ?? 0,
    bound,
    unit: '',
    kind: 'at least',
  });
  const most = (figure: string, reached: number, bound: number, unit: string): Gate => ({
    name: name(figure),
    reached,
    bound,
    unit,
    kind: 'at most',
  });
  return [
    score('performance', isAlive ? 95 : 100),
    score('accessibility', 100),
    score('best-practices', 100),
    ...(HIDDEN.includes(path) ? [] : [score('seo', 100)]),
    most('LCP', judged.lcpMs, 1_200, 'ms'),
    most('CLS', judged.cls, 0, ''),
    most('TBT', judged.tbtMs, 50, 'ms'),
  ];
}

function rowOf(path: string, { scores, lcpMs, networkMs, cls, tbtMs }: Judgement): readonly string[] {
  const isHidden = HIDDEN.includes(path);
  return [
    `\`${path.replace(CODE, '…')}\``,
    ...CATEGORIES.map((name) => (isHidden && name === 'seo' ? '' : String(scores[name]))),
    Math.round(lcpMs).toLocaleString('en'),
    Math.round(networkMs).toLocaleString('en'),
    cls === 0 ? '0' : cls.toFixed(3),
    String(Math.round(tbtMs)),
  ];
}

interface Options {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly runs: number;
  readonly forms: readonly Form[];
  readonly isWriting: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '3' },
      form: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const [folder, ...only] = positionals;
  const runs = Number(values.runs);
  const forms = FORMS.filter((form) => values.form === undefined || form === values.form);
  if (folder === undefined || !Number.isInteger(runs) || runs < 1 || forms.length === 0)
    throw new Error(USAGE);
  return {
    folder,
    paths: only.length > 0 ? only : [...PAGES, ...HIDDEN],
    runs,
    forms,
    isWriting: values.write,
  };
}

/** The site with everything that the pages show, on a free port. */
async function withSite<T>(work: (addressOf: (path: string) => string) => Promise<T>): Promise<T> {
  await buildWeb();
  await buildSite();
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-data-'));
  const environment = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'off' };
  const admin = async (...words: readonly string[]): Promise<string> => {
    let said = '';
    const print = (line: string) => {
      said += line;
      say(line);
    };
    const readPassword = () => Promise.resolve('a long walk in the rain');
    await runAdmin([...words], { environment, print, readPassword });
    return said;
  };
  await admin('promo', 'add', CODE, '25', '12', '30', 'A', 'partner');
  const server = await startProgram('src/server/main.ts', dataDir);
  try {
    await admin('user', 'add', PERSON);
    // As if they had followed the link of the letter.
    const database = new DatabaseSync(join(dataDir, DATABASE_FILE));
    database.exec('PRAGMA busy_timeout = 5000; UPDATE account SET verified_at = 1');
    database.close();
    const list = /\/p\/[\w-]+/.exec(await admin('example-list', PERSON))?.[0];
    if (list === undefined) throw new Error('There is no example of a public list.');
    return await work((path) => server.url + (path === PUBLIC_LIST ? list : path));
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Report {
  readonly text: string;
  readonly gates: readonly Gate[];
}

async function judgeAll({ folder, paths, runs, forms }: Options): Promise<Report> {
  const tool = await loadTool(folder);
  return withSite(async (addressOf) => {
    const gates: Gate[] = [];
    const tables: string[] = [];
    let version = '';
    for (const form of forms) {
      const rows: (readonly string[])[] = [];
      for (const path of paths) {
        say(`${path}, ${form}`);
        const judged = await judge(tool, addressOf(path), { form, runs });
        ({ version } = judged);
        const row = rowOf(path, judged);
        say(row.join(' | '));
        for (const fault of judged.faults) say(`  ${fault}`);
        rows.push(row);
        gates.push(...gatesOf(path, form, judged));
      }
      tables.push(`As a ${form === 'mobile' ? 'phone' : 'desktop computer'}:\n\n${table(HEAD, rows)}`);
    }
    const day = new Date().toISOString().slice(0, 10);
    const said = `Lighthouse ${version}, median of ${runs} runs, ${day}. ${describeMachine()}, load ${show(conditions().load)}.`;
    return { gates, text: [said, ...tables].join('\n\n') };
  });
}

async function main(args: readonly string[]): Promise<boolean> {
  const options = readOptions(args);
  const { text, gates } = await judgeAll(options);
  print(text);
  if (options.isWriting) {
    const docs = readFileSync(SITE_DOCS, 'utf8');
    if (!PLACE.test(docs)) throw new Error('docs/site.md has no place for the tables.');
    writeFileSync(
      SITE_DOCS,
      docs.replace(PLACE, () => `\n${text}\n\n`),
    );
  }
  return printGates(gates);
}

process.exit((await main(process.argv.slice(2))) ? 0 : 1);
