// What a server of this kind costs at least: node:http, JSON, one INSERT per operation into SQLite with full
// synchronisation, everything that arrived in one turn of the loop in one commit. No accounts, no rules, no merging. With DATABASE_URL
// the same on PostgreSQL: whatever arrived while the last commit was under way in one statement.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

interface BareRequest {
  readonly device: string;
  readonly ops: readonly { readonly q: number }[];
}

interface Waiting {
  readonly request: BareRequest;
  readonly response: ServerResponse;
}

/** Where operations are made durable. */
interface Disk {
  save(group: readonly Waiting[]): void | Promise<void>;
  close(): void | Promise<void>;
}

const TABLE = 'operation (device TEXT, seq INTEGER, body TEXT, PRIMARY KEY (device, seq))';

function sqlite(): Disk {
  const database = new DatabaseSync(join(process.env['DATA_DIR'] ?? '.', 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(`CREATE TABLE ${TABLE} WITHOUT ROWID`);
  const insert = database.prepare('INSERT INTO operation VALUES (?, ?, ?)');
  return {
    save(group) {
      database.exec('BEGIN IMMEDIATE');
      for (const { request } of group)
        for (const operation of request.ops)
          insert.run(request.device, operation.q, JSON.stringify(operation));
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}

async function postgres(url: string): Promise<Disk> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE ${TABLE}`);
  return {
    async save(group) {
      const all = group.flatMap(({ request }) =>
        request.ops.map((operation) => ({ device: request.device, operation })),
      );
      await client.query({
        name: 'insert',
        text: 'INSERT INTO operation SELECT * FROM unnest($1::text[], $2::int[], $3::text[])',
        values: [
          all.map(({ device }) => device),
          all.map(({ operation }) => operation.q),
          all.map(({ operation }) => JSON.stringify(operation)),
        ],
      });
    },
    close: () => client.end(),
  };
}

const url = process.env['DATABASE_URL'];
const disk = url === undefined ? sqlite() : await postgres(url);
let waiting: Waiting[] = [];
let isBusy = false;

function answer({ request, response }: Waiting): void {
  const body = JSON.stringify({ results: request.ops.map(({ q }) => [q, 'ok']), changes: [] });
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

async function commit(): Promise<void> {
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    // What SQLite did is done: nothing is to be waited for.
    const saving = disk.save(group);
    if (saving !== undefined) await saving;
    for (const each of group) answer(each);
  }
  isBusy = false;
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const request = JSON.parse(Buffer.concat(chunks).toString()) as BareRequest;
    waiting.push({ request, response });
    if (isBusy) return;
    isBusy = true;
    setImmediate(() => void commit());
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Bare server is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void disk.close());
});
