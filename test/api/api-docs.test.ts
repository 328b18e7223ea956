// What is written about the API: the files made from its table are the ones in the repository, the samples of the page work
// as they stand, and the client talks to the server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { settingId, type Id } from '#core/ids.ts';
import { macroKey, programsRunMacros } from '#core/macros.ts';
import { ApiClient } from '#wire/api/client.ts';
import { ApiError } from '#wire/api/client-core.ts';
import { endpoints, type Endpoint } from '#wire/api/endpoints.ts';
import { openApiDocument } from '#wire/api/openapi.ts';
import { apiFiles } from '../../scripts/api-files.ts';
import { Person } from '../sharing.ts';
import { enterApi, type ApiUser } from './api-world.ts';
import { createTestServer, GOOD_PASSWORD } from './harness.ts';

const root = new URL('../../', import.meta.url);
const HERE = 'http://localhost:4040';

describe('the written API', () => {
  let user: ApiUser;
  before(async () => {
    user = await enterApi(await createTestServer(), 'you@example.org');
  });
  after(() => user.server.close());

  /** `fetch` to a server without a port. */
  const send = (url: string, init: RequestInit & { readonly method: string }) =>
    Promise.resolve(user.server.services.app.request(url.replace(HERE, ''), init));

  test('[API-17] the OpenAPI document, the client and the table of calls are what the schemas say', async () => {
    for (const [path, text] of apiFiles(root))
      assert.equal(readFileSync(new URL(path, root), 'utf8'), text, `run: npm run docs (${path})`);
    for (const path of ['/openapi.json', '/api/openapi.json'])
      assert.deepEqual(await (await user.server.ask(path)).json(), openApiDocument());
  });

  test('every reference of the document leads somewhere, and every call is in it', () => {
    const document = openApiDocument() as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, unknown> };
    };
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!));
    assert.ok(references.size > 10);
    for (const reference of references)
      assert.ok(document.components.schemas[reference.replace('#/components/schemas/', '')], reference);
    const calls = Object.values(document.paths).flatMap((path) => Object.values(path));
    assert.deepEqual(
      calls.map(({ operationId }) => operationId).toSorted(),
      Object.keys(endpoints).toSorted(),
    );
  });

  test('the samples of docs/api.md work as they stand', async () => {
    const page = readFileSync(new URL('docs/api.md', root), 'utf8').replaceAll(
      'your long password',
      GOOD_PASSWORD,
    );
    const samples = [...page.matchAll(/```(sh|js)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({
      kind,
      text: text!,
    }));
    assert.deepEqual(
      samples.map(({ kind }) => kind),
      ['sh', 'sh', 'sh', 'js', 'js'],
    );
    const said: string[] = [];
    for (const { kind, text } of samples) {
      if (kind === 'sh') said.push(await runCurl(text, user.token, send));
      else await runModule(text, { fetch: send, token: user.token, log: (line) => said.push(line) });
    }
    const [signedIn, made, found, ...listed] = said;
    assert.match(signedIn ?? '', /"token":"ph_/);
    assert.equal(
      (JSON.parse(made ?? '') as { task: { timeless_due_at: string } }).task.timeless_due_at,
      '2026-12-01',
    );
    assert.equal((JSON.parse(found ?? '') as { tasks: unknown[] }).tasks.length, 1);
    assert.deepEqual(listed, ['Call the plumber ']);
    const [plumber] = await user.tasks('?status=complete');
    assert.equal(plumber?.is_cleared, true);
  });

  /** A macro of the person with this id, which programs may run. */
  async function letRun(id: Id): Promise<void> {
    const { server, cookie, account, scope } = user;
    const person = new Person(server, { cookie, account, personalScope: scope });
    const vars = [{ name: 'client', value: '', ask: true }];
    const macro = JSON.stringify({ v: 1, name: 'Invoice', steps: [], vars, links: true });
    for (const [key, value] of [
      [programsRunMacros, true],
      [macroKey(id), macro],
    ] as const)
      await person.act({ a: 'create', id: settingId(scope, key), type: 'setting', fields: { key, value } });
  }

  test('the samples of the API guide work as they stand', async () => {
    const guide = readFileSync(new URL('src/site/guides/api.md', root), 'utf8')
      .replaceAll('%ORIGIN%', HERE)
      .replaceAll('your long password', GOOD_PASSWORD);
    const { id: list } = (
      await new ApiClient({ url: `${HERE}/api/`, token: user.token, send }).createList({ name: 'Packing' })
    ).list;
    await letRun('0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77' as Id);
    let task = '';
    const said: string[] = [];
    for (const [, kind, text = ''] of guide.matchAll(/```(sh|js)\n([\s\S]*?)```/g)) {
      const sample = text
        .replaceAll('$LIST', list)
        .replaceAll(/\$TASK|0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1b42/g, task);
      if (kind === 'js')
        await runModule(sample, { fetch: send, token: user.token, log: (line) => said.push(line) });
      else {
        const answer = await runCurl(sample, user.token, send);
        said.push(answer);
        task = (JSON.parse(answer) as { task?: { id: string } }).task?.id ?? task;
      }
    }
    const [signedIn, made, ...rest] = said;
    assert.match(signedIn ?? '', /"token":"ph_/);
    assert.match(made ?? '', /"warnings":\[[^\]]*phone/);
    assert.match(rest.at(-4) ?? '', /"name":"Packing for spring"/);
    assert.match(rest.at(-2) ?? '', /"events":\[\]/);
    assert.match(rest.at(-1) ?? '', /"state":"waiting"/);
    const [changed] = await user.tasks('?status=complete');
    assert.equal(changed?.id, task);
    assert.equal(changed?.is_cleared, true);
    assert.deepEqual(changed?.metadata, { source: 'crm', ticket: '4711' });
  });

  test('the client makes every call, and tells refusals by their code', async () => {
    const client = new ApiClient({ url: `${HERE}/api/`, token: user.token, send });
    const { list } = await client.createList({ name: 'Plans' });
    const { task } = await client.createTask({ title: 'x', list_id: list.id });
    assert.deepEqual((await client.getTask(task.id)).task, task);
    assert.equal((await client.updateTask(task.id, { title: 'y' })).todo_item.title, 'y');
    assert.deepEqual(
      (await client.listTasks({ list_id: list.id })).tasks.map(({ title }) => title),
      ['y'],
    );
    assert.equal((await client.duplicateList(list.id)).list.name, 'Plans copy');
    assert.equal((await client.deleteTask(task.id)).success, true);
    await assert.rejects(client.getTask(task.id), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual(
        [error.status, error.code, error.field, error.retryAfter],
        [404, 'not_found', null, null],
      );
      return true;
    });
    for (const name of Object.keys(endpoints)) assert.ok(name in client, name);
  });

  test('no call of the API has the method and path of another route of the server', () => {
    const keys = user.server.services.routes.map(
      ({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`,
    );
    assert.deepEqual(
      keys.filter((key, at) => keys.indexOf(key) < at),
      [],
    );
    for (const { method, path } of Object.values(endpoints) as Endpoint[])
      for (const prefix of ['', '/api'])
        assert.ok(keys.includes(`${method} ${prefix}${path.replace(/:\w+/g, ':')}`), path);
  });
});

