// Serves the production build for another program's browser run (referee.mjs) and prints, as one line of JSON, all that
// run needs from here: address, seeding program, search keys and predicates. Ends when its input ends, so that it never
// outlives whoever started it. The one argument is the number of tasks.
import { buildWeb } from '../scripts/web-build.ts';
import { appPredicates } from './browser/app-predicates.ts';
import { bundleSeedProgram } from './browser/seed-bundle.ts';
import { datasetOf } from './datasets.ts';
import { startServerProcess } from './server/server-process.ts';
import { SEARCH_PREFIX, searchKey } from './tasks.ts';

const SEARCH_KEYS = 1_000;

const dataset = datasetOf(Number(process.argv[2] ?? '1000'));
// Standard output belongs to the one line.
console.log = console.error;
await buildWeb();
const seedProgram = await bundleSeedProgram();
const server = await startServerProcess();
const predicates = Object.fromEntries(
  Object.entries(appPredicates).map(([name, predicate]) => [name, predicate.toString()]),
);
const searchKeys = Array.from({ length: SEARCH_KEYS }, (_, at) => searchKey(at, dataset.tasks));
const offer = { url: server.url, dataset, seedProgram, predicates, searchPrefix: SEARCH_PREFIX, searchKeys };
process.stdout.write(`${JSON.stringify(offer)}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  void server.close().then(() => process.exit(0));
});
