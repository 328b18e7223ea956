// Comments and assignees of a list of several people, on the server: who wrote what, where they go, and the public API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { shareWithBen } from '../sharing.ts';

const newId = () => crypto.randomUUID() as Id;

describe('comments and assignees of a shared list', () => {
  let stage: Awaited<ReturnType<typeof shareWithBen>>;
  before(async () => {
    stage = await shareWithBen();
  });
  after(() => stage.server.close());

  /** A comment as it is sent. */
  const comment = (scope: string, task: Id, text: string, fields: Record<string, unknown> = {}) => {
    const id = newId();
    return {
      id,
      said: { a: 'create', id, scope, type: 'comment', fields: { text, ...fields }, place: { parent: task } },
    };
  };

  async function apiOf({ account }: { readonly account: number }) {
    const { server } = stage;
    const opened = await server.services.sessions.open({ account, kind: 'api', userAgent: '' });
    return async (method: string, path: string, body?: unknown) => {
      const answer = await server.ask(path, {
        method,
        bearer: opened.token,
        ...(body === undefined ? {} : { body }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
  }

  test('[SHARE-165] the author is who wrote it; others change nothing, the owner takes it away and back', async () => {
    const { ann, ben, tasks, scope } = stage;
    const bens = comment(scope, tasks[0], 'Which train?');
    await ben.act(bens.said);
    const row = (await ann.rows(scope)).get(bens.id);
    assert.equal((must(row, 'the comment').f as { author?: number }).author, ben.account);
    const forged = comment(scope, tasks[0], 'I said so', { author: ann.account });
    assert.deepEqual(await ben.verdicts(forged.said), ['forbidden']);
    const change = { a: 'set', id: bens.id, scope, field: 'text', value: 'Other' };
    assert.deepEqual(await ann.verdicts(change), ['forbidden']);
    assert.deepEqual(
      await ann.verdicts({ a: 'set', id: bens.id, scope, field: 'author', value: ann.account }),
      ['forbidden'],
    );
    assert.deepEqual(await ben.verdicts(change), ['ok']);
    const anns = comment(scope, tasks[0], 'The first one.');
    await ann.act(anns.said);
    assert.deepEqual(await ben.verdicts({ a: 'delete', id: anns.id, scope }), ['forbidden']);
    assert.deepEqual(await ann.verdicts({ a: 'delete', id: bens.id, scope }), ['ok']);
    assert.deepEqual(await ann.verdicts({ a: 'restore', id: bens.id, scope }), ['ok']);
  });

  test('[SHARE-166] both go with their task to a private list and back, and with it for good', async () => {
    const { ann, ben, list, scope } = stage;
    const task = await ann.task('Buy tickets', list);
    const said = comment(scope, task, 'Not too late');
    await ben.act(said.said);
    await ann.act({ a: 'set', id: task, scope, field: 'assignee', value: ben.account });
    const own = await ann.list('Mine');
    await ann.act({ a: 'place', id: task, scope, place: { parent: own } });
    const there = await ann.rows(ann.personalScope);
    assert.deepEqual(
      [there.get(said.id)?.scope, (must(there.get(said.id), 'the comment').f as { author?: number }).author],
      [ann.personalScope, ben.account],
    );
    assert.equal((must(there.get(task), 'the task').f as { assignee?: number }).assignee, ben.account);
    assert.equal((await ben.rows()).get(said.id), undefined, 'who does not see the task sees no comment');
    await ann.act({ a: 'place', id: task, scope: ann.personalScope, place: { parent: list } });
    assert.equal((await ben.rows()).get(said.id)?.scope, scope);
    // As people see it on the device: the trash with the time at which it was put there.
    await ann.act({ a: 'delete', id: task, scope });
    const { at } = (must((await ann.rows(scope)).get(task), 'the task').f as { del: { at: number } }).del;
    const purged = await ann.call('POST trash', { items: [{ id: task, at }] });
    assert.equal(purged.status, 200, await purged.text());
    const left = await ann.rows(scope);
    assert.deepEqual([left.has(task), left.has(said.id)], [false, false]);
  });

  test('[SHARE-169] the API tells and sets whose a task is, and counts comments', async () => {
    const { ann, ben, tasks, scope } = stage;
    const api = await apiOf(ann);
    const [, pack] = tasks;
    await ben.act(comment(scope, pack, 'One').said, comment(scope, pack, 'Two').said);
    const set = await api('PATCH', `/tasks/${pack}`, { assignee_user_id: ben.account });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    const read = (await api('GET', `/tasks/${pack}`)).body['task'] as Record<string, unknown>;
    assert.deepEqual([read['assignee_user_id'], read['comment_count']], [ben.account, 2]);
    const found = (await api('GET', '/tasks?query=assignee:me')).body['tasks'] as readonly {
      readonly id: string;
    }[];
    assert.deepEqual(found, []);
    const others = (await (await apiOf(ben))('GET', '/tasks?query=assignee:me')).body['tasks'] as readonly {
      readonly id: string;
    }[];
    assert.deepEqual(
      others.map(({ id }) => id),
      [pack],
    );
    const stranger = await api('PATCH', `/tasks/${pack}`, { assignee_user_id: 9_999 });
    assert.equal(stranger.status, 422);
    assert.match(JSON.stringify(stranger.body), /isn't in the list/);
    const own = await ann.task('Alone', await ann.list('Private'));
    const alone = await api('PATCH', `/tasks/${own}`, { assignee_user_id: ben.account });
    assert.match(JSON.stringify(alone.body), /Share the list first/);
    assert.equal((await api('PATCH', `/tasks/${pack}`, { assignee_user_id: null })).status, 200);
    const after_ = (await api('GET', `/tasks/${pack}`)).body['task'] as Record<string, unknown>;
    assert.equal(after_['assignee_user_id'], null);
  });
});
