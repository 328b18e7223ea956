// The API part: what programs get out of the public API, every write durable before it is answered, beside a bare server of
// the same kind in the same run.
import { type Cell, type Gate, print, say, table } from '../report.ts';
import { conditions } from '../machine.ts';
import { runClosed, type LoadResult, type Pusher } from '../server/load.ts';
import {
  startProgram,
  startServerProcess,
  type ServerProcess,
  databaseName,
} from '../server/server-process.ts';
import { openApiConnection, type ApiConnection } from './connection.ts';

const ACCOUNTS = 16;
const CONNECTIONS_PER_ACCOUNT = 2;
const TASKS_PER_ACCOUNT = 300;
const WANTED_REQUESTS = 1_500;
const WANTED_P99_MS = 100;
const WANTED_LISTS = 400;

/** Of twenty requests: six new tasks, six changes, six looks at one, one of all lists and one of the latest tasks. */
const MIX = 'ccccccuuuuuuggggggls';

/** A program that works on the tasks of one account. */
class Program implements Pusher {
  readonly #connection: ApiConnection;
  readonly #ids: string[];
  #turn: number;

  constructor(connection: ApiConnection, ids: readonly string[], start: number) {
    this.#connection = connection;
    this.#ids = [...ids];
    this.#turn = start;
  }

  async push(count: number): Promise<number> {
    for (let done = 0; done < count; done += 1) await this.#next();
    return count;
  }

