// What an API of this kind costs at least: node:http, JSON, one row per task in SQLite with full synchronisation, whatever
// was written in one turn of the loop in one commit, and lists of 250 rows by an index. No accounts, no rules, no outline,
// no history.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(join(process.env['DATA_DIR'] ?? '.', 'bare.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
database.exec(
  'CREATE TABLE task (id TEXT PRIMARY KEY, owner TEXT, updated_at INTEGER, body TEXT) WITHOUT ROWID',
);
database.exec('CREATE INDEX task_updated ON task (owner, updated_at)');
const put = database.prepare(
  'INSERT INTO task VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body',
);
const get = database.prepare('SELECT body FROM task WHERE id = ?');
const list = database.prepare('SELECT body FROM task WHERE owner = ? ORDER BY updated_at DESC LIMIT ?');

let clock = 0;
let waiting: (() => { readonly response: ServerResponse; readonly body: string })[] = [];

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function commit(): void {
  const group = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  const done = group.map((write) => write());
  database.exec('COMMIT');
  for (const { response, body } of done) answer(response, body);
}

function write(owner: string, id: string, change: object, response: ServerResponse): void {
  if (waiting.length === 0) setImmediate(commit);
  waiting.push(() => {
    const before = get.get(id)?.['body'];
    const task = { ...(typeof before === 'string' ? (JSON.parse(before) as object) : {}), ...change, id };
    clock += 1;
    put.run(id, owner, clock, JSON.stringify(task));
    return { response, body: JSON.stringify({ success: true, task, todo_item: task }) };
  });
}

function handle(incoming: IncomingMessage, response: ServerResponse, text: string): void {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://bare');
  const owner = incoming.headers.authorization ?? '';
  const id = pathname.split('/')[3];
  if (incoming.method === 'POST') return write(owner, randomUUID(), JSON.parse(text) as object, response);
  if (incoming.method === 'PATCH') return write(owner, id ?? '', JSON.parse(text) as object, response);
  if (pathname === '/api/lists') return answer(response, '{"success":true,"lists":[]}');
  if (id !== undefined) {
    const task = JSON.parse(String(get.get(id)?.['body'] ?? '{}')) as object;
    return answer(response, JSON.stringify({ success: true, task, todo_item: task }));
  }
  const rows = list.all(owner, Number(searchParams.get('limit') ?? 250));
  const tasks = rows.map(({ body }) => JSON.parse(String(body)) as object);
  answer(response, JSON.stringify({ success: true, tasks, lists: [], labels: [], next_cursor: null }));
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => handle(incoming, response, Buffer.concat(chunks).toString()));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`Bare API is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => database.close());
});
