// `npm run site:check`: builds the site and says what is in it: routes, budgets, planned guides, and every link or anchor that
// leads nowhere. Ends with 1 when something is wrong.
import { buildSite } from './site-build.ts';
import { inspectSite } from './site/inspect.ts';

await buildSite();
const report = inspectSite();
for (const line of report.lines) console.log(line);
for (const problem of report.problems) console.log(`✖ ${problem}`);
console.log(report.problems.length === 0 ? 'The site is in order.' : `${report.problems.length} problems.`);
process.exitCode = report.problems.length === 0 ? 0 : 1;
