// Comments in the public API, the command line and the tools for agents, with two people in a shared list.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { ApiComment } from '#wire/api/objects.ts';
import { Person, shareWithBen } from '../sharing.ts';
import { checkShape } from './api-world.ts';

const newId = () => crypto.randomUUID() as Id;

describe('comments in the API', () => {
  let stage: Awaited<ReturnType<typeof shareWithBen>>;
  let ann: Api;
  let ben: Api;
  before(async () => {
    stage = await shareWithBen();
    [ann, ben] = [await apiOf(stage.ann), await apiOf(stage.ben)];
  });
  after(() => stage.server.close());

  type Body = Readonly<Record<string, unknown>> & {
    readonly comment: ApiComment;
    readonly comments: readonly ApiComment[];
    readonly next_cursor: string | null;
    readonly message?: string;
    readonly field?: string;
  };
  type Api = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Body }>;

  async function apiOf({ account }: Person, access: 'read' | 'write' = 'write'): Promise<Api> {
    const { server } = stage;
    const { token } = await server.services.sessions.open({ account, kind: 'api', userAgent: '', access });
    return async (method, path, body) => {
      const sent = body === undefined ? {} : { body };
      const answer = await server.ask(path, { method, bearer: token, ...sent });
      const read = { status: answer.status, body: (await answer.json()) as Body };
      checkShape(method, path, read);
      return read;
    };
  }

  test('[SHARE-280] are read oldest first by pages, and written once however often they are sent', async () => {
    const [task] = stage.tasks;
    const path = `/tasks/${task}/comments`;
    const ids = [newId(), newId(), newId()];
    for (const [at, id] of ids.entries()) {
      stage.server.clock.pass(1_000);
      for (const _again of [1, 2]) {
        const made = await ben('POST', path, { id, text: `Line ${at}\r\nnext` });
        assert.deepEqual([made.status, made.body.comment.id], [200, id]);
        assert.equal(made.body.comment.text, `Line ${at}\nnext`);
      }
    }
    const first = (await ann('GET', `${path}?limit=2`)).body;
    const rest = (await ann('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(
      [...first.comments, ...rest.comments].map(({ id }) => id),
      ids,
    );
    assert.equal(rest.next_cursor, null);
    const [told] = first.comments;
    assert.deepEqual([told?.user_id, told?.user_name, told?.todo_item_id], [stage.ben.account, 'Ben', task]);
    assert.equal((await ann('GET', `${path}?cursor=nonsense`)).status, 422);
    const elsewhere = await ben('POST', path, { id: task, text: 'Taken' });
    assert.equal(elsewhere.status, 409);
    for (const text of ['', '  \n', 'x'.repeat(10_001)])
      assert.deepEqual((await ben('POST', path, { text })).body.field, 'text');
    // Completed, they are still there; a private task has comments, too.
    await ann('PATCH', `/tasks/${task}`, { is_complete: true });
    assert.equal((await ann('GET', path)).body.comments.length, 3);
    const own = await stage.ann.task('Mine', await stage.ann.list('Alone'));
    assert.equal((await ann('POST', `/tasks/${own}/comments`, { text: '@Ben' })).body.comment.text, '@Ben');
    assert.deepEqual((await ann('GET', `/tasks/${own}/comments`)).body.comments[0]?.mentioned_user_ids, []);
  });

  test('[SHARE-281] mention people by their names, which follow them', async () => {
    const [, task] = stage.tasks;
    const path = `/tasks/${task}/comments`;
    const said = (await ann('POST', path, { text: '@ben and @Nobody, see ann@example.org' })).body.comment;
    assert.equal(said.text, '@Ben and @Nobody, see ann@example.org');
    assert.deepEqual(said.mentioned_user_ids, [stage.ben.account]);
    const row = (await stage.ann.rows(stage.scope)).get(said.id as Id);
    assert.match(JSON.stringify(row?.f), new RegExp(`@\\[${stage.ben.account}\\] and`));
    const renamed = await stage.ben.call('POST profile', { name: 'Benjamin' });
    assert.equal(renamed.status, 200);
    const [read] = (await ann('GET', path)).body.comments;
    assert.equal(read?.text, '@Benjamin and @Nobody, see ann@example.org');
    const again = await ann('PATCH', `/comments/${said.id}`, { text: `${read?.text}!` });
    assert.deepEqual(again.body.comment.mentioned_user_ids, [stage.ben.account]);
    const long = `@Benjamin ${'x'.repeat(9_990)}`;
    const { account } = stage.ben;
    const grows = `@[${account}]`.length > '@Benjamin'.length;
    assert.equal((await ann('PATCH', `/comments/${said.id}`, { text: long })).status, grows ? 422 : 200);
  });

  test('[SHARE-282] only authors change them, owners delete them, strangers learn nothing', async () => {
    const [task] = stage.tasks;
    const path = `/tasks/${task}/comments`;
    const bens = (await ben('POST', path, { text: 'Ben says' })).body.comment.id;
    const anns = (await ann('POST', path, { text: 'Ann says' })).body.comment.id;
    const forged = await ann('PATCH', `/comments/${bens}`, { text: 'Ben lies' });
    assert.deepEqual([forged.status, forged.body.message], [403, 'Only its author can change a comment.']);
    assert.equal((await ben('DELETE', `/comments/${anns}`)).status, 403);
    const reading = await apiOf(stage.ann, 'read');
    assert.equal((await reading('POST', path, { text: 'x' })).status, 403);
    assert.equal((await reading('GET', path)).status, 200);
    const stranger = await apiOf(await Person.come(stage.server, 'eve@example.org'));
    for (const [method, at] of [
      ['GET', path],
      ['POST', path],
      ['PATCH', `/comments/${bens}`],
      ['DELETE', `/comments/${bens}`],
    ] as const)
      assert.equal((await stranger(method, at, method === 'GET' ? undefined : { text: 'x' })).status, 404);
    assert.equal((await ann('DELETE', `/comments/${bens}`)).status, 200);
    assert.equal((await ann('DELETE', `/comments/${bens}`)).status, 404);
    assert.equal((await ben('PATCH', `/comments/${bens}`, { text: 'x' })).status, 404);
    // Nothing is there beneath a task in the trash.
    await ben('DELETE', `/tasks/${task}`);
    assert.equal((await ben('GET', path)).status, 404);
    assert.equal((await ann('PATCH', `/comments/${anns}`, { text: 'x' })).status, 404);
  });
});
