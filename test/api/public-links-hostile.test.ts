// What somebody tries who wants more of a public link than it permits: other methods, forms of other sites, looks that leave no trace,
// bodies of any size, floods.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { callLinks, linkedList } from '../public-links.ts';
import { told } from '../sharing.ts';

const PATHS = ['', '/tasks', '/stream', '/logo', '/changes'];

describe('a public link in hostile hands', () => {
  let world: Awaited<ReturnType<typeof linkedList>>;
  before(async () => {
    world = await linkedList();
  });
  after(() => world.server.close());

  test('[PUBLIC-2] no other method does anything, and no other site may read or write', async () => {
    const { visitor } = world;
    const origin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const path of PATHS)
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', path === '/changes' ? 'GET' : 'POST']) {
        const answer = await visitor.ask(path, { method, headers: origin });
        assert.ok([404, 405].includes(answer.status), `${method} ${path}: ${answer.status}`);
        assert.equal(answer.headers.get('access-control-allow-origin'), null);
      }
    const { id } = await visitor.task('Pack');
    const form = { method: 'POST', raw: new TextEncoder().encode(JSON.stringify({ do: 'complete', id })) };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await visitor.ask('/changes', { ...form, headers: { ...origin, 'content-type': type } });
      assert.ok(answer.status >= 400 && answer.status < 500, `${type}: ${answer.status}`);
    }
    assert.equal((await visitor.task('Pack')).isDone, undefined);
  });

  test('[PUBLIC-8] a question for the head alone says no more, and is no visit', async () => {
    const { ann, list, visitor } = world;
    const visits = async () => (await callLinks(ann, list, 'GET')).links[0]?.visits;
    const had = await visits();
    for (const path of ['', '/tasks', '/stream']) {
      const answer = await visitor.ask(path, { method: 'HEAD' });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(await answer.text(), '');
    }
    assert.equal(await visits(), had);
  });

  test('[PUBLIC-2] what is too large, or tries to be more than data, is refused in words', async () => {
    const { visitor } = world;
    const { id } = await visitor.task('Pack');
    const large = await told(visitor.change({ do: 'notes', id, was: '', notes: 'x'.repeat(70_000) }));
    assert.equal(large.status, 413);
    assert.match(String(large['message']), /\w+ \w+/);
    const raw = (text: string) =>
      visitor.ask('/changes', { method: 'POST', raw: new TextEncoder().encode(text) });
    const sly = [
      `{"do":"title","id":"${id}","title":"x","__proto__":{"may":31}}`,
      `{"do":"title","id":"${id}","title":"a\\u0000b"}`,
      `{"do":"title","id":"${id}","title":"\\ud800"}`,
      `{"do":"complete","id":"${id}","nick":"${'n'.repeat(41)}"}`,
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '{"do":',
    ];
    for (const text of sly) {
      const answer = await raw(text);
      assert.ok([400, 422].includes(answer.status), `${text.slice(0, 60)}: ${answer.status}`);
    }
    assert.equal((await visitor.task('Pack')).title, 'Pack');
  });

  test('[PUBLIC-15] of ten thousand questions a minute answers those that it may, and then goes on', async () => {
    const { server, visitor } = await linkedList({ environment: { RATE_LIMITS: 'default' } });
    try {
      let answered = 0;
      for (let at = 0; at < 10_000; at += 1) {
        const { status, body } = await visitor.ask('/logo');
        await body?.cancel();
        if (status !== 429) answered += 1;
      }
      assert.equal(answered, 120);
      server.clock.pass(60_000);
      assert.equal((await visitor.ask()).status, 200);
    } finally {
      await server.close();
    }
  });
});
