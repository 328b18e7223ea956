// `npm run build`: everything that must exist before the server can run in production. Always builds anew.
import { buildSite } from './site-build.ts';
import { buildWeb } from './web-build.ts';

const startedAt = performance.now();
const outcome = await buildWeb({ force: true });
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(outcome === 'absent' ? 'There is no web app to build.' : `Built dist/app in ${seconds} s.`);

const siteStartedAt = performance.now();
await buildSite({ force: true });
console.log(`Built dist/site in ${((performance.now() - siteStartedAt) / 1000).toFixed(1)} s.`);