  async #next(): Promise<void> {
    this.#turn += 7;
    const id = this.#ids[this.#turn % this.#ids.length] ?? '';
    const kind = MIX[this.#turn % MIX.length];
    if (kind === 'c') {
      const { task } = await read<{ task: { id: string } }>(
        this.#connection.ask('POST', '/api/tasks', JSON.stringify(taskOf(this.#turn))),
      );
      this.#ids.push(task.id);
    } else if (kind === 'u')
      await good(this.#connection.ask('PATCH', `/api/tasks/${id}`, `{"title":"Changed ${this.#turn}"}`));
    else if (kind === 'g') await good(this.#connection.ask('GET', `/api/tasks/${id}`));
    else if (kind === 'l') await good(this.#connection.ask('GET', '/api/lists'));
    else await good(this.#connection.ask('GET', '/api/tasks?limit=25'));
  }
}

/** A program that lists 250 tasks again and again. */
class Lister implements Pusher {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  async push(): Promise<number> {
    await good(this.#connection.ask('GET', '/api/tasks'));
    return 1;
  }
}

function taskOf(number: number): object {
  return {
    title: `Call number ${number} about the garden`,
    notes: 'Ask whether the seeds have come, and what they cost this year.',
    timeless_due_at: '2026-12-01',
    duration_minutes: 15,
    metadata: { source: 'bench', number: String(number) },
  };
}

async function good(asked: ReturnType<ApiConnection['ask']>): Promise<Awaited<typeof asked>> {
  const answer = await asked;
  if (answer.status !== 200)
    throw new Error(`The API answered ${answer.status}: ${answer.text().slice(0, 500)}`);
  return answer;
}

async function read<T>(asked: ReturnType<ApiConnection['ask']>): Promise<T> {
  return JSON.parse((await good(asked)).text()) as T;
}

/** What the load came to, and what it cost the server. */
interface Part extends LoadResult {
  /** Milliseconds of the processor for one request: the same on a busy machine and a quiet one. */
  readonly cpuMs: number;
}

async function loaded(server: ServerProcess, pushers: readonly Pusher[], seconds: number): Promise<Part> {
  await runClosed(pushers, 1, 1);
  const before = server.cpuMs();
  const result = await runClosed(pushers, 1, seconds);
  return { ...result, cpuMs: (server.cpuMs() - before) / result.latency.count };
}

interface Measured {
  readonly mixed: Part;
  readonly lists: Part;
  readonly load: number;
}

async function measure(
  server: ServerProcess,
  tokenOf: (account: number) => Promise<string>,
  seconds: number,
): Promise<Measured> {
  const connections: ApiConnection[] = [];
  const programs = await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, account) => {
      const token = await tokenOf(account);
      const own = await Promise.all(
        Array.from({ length: CONNECTIONS_PER_ACCOUNT }, () => openApiConnection(server.url, token)),
      );
      connections.push(...own);
      return { own, account };
    }),
  );
  const filled = await Promise.all(
    programs.flatMap(({ own, account }) =>
      own.map(async (connection, at) => {
        const ids: string[] = [];
        for (let made = 0; made < TASKS_PER_ACCOUNT / CONNECTIONS_PER_ACCOUNT; made += 1) {
          const asked = connection.ask('POST', '/api/tasks', JSON.stringify(taskOf(made)));
          ids.push((await read<{ task: { id: string } }>(asked)).task.id);
        }
        return new Program(connection, ids, account * 31 + at * 17);
      }),
    ),
  );
  const mixed = await loaded(server, filled, seconds);
  const listers = connections.map((connection) => new Lister(connection));
  const lists = await loaded(server, listers, seconds);
  for (const connection of connections) connection.close();
  return { mixed, lists, load: conditions().load };
}

async function signUp(server: ServerProcess, account: number): Promise<string> {
  const door = await openApiConnection(server.url, null);
  const credentials = {
    email: `program-${account}@example.com`,
    password: `a long enough phrase for ${account}`,
  };
  const { token } = await read<{ token: string }>(
    door.ask('POST', '/api/sessions/sign_up', JSON.stringify(credentials)),
  );
  door.close();
  return token;
}

async function measureOurs(seconds: number): Promise<Measured> {
  const server = await startServerProcess();
  try {
    const tokens: string[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) tokens.push(await signUp(server, account));
    return await measure(server, (account) => Promise.resolve(tokens[account] ?? ''), seconds);
  } finally {
    await server.close();
  }
}

async function measureBare(seconds: number): Promise<Measured> {
  const server = await startProgram('bench/api/bare-api.ts');
  try {
    return await measure(server, (account) => Promise.resolve(`account-${account}`), seconds);
  } finally {
    await server.close();
  }
}

function row(name: string, { operationsPerSecond, latency, cpuMs }: Part, ratio: Cell): Cell[] {
  return [name, Math.round(operationsPerSecond), latency.p50, latency.p95, latency.p99, cpuMs, ratio];
}

export async function runApiSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const seconds = quick ? 3 : 10;
  say('api: the bare one');
  const bare = await measureBare(seconds);
  say('api: ours');
  const ours = await measureOurs(seconds);
  const ratio = (part: 'mixed' | 'lists') =>
    `${(ours[part].operationsPerSecond / bare[part].operationsPerSecond).toFixed(2)} × bare`;
  print(
    `## Public API (${databaseName()}, ${ACCOUNTS * CONNECTIONS_PER_ACCOUNT} connections of ${ACCOUNTS} accounts, load ${ours.load.toFixed(1)})`,
  );
  print(
    table(
      ['', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'processor ms each', ''],
      [
        row('bare, mixed', bare.mixed, ''),
        row('Posthaste, mixed', ours.mixed, ratio('mixed')),
        row('bare, list of 250 tasks', bare.lists, ''),
        row('Posthaste, list of 250 tasks', ours.lists, ratio('lists')),
      ],
    ),
  );
  return [
    {
      name: 'api, mixed: requests/s',
      reached: ours.mixed.operationsPerSecond,
      bound: WANTED_REQUESTS,
      unit: '/s',
      kind: 'at least',
    },
    {
      name: 'api, mixed: p99',
      reached: ours.mixed.latency.p99,
      bound: WANTED_P99_MS,
      unit: 'ms',
      kind: 'at most',
    },
    {
      name: 'api, lists of 250 tasks: requests/s',
      reached: ours.lists.operationsPerSecond,
      bound: WANTED_LISTS,
      unit: '/s',
      kind: 'at least',
    },
  ];
}
