// Serves a folder on loopback, compressed, as a production host would. For the limit page; the app has its own server.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Served } from './subject.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
};

export async function serveFolder(folder: string): Promise<Served> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, path === sep ? 'index.html' : path);
    readFile(file).then(
      (content) => {
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, {
          'content-type': type,
          'content-encoding': 'br',
          'cache-control': 'no-cache',
        });
        response.end(brotliCompressSync(content));
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
