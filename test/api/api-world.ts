// An account of the public API on a server without a port: calls with its token, answers checked against the shapes that
// the API promises.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { endpoints, type Endpoint } from '#wire/api/endpoints.ts';
import { errorAnswerSchema, type ApiLabel, type ApiList, type ApiTask } from '#wire/api/objects.ts';
import { createTestServer, type Ask, type TestServer } from './harness.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface ApiUser {
  readonly server: TestServer;
  readonly token: string;
  readonly account: number;
  readonly scope: Id;
  readonly cookie: string;
  call(method: string, path: string, body?: unknown, ask?: Ask): Promise<Answer>;
  /** As `call`; the answer has to be a good one. */
  get(path: string): Promise<Answer['body']>;
  post(path: string, body?: unknown): Promise<Answer['body']>;
  patch(path: string, body?: unknown): Promise<Answer['body']>;
  task(body: unknown): Promise<ApiTask>;
  change(id: string, body: unknown): Promise<ApiTask>;
  tasks(query?: string): Promise<readonly ApiTask[]>;
  list(body: unknown): Promise<ApiList>;
  lists(): Promise<readonly ApiList[]>;
  label(body: unknown): Promise<ApiLabel>;
}

const table: readonly Endpoint[] = Object.values(endpoints);

function endpointOf(method: string, path: string): Endpoint | undefined {
  const parts =
    path
      .replace(/^\/api\b/, '')
      .split('?')[0]
      ?.split('/') ?? [];
  return table.find((endpoint) => {
    const wanted = endpoint.path.split('/');
    return (
      endpoint.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith(':') || part === parts[at])
    );
  });
}

/** Every answer of the API has the shape its call promises. */
export function checkShape(
  method: string,
  path: string,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): void {
  const answer = status < 300 ? endpointOf(method, path)?.answer : errorAnswerSchema;
  const read = answer?.safeParse(body);
  if (read?.success === false)
    assert.fail(
      `${method} ${path}: ${JSON.stringify(read.error.issues.slice(0, 3))} in ${JSON.stringify(body)}`,
    );
}

export async function enterApi(server: TestServer, email = 'ada@example.org'): Promise<ApiUser> {
  const { cookie, account, personalScope } = await server.signUp(email);
  const { token } = await server.services.sessions.open({ account, kind: 'api', userAgent: '' });
  const call: ApiUser['call'] = async (method, path, body, ask = {}) => {
    const response = await server.ask(path, {
      method,
      bearer: token,
      ...(body === undefined ? {} : { body }),
      ...ask,
    });
    const read = (await response.json()) as Answer['body'];
    const answer = { status: response.status, body: read, headers: response.headers };
    checkShape(method, path, answer);
    return answer;
  };
  return apiUserOf({ server, token, account, scope: personalScope as Id, cookie }, call);
}

/** A user whose calls go this way. */
export function apiUserOf(
  known: Pick<ApiUser, 'server' | 'token' | 'account' | 'scope' | 'cookie'>,
  call: ApiUser['call'],
): ApiUser {
  const good = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body['success'], true);
    return answer.body;
  };
  const post = (path: string, body?: unknown) => good('POST', path, body);
  return {
    ...known,
    call,
    get: (path) => good('GET', path),
    post,
    patch: (path, body) => good('PATCH', path, body),
    task: async (body) => (await post('/tasks', body))['task'] as ApiTask,
    change: async (id, body) => (await good('PATCH', `/tasks/${id}`, body))['task'] as ApiTask,
    tasks: async (query = '') => (await good('GET', `/tasks${query}`))['tasks'] as ApiTask[],
    list: async (body) => (await post('/lists', body))['list'] as ApiList,
    lists: async () => (await good('GET', '/lists'))['lists'] as ApiList[],
    label: async (body) => (await post('/labels', body))['label'] as ApiLabel,
  };
}

export async function withApi(work: (user: ApiUser) => Promise<void>): Promise<void> {
  const server = await createTestServer();
  try {
    await work(await enterApi(server));
  } finally {
    await server.close();
  }
}