type Send = (url: string, init: RequestInit & { readonly method: string }) => Promise<Response>;

/** The words of a shell command, with variables in double quotes. */
function wordsOf(command: string, token: string): string[] {
  const words = command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...words].map(
    ([, single, double, plain]) => single ?? (double ?? plain ?? '').replaceAll('$TOKEN', token),
  );
}

/** Does what curl would do with -X, -H and -d. */
async function runCurl(command: string, token: string, send: Send): Promise<string> {
  const [program, ...words] = wordsOf(command, token);
  assert.equal(program, 'curl');
  const headers: [string, string][] = [];
  let [method, url, body]: (string | undefined)[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) url = word;
    else {
      at += 1;
      const value = words[at] ?? '';
      if (word === '-X') method = value;
      else if (word === '-d') body = value;
      else if (word === '-H') headers.push(value.split(': ', 2) as [string, string]);
      else assert.fail(`${word} is not known to this curl`);
    }
  }
  const init = { method: method ?? 'GET', headers, ...(body === undefined ? {} : { body }) };
  const response = await send(url ?? '', init);
  const text = await response.text();
  assert.ok(response.ok, text);
  return text;
}

interface Surroundings {
  readonly fetch: Send;
  readonly token: string;
  readonly log: (line: string) => void;
}

/** Runs a sample as a module of its own, with what it calls handed in. */
async function runModule(text: string, { fetch, token, log }: Surroundings): Promise<void> {
  const code = `export default async ({ fetch, process, console }) => {\n${text}\n};`;
  const module_ = (await import(`data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`)) as {
    readonly default: (given: object) => Promise<void>;
  };
  const console_ = { log: (...words: readonly string[]) => log(words.join(' ')) };
  const send = (url: string, init: RequestInit = {}) => fetch(url, { ...init, method: init.method ?? 'GET' });
  await module_.default({ fetch: send, process: { env: { TOKEN: token } }, console: console_ });
}
