// What an API of this kind costs at least: node:http, JSON, one row per task in SQLite with full synchronisation, whatever
// was written in one turn of the loop in one commit, and lists of 250 rows by an index. No accounts, no rules, no outline,
// no history. With DATABASE_URL the same on PostgreSQL: whatever was written while the last commit was under way in one statement.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A task that somebody makes, or a part of one that changes. */
interface Write {
  readonly owner: string;
  readonly id: string;
  readonly change: object;
}

interface Disk {
  /** In one commit; resolves with the tasks as they are then. */
  save(group: readonly Write[]): object[] | Promise<object[]>;
  get(id: string): object | Promise<object>;
  list(owner: string, limit: number): object[] | Promise<object[]>;
  close(): void | Promise<void>;
}

function sqlite(): Disk {
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
  return {
    save(group) {
      database.exec('BEGIN IMMEDIATE');
      const tasks = group.map(({ owner, id, change }) => {
        const before = get.get(id)?.['body'];
        const task = { ...(typeof before === 'string' ? (JSON.parse(before) as object) : {}), ...change, id };
        clock += 1;
        put.run(id, owner, clock, JSON.stringify(task));
        return task;
      });
      database.exec('COMMIT');
      return tasks;
    },
    get: (id) => JSON.parse(String(get.get(id)?.['body'] ?? '{}')) as object,
    list: (owner, limit) => list.all(owner, limit).map(({ body }) => JSON.parse(String(body)) as object),
    close: () => database.close(),
  };
}

async function postgres(connectionString: string): Promise<Disk> {
  const pool = new pg.Pool({ connectionString, max: 8 });
  await pool.query('CREATE TABLE task (id TEXT PRIMARY KEY, owner TEXT, updated_at BIGSERIAL, body JSONB)');
  await pool.query('CREATE INDEX task_updated ON task (owner, updated_at)');
  const rows = async (query: pg.QueryConfig) => (await pool.query<{ body: object }>(query)).rows;
  return {
    // The connections of the bench each have tasks of their own, so that no group names one twice.
    save: async (group) =>
      (
        await rows({
          name: 'save',
          text:
            'INSERT INTO task (id, owner, body) SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[]) ' +
            "ON CONFLICT (id) DO UPDATE SET updated_at = nextval('task_updated_at_seq'), body = task.body || excluded.body RETURNING body",
          values: [
            group.map(({ id }) => id),
            group.map(({ owner }) => owner),
            group.map(({ id, change }) => JSON.stringify({ ...change, id })),
          ],
        })
      ).map(({ body }) => body),
    get: async (id) =>
      (await rows({ name: 'get', text: 'SELECT body FROM task WHERE id = $1', values: [id] }))[0]?.body ?? {},
    list: async (owner, limit) =>
      (
        await rows({
          name: 'list',
          text: 'SELECT body FROM task WHERE owner = $1 ORDER BY updated_at DESC LIMIT $2',
          values: [owner, limit],
        })
      ).map(({ body }) => body),
    close: () => pool.end(),
  };
}

const url = process.env['DATABASE_URL'];
const disk = url === undefined ? sqlite() : await postgres(url);
let waiting: { readonly write: Write; readonly response: ServerResponse }[] = [];
let isBusy = false;

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const answerTask = (response: ServerResponse, task: object) =>
  answer(response, JSON.stringify({ success: true, task, todo_item: task }));

async function commit(): Promise<void> {
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    const saved = disk.save(group.map(({ write }) => write));
    // What SQLite did is done: nothing is to be waited for.
    const tasks = saved instanceof Promise ? await saved : saved;
    group.forEach(({ response }, at) => answerTask(response, tasks[at] ?? {}));
  }
  isBusy = false;
}

function write(owner: string, id: string, change: object, response: ServerResponse): void {
  waiting.push({ write: { owner, id, change }, response });
  if (isBusy) return;
  isBusy = true;
  setImmediate(() => void commit());
}

function handle(incoming: IncomingMessage, response: ServerResponse, text: string): void {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://bare');
  const owner = incoming.headers.authorization ?? '';
  const id = pathname.split('/')[3];
  if (incoming.method === 'POST') return write(owner, randomUUID(), JSON.parse(text) as object, response);
  if (incoming.method === 'PATCH') return write(owner, id ?? '', JSON.parse(text) as object, response);
  if (pathname === '/api/lists') return answer(response, '{"success":true,"lists":[]}');
  if (id !== undefined) return then(disk.get(id), (task) => answerTask(response, task));
  then(disk.list(owner, Number(searchParams.get('limit') ?? 250)), (tasks) =>
    answer(response, JSON.stringify({ success: true, tasks, lists: [], labels: [], next_cursor: null })),
  );
}

function then<T>(value: T | Promise<T>, use: (value: T) => void): void {
  if (value instanceof Promise) void value.then(use);
  else use(value);
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
  server.close(() => void disk.close());
});
