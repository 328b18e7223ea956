// What a server of this kind costs at least: node:http, JSON, one INSERT per operation into SQLite with full
// synchronisation, everything that arrived in one turn of the loop in one commit. No accounts, no rules, no merging.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

interface BareRequest {
  readonly device: string;
  readonly ops: readonly { readonly q: number }[];
}

const database = new DatabaseSync(join(process.env['DATA_DIR'] ?? '.', 'bare.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
database.exec(
  'CREATE TABLE operation (device TEXT, seq INTEGER, body TEXT, PRIMARY KEY (device, seq)) WITHOUT ROWID',
);
const insert = database.prepare('INSERT INTO operation VALUES (?, ?, ?)');

let waiting: { readonly request: BareRequest; readonly response: ServerResponse }[] = [];

function commit(): void {
  const group = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  for (const { request } of group) {
    for (const operation of request.ops) insert.run(request.device, operation.q, JSON.stringify(operation));
  }
  database.exec('COMMIT');
  for (const { request, response } of group) {
    const body = JSON.stringify({ results: request.ops.map(({ q }) => [q, 'ok']), changes: [] });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const request = JSON.parse(Buffer.concat(chunks).toString()) as BareRequest;
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ request, response });
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Bare server is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => database.close());
});
