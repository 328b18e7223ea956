// What serving the site costs at least: node:http and the same compressed pages from memory, one answer for each address. No
// policies, no validators, no log, no counting.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { PAGES } from './pages.ts';

const SITE = join(import.meta.dirname, '../../dist/site');
const { pages } = JSON.parse(readFileSync(join(SITE, 'site.json'), 'utf8')) as {
  readonly pages: Readonly<Record<string, { readonly file: string }>>;
};
const bodies = new Map(
  PAGES.map((path) => [path, brotliCompressSync(readFileSync(join(SITE, pages[path]?.file ?? '')))]),
);

const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '');
  response.writeHead(body ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': body?.length ?? 0,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Bare pages are ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
