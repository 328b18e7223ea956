// Runs in a copy of the tree that has one more task field, `zest` (new-field.test.ts): it is written, sent, found, sorted by,
// shown, remembered, exported and imported. Here that register is not known, so its name is a plain text everywhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseOpml } from '#core/formats/opml.ts';
import { parseCsv } from '#core/formats/csv.ts';
import { explainQuery } from '#core/search/explain.ts';
import { parseQuery } from '#core/search/parse.ts';
import { openApiDocument } from '#wire/api/openapi.ts';
import { predicateOf } from '#client/history/sentences.ts';
import type { DateContext } from '#client/clock/dates.ts';
import { checkRegister } from '#wire/registers.ts';
import { registersOf } from '#sync/rows/row.ts';
import type { Id } from '#core/ids.ts';
import { withApi } from '../api/api-world.ts';
import { Desk, given } from '../keystrokes/desk.ts';
import { loadEverything } from '../keystrokes/everything.ts';

await loadEverything();

const idAt = (desk: Desk, line: number) => desk.rows()[line]?.id as Id;
const titles = (desk: Desk) =>
  desk
    .rows()
    .map(({ title }) => title)
    .join(' ');

/** Three tasks; the first takes much zest, the second little. */
function desk(): Desk {
  const made = new Desk('> Dig\n  Rest\n  Read');
  made.replica.issue([{ a: 'set', id: idAt(made, 0), field: 'zest', value: 'high' }]);
  made.replica.issue([{ a: 'set', id: idAt(made, 1), field: 'zest', value: 'low' }]);
  return made;
}

describe('a field that was added', () => {
  test('is checked on the wire and stored', () => {
    assert.equal(checkRegister('task', 'zest', 'high'), null);
    assert.equal(checkRegister('task', 'zest', null), null);
    assert.notEqual(checkRegister('task', 'zest', 'purple'), null);
    const made = desk();
    assert.equal(registersOf(made.replica.row(idAt(made, 0)))['zest'], 'high');
  });

  test('is found and explained', () => {
    const made = desk();
    made.press('/');
    for (const [query, expected] of [
      ['zest:high', 'Dig'],
      ['zest:<=medium', 'Rest'],
      ['has:zest', 'Dig Rest'],
      ['zest:none', 'Read'],
      ['sort:zest', 'Rest Dig Read'],
      ['sort:zest-desc', 'Dig Rest Read'],
    ] as const) {
      made.app.searchInput(query);
      assert.equal(titles(made), expected, query);
    }
    assert.equal(explainQuery(parseQuery('zest:>=medium')), 'tasks needing at least medium zest');
    assert.equal(parseQuery('zest:purple').problems[0]?.hint, 'medium');
  });

  test('is sorted by, shown and remembered', () => {
    const made = desk();
    made.app.run('list.sort', { by: 'zest asc' });
    assert.equal(titles(made), 'Rest Dig Read');
    made.app.run('task.details');
    const details = made.app.view.dialog.get();
    assert.ok(details?.type === 'details');
    assert.ok(details.details.facts.some(({ name, text }) => name === 'Zest' && text === 'high zest'));
    const id = idAt(made, 0);
    const change = { id, kind: 'set', field: 'zest', before: 'low', after: 'high', back: null } as const;
    const dates = { now: made.timers.now, zone: 'UTC', locale: 'en' } as unknown as DateContext;
    assert.equal(
      predicateOf(change, { replica: made.replica, dates, settings: [] }),
      'changed the zest from low zest to high zest',
    );
  });

  test('goes out and comes back in files', async () => {
    const made = desk();
    made.app.run('export.accountJson');
    await made.settle();
    const [file] = made.files;
    assert.match(file?.text ?? '', /"zest":"high"/);
    const other = new Desk('> A');
    other.sources = [given('all.json', file?.text ?? '')];
    other.app.run('file.import');
    await other.settle();
    const fields = [...other.replica.all()].map((row) => registersOf(row)['zest']);
    assert.deepEqual(new Set(fields.filter((value) => value !== undefined)), new Set(['high', 'low']));

    const table = parseCsv('title,Zest\nDig,high\nRest,purple');
    assert.ok(table.ok);
    assert.deepEqual(
      table.value.lists[0]?.tasks.map(({ scalars }) => (scalars as Record<string, string>)['zest']),
      ['high', 'purple'],
    );
    const outline = parseOpml('<opml version="2.0"><body><outline text="Dig" zest="low"/></body></opml>');
    assert.ok(outline.ok);
    assert.equal(JSON.stringify(outline.value.lists[0]?.tasks[0]?.scalars).includes('"zest":"low"'), true);
    const third = new Desk('> A');
    third.app.openFiles([given('all.csv', 'title,Zest\nDig,high\nRest,purple')]);
    await third.rehearsed();
    third.press('Enter');
    const made2 = [...third.replica.all()].map((row) => registersOf(row));
    assert.equal(made2.find(({ title }) => title === 'Dig')?.['zest'], 'high');
    assert.match(String(made2.find(({ title }) => title === 'Rest')?.notes), /Zest: purple/);
  });

  test('is written and read by the API', () =>
    withApi(async (user) => {
      const made = await user.task({ title: 'Dig', zest: 'high' });
      assert.equal((made as Record<string, unknown>)['zest'], 'high');
      const changed = await user.change(made.id, { zest: 'low' });
      assert.equal((changed as Record<string, unknown>)['zest'], 'low');
      const { status, body } = await user.call('POST', '/tasks', { title: 'Dig', zest: 'purple' });
      assert.deepEqual([status, body['field']], [422, 'zest']);
      const bare = await user.task({ title: 'Read' });
      assert.equal((bare as Record<string, unknown>)['zest'], null);
      assert.match(JSON.stringify(openApiDocument()), /"zest":\{[^}]*"enum":\["low","medium","high"/);
    }));
});
