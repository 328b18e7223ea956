// Labels by name in the public API where shared lists have labels of their own: writing, taking off, smart lists.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { labelsRoot, mineId, type Id } from '#core/ids.ts';
import type { ApiLabel, ApiTask } from '#wire/api/objects.ts';
import { labelsNamedOn } from '#sync/rows/label-mapping.ts';
import { asRow, type LooseRow } from '#sync/rows/row.ts';
import { shareWithBen } from '../sharing.ts';

const newId = () => crypto.randomUUID() as Id;

describe('labels by name in the API', () => {
  let stage: Awaited<ReturnType<typeof shareWithBen>>;
  let api: (method: string, path: string, body?: unknown) => Promise<Answer>;
  before(async () => {
    stage = await shareWithBen();
    const { server, ann } = stage;
    const { token } = await server.services.sessions.open({
      account: ann.account,
      kind: 'api',
      userAgent: '',
    });
    api = async (method, path, body) => {
      const sent = body === undefined ? {} : { body };
      const answer = await server.ask(path, { method, bearer: token, ...sent });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      return JSON.parse(text) as Answer;
    };
  });
  after(() => stage.server.close());

  interface Answer {
    readonly task: ApiTask;
    readonly tasks: readonly ApiTask[];
    readonly label: ApiLabel;
    readonly labels: readonly ApiLabel[];
    readonly list: { readonly id: string };
    readonly warnings?: readonly string[];
  }

  /** A label of Ann's own, or of the list. */
  async function label(name: string, scope: string, fields: Record<string, unknown> = {}): Promise<Id> {
    const id = newId();
    const place = { parent: labelsRoot(scope as Id) };
    await stage.ann.act({ a: 'create', id, scope, type: 'label', fields: { name, ...fields }, place });
    return id;
  }

  /** The labels that stand on the task for everybody, and those that Ann alone has put on it. */
  async function worn(task: string) {
    const { ann } = stage;
    const rows = await ann.rows();
    const on = (id: Id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const read = asRow({ ...row, fields: row.f } as unknown as LooseRow);
      return labelsNamedOn({ ...read, stamps: {} })
        .filter(({ isOn }) => isOn)
        .map(({ label: of }) => of);
    };
    return { shared: on(task as Id), own: on(mineId(ann.personalScope as Id, task as Id)) };
  }

  test('[SHARE-284] a name is the label of the scope of the task, then a private one, then made there', async () => {
    const { ann, list, scope } = stage;
    const [mine, theirs] = [await label('Urgent', ann.personalScope), await label('Urgent', scope)];
    const secret = await label('Secret', ann.personalScope, { visibility: 'private' });
    const house = await label('House', ann.personalScope);
    const there = (await api('POST', '/tasks', { title: 'T', list_id: list, label_names: ['Urgent'] })).task;
    assert.deepEqual([there.label_ids, there.label_names], [[theirs], ['Urgent']]);
    const here = (await api('POST', '/tasks', { title: 'M', label_names: ['Urgent', 'Secret'] })).task;
    assert.deepEqual(here.label_ids.toSorted(), [mine, secret].toSorted());
    await api('PATCH', `/tasks/${there.id}`, { add_label_names: ['Secret'] });
    assert.deepEqual(await worn(there.id), { shared: [theirs], own: [secret] });
    const made = await api('PATCH', `/tasks/${there.id}`, { label_names: ['Urgent', 'House', 'Nowhere'] });
    assert.deepEqual(made.task.label_names.toSorted(), ['House', 'Urgent']);
    assert.ok(!made.task.label_ids.includes(house), 'the list has a label of its own');
    assert.deepEqual(made.warnings, ['There\'s no label named "Nowhere".']);
    assert.deepEqual((await worn(there.id)).own, []);
    // The label of another scope by its id means its name; letters are the same however they are composed.
    const byId = await api('PATCH', `/tasks/${there.id}`, { label_ids: [mine] });
    assert.deepEqual(byId.task.label_ids, [theirs]);
    const back = await api('PATCH', `/tasks/${here.id}`, { label_ids: [theirs] });
    assert.deepEqual(back.task.label_ids, [mine]);
    const cafe = await label('Café', scope);
    const composed = await api('PATCH', `/tasks/${there.id}`, { label_names: ['Cafe\u0301'] });
    assert.deepEqual(composed.task.label_ids, [cafe]);
  });

  test('[SHARE-285] a name is taken off whichever label bears it, and put on once', async () => {
    const { ann, list } = stage;
    const secret = await label('Both', ann.personalScope, { visibility: 'private' });
    const body = { title: 'Two', list_id: list, label_ids: [secret] };
    const { id } = (await api('POST', '/tasks', body)).task;
    assert.deepEqual((await worn(id)).own, [secret]);
    const theirs = await label('Both', stage.scope);
    await api('PATCH', `/tasks/${id}`, { add_label_names: ['Both'] });
    assert.deepEqual(await worn(id), { shared: [], own: [secret] });
    await api('PATCH', `/tasks/${id}`, { add_label_ids: [theirs] });
    assert.deepEqual(await worn(id), { shared: [theirs], own: [secret] });
    await api('PATCH', `/tasks/${id}`, { remove_label_names: ['Both'] });
    assert.deepEqual(await worn(id), { shared: [], own: [] });
    // The id of one’s own label takes off what stands for it.
    const mine = await label('Mark', ann.personalScope);
    await api('PATCH', `/tasks/${id}`, { add_label_ids: [mine] });
    assert.equal((await worn(id)).shared.length, 1);
    await api('PATCH', `/tasks/${id}`, { remove_label_ids: [mine] });
    assert.deepEqual(await worn(id), { shared: [], own: [] });
    const strict = await api('POST', '/labels', { name: 'Both2', strict: true });
    await label('Both2', stage.scope);
    assert.equal(
      (await api('PATCH', `/labels/${strict.label.id}`, { name: 'Both2', strict: true })).warnings,
      undefined,
    );
  });

  test('[SHARE-286] smart lists find the tasks of all scopes by name or id, after sharing and back', async () => {
    const { ann } = stage;
    const mine = await label('Hot', ann.personalScope);
    const list = await ann.list('Garden');
    const inList = (await api('POST', '/tasks', { title: 'Weeds', list_id: list, label_names: ['Hot'] }))
      .task;
    await api('POST', '/tasks', { title: 'Tea', label_names: ['Hot'] });
    const smart: string[] = [];
    for (const query of ['label:hot', `label:${mine}`])
      smart.push(
        (await api('POST', '/lists', { name: query, list_type: 'smart', smart_list_query: query })).list.id,
      );
    const found = async () => {
      const all = [];
      for (const id of smart) {
        const { tasks, warnings } = await api('GET', `/tasks?list_id=${id}`);
        assert.equal(warnings, undefined);
        all.push(
          tasks
            .map(({ title }) => title)
            .toSorted()
            .join(),
        );
      }
      return all;
    };
    assert.deepEqual(await found(), ['Tea,Weeds', 'Tea,Weeds']);
    await ann.share(list);
    const { task } = await api('GET', `/tasks/${inList.id}`);
    assert.notDeepEqual(task.label_ids, [mine]);
    assert.deepEqual(await found(), ['Tea,Weeds', 'Tea,Weeds']);
    await api('POST', '/tasks', { title: 'Hedge', list_id: list, label_names: ['Hot'] });
    assert.deepEqual(await found(), ['Hedge,Tea,Weeds', 'Hedge,Tea,Weeds']);
    const back = await ann.call(`POST sharing/lists/${list}/private`);
    assert.equal(back.status, 200, await back.text());
    assert.deepEqual(await found(), ['Hedge,Tea,Weeds', 'Hedge,Tea,Weeds']);
    assert.deepEqual((await api('GET', `/tasks/${inList.id}`)).task.label_ids, [mine]);
  });
});
