// `npm run bench`: measures what was asked for, prints markdown, and fails when a figure is not reached.
import { runApiSuite } from './api/suite.ts';
import { runCalendarSuite } from './browser/calendar.ts';
import { runFirstSyncSuite } from './browser/first-sync.ts';
import { runBrowserSuite } from './browser/suite.ts';
import { runBundleSuite } from './bundle.ts';
import { runDesktopSuite } from './desktop/suite.ts';
import { runPaletteSuite } from './engine/palette.ts';
import { runBulkSuite } from './engine/bulk.ts';
import { runImportSuite } from './engine/importing.ts';
import { runScopesSuite } from './engine/scopes.ts';
import { runSealingSuite } from './engine/sealing.ts';
import { runEngineSuite } from './engine/suite.ts';
import { startPostgres } from '../test/contracts/postgres-instance.ts';
import { conditions, describeMachine } from './machine.ts';
import { readOptions, USAGE } from './options.ts';
import { type Gate, print, printGates, show } from './report.ts';
import { runMailSuite } from './mail/suite.ts';
import { runQueriesSuite } from './queries/suite.ts';
import { runCrowdSuite } from './server/crowd.ts';
import { runNodesCrowdSuite } from './server/nodes-crowd.ts';
import { runFanOutSuite } from './server/fan-out.ts';
import { runLiveSuite } from './server/live.ts';
import { runMoveSuite } from './server/moves.ts';
import { runSharingSuite } from './server/sharing.ts';
import { runPollSuite } from './server/polls.ts';
import { runPresenceSuite } from './server/presence.ts';
import { runReturnSuite } from './server/return.ts';
import { keepInPostgres } from './server/server-process.ts';
import { runServerSuite } from './server/suite.ts';
import { runPublicListSuite } from './site/public-list.ts';
import { runSiteSuite } from './site/suite.ts';

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${USAGE}`);
  process.exit(2);
}

const before = conditions();
print(
  `Machine: ${describeMachine()}; calibration ${show(before.calibrationMs, 'ms')}, load ${show(before.load)}.`,
);
const postgres = options.database === 'postgres' ? await startPostgres({ isDurable: true }) : null;
// The server asks for a host in the address; the socket file is what counts.
if (postgres) keepInPostgres(async () => (await postgres.createDatabase()).replace('@/', '@localhost/'));
const gates: Gate[] = [];
if (options.wants('bundle')) gates.push(...(await runBundleSuite()));
if (options.wants('engine')) gates.push(...(await runEngineSuite(options)));
if (options.wants('scopes')) gates.push(...(await runScopesSuite(options)));
if (options.wants('palette-keys')) gates.push(...(await runPaletteSuite(options)));
if (options.wants('bulk')) gates.push(...(await runBulkSuite(options)));
if (options.wants('import')) gates.push(...(await runImportSuite()));
if (options.wants('sealing')) gates.push(...runSealingSuite(options));
if (options.wants('queries')) gates.push(...(await runQueriesSuite(options)));
if (options.wants('server')) gates.push(...(await runServerSuite(options)));
if (options.wants('api')) gates.push(...(await runApiSuite(options)));
if (options.wants('site')) gates.push(...(await runSiteSuite(options)));
if (options.wants('public-list')) gates.push(...(await runPublicListSuite()));
if (options.wants('mail')) gates.push(...(await runMailSuite(options)));
if (options.wants('live')) gates.push(...(await runLiveSuite(options)));
if (options.wants('presence')) gates.push(...(await runPresenceSuite(options)));
if (options.wants('fan-out')) gates.push(...(await runFanOutSuite(options)));
if (options.wants('polls')) gates.push(...(await runPollSuite(options)));
if (options.wants('moves')) gates.push(...(await runMoveSuite(options)));
if (options.wants('sharing')) gates.push(...(await runSharingSuite(options)));
if (options.wants('return')) gates.push(...(await runReturnSuite(options)));
if (options.wants('crowd')) gates.push(...(await runCrowdSuite(options)));
if (options.wants('nodes-crowd')) gates.push(...(await runNodesCrowdSuite(options)));
if (options.wants('first')) gates.push(...(await runFirstSyncSuite(options)));
if (options.wants('calendar')) gates.push(...(await runCalendarSuite(options)));
if (options.wants('desktop')) gates.push(...(await runDesktopSuite()));
if (options.wants('browser')) gates.push(...(await runBrowserSuite(options)));
await postgres?.stop();
process.exit(printGates(gates) ? 0 : 1);
