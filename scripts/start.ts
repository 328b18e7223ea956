// `npm start`: brings the web app up to date when its sources changed, then becomes the server process.
import { buildWeb } from './web-build.ts';

const outcome = await buildWeb();
if (outcome === 'built') console.log('Built the web app.');
// The path is computed because the server is the next program, not a part of this one.
await import(new URL('../src/server/main.ts', import.meta.url).href);
