// Everything a server holds for one account, read as a stranger reads it: raw answers of `POST /sync/v1` and `GET /snapshot/v1`,
// the history, and the pages of the public API. Imports nothing of the program.
import { randomUUID } from 'node:crypto';
import { type ApiAddress, type ApiTask, callApi } from './api-writer.ts';

export interface RawRow {
  readonly id: string;
  readonly type: string;
  readonly v: number;
  readonly f: Readonly<Record<string, unknown>>;
}

export interface Reading {
  readonly rows: readonly RawRow[];
  readonly apiTasks: readonly ApiTask[];
  /** The whole history as text. */
  readonly history: string;
}

export interface Reader {
  readonly address: string;
  readonly cookie: string;
  readonly scope: string;
  readonly api: ApiAddress;
}

/** Those it may speak; the server says when it does not. */
const PROTOCOLS = [3, 4, 5, 6, 2];
const MOST_PAGES = 2_000;

interface Changes {
  readonly scope: string;
  readonly generation: string;
  readonly to: number;
  readonly rows: readonly RawRow[];
  readonly more: boolean;
  readonly bootstrap?: boolean;
}

async function getJson(reader: Reader, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const { address, cookie } = reader;
  const response = await fetch(address + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { cookie, origin: address, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

async function readSnapshot(reader: Reader): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  let after = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await getJson(
      reader,
      `/snapshot/v1/${reader.scope}${after === '' ? '' : `?after=${after}`}`,
    );
    rows.push(...(answer['rows'] as RawRow[]));
    if (answer['next'] === null) return rows;
    after = answer['next'] as string;
  }
  throw new Error('The snapshot does not end.');
}

/** What is new behind the cursors. Null: nothing. */
async function ask(
  reader: Reader,
  device: string,
  cursors: Record<string, unknown>,
): Promise<Changes | null> {
  for (const schema of PROTOCOLS) {
    const body = { schema, device, clientNow: Date.now(), ops: [], ack: 0, cursors, maxRows: 5_000 };
    try {
      const { changes } = await getJson(reader, '/sync/v1', body);
      return (changes as Changes[]).find(({ scope }) => scope === reader.scope) ?? null;
    } catch (error) {
      if (!String(error).includes('too_new') && !String(error).includes('too_old')) throw error;
    }
  }
  throw new Error(`The server speaks none of the protocols ${PROTOCOLS.join(', ')}.`);
}

async function readRows(reader: Reader): Promise<RawRow[]> {
  const rows = new Map<string, RawRow>();
  const device = randomUUID();
  let cursors: Record<string, unknown> = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const changes = await ask(reader, device, cursors);
    if (changes === null) {
      if (page === 0) throw new Error('The server tells nothing of the scope.');
      // Behind a snapshot, or the last page, there may be nothing.
      return [...rows.values()];
    }
    for (const row of changes.rows) rows.set(row.id, row);
    if (changes.bootstrap === true) for (const row of await readSnapshot(reader)) rows.set(row.id, row);
    else if (!changes.more) return [...rows.values()];
    cursors = { [reader.scope]: { generation: changes.generation, version: changes.to } };
  }
  throw new Error('The changes do not end.');
}

async function readHistory(reader: Reader): Promise<string> {
  const texts: string[] = [];
  let before = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await getJson(reader, `/app/api/history/${reader.scope}?limit=500${before}`);
    texts.push(JSON.stringify(answer['entries']));
    if (answer['next'] === null) return texts.join('\n');
    before = `&before=${answer['next'] as number}`;
  }
  throw new Error('The history does not end.');
}

async function readApi({ api }: Reader): Promise<ApiTask[]> {
  const tasks: ApiTask[] = [];
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await callApi(api, 'GET', `/tasks?limit=250&cursor=${encodeURIComponent(cursor)}`);
    if (answer?.status !== 200) throw new Error(`GET /tasks was answered ${answer?.status ?? 'not at all'}.`);
    tasks.push(...(answer.body['tasks'] as ApiTask[]));
    const next = answer.body['next_cursor'] as string | null;
    if (next === null) return tasks;
    cursor = next;
  }
  throw new Error('The pages of tasks do not end.');
}

export async function readEverything(reader: Reader): Promise<Reading> {
  return {
    rows: await readRows(reader),
    apiTasks: await readApi(reader),
    history: await readHistory(reader),
  };
}
