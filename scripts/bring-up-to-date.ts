// The part of `npm start` before the server: builds the web app and the site where their sources are newer than what is there.
import { buildSite } from './site-build.ts';
import { buildWeb } from './web-build.ts';

if ((await buildWeb()) === 'built') console.log('Built the web app.');
if ((await buildSite()) === 'built') console.log('Built the public site.');
