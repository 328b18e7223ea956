// `npm start`: brings the web app and the site up to date when their sources changed, then becomes the server process.
import { buildSite } from './site-build.ts';
import { buildWeb } from './web-build.ts';

if ((await buildWeb()) === 'built') console.log('Built the web app.');
if ((await buildSite()) === 'built') console.log('Built the public site.');
// The path is computed because the server is the next program, not a part of this one.
await import(new URL('../src/server/main.ts', import.meta.url).href);
