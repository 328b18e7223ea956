// `npm run site:check`: builds the site and says what is in it: routes, budgets, planned guides, every link or anchor that leads
// nowhere, and every width at which a page can be scrolled sideways. Ends with 1 when something is wrong.
import { buildSite } from './site-build.ts';
import { inspectSite } from './site/inspect.ts';
import { everyWidth, findSideways } from './site/sideways.ts';

await buildSite();
const report = inspectSite();
for (const line of report.lines) console.log(line);
const sideways = [
  ...(await findSideways({ widths: everyWidth, textSizes: [1] })),
  ...(await findSideways({ widths: everyWidth.filter((_, index) => index % 4 === 0), textSizes: [2] })),
];
const problems = [...report.problems, ...sideways.map((what) => `wider than its window: ${what}`)];
for (const problem of problems) console.log(`✖ ${problem}`);
console.log(problems.length === 0 ? 'The site is in order.' : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;
