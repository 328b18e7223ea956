// Scripts are fetched before they are imported, each once, and again when one could not be had.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFetchAhead } from './fetch-ahead.ts';

const SCRIPT = 'text/javascript; charset=utf-8';

/** A server whose files and failures the test changes; what is asked of it is counted. */
function createServer() {
  const asked: string[] = [];
  const refused = new Set<string>();
  /** Of which the connection is cut after the answer has begun. */
  const cut = new Set<string>();
  let type = SCRIPT;
  const bring = createFetchAhead(async (name) => {
    asked.push(name);
    if (refused.has(name)) throw new TypeError('Failed to fetch');
    return {
      ok: !name.startsWith('gone-'),
      headers: { get: () => type },
      blob: () => (cut.has(name) ? Promise.reject(new TypeError('network error')) : Promise.resolve()),
    };
  });
  return { bring, asked, refused, cut, say: (next: string) => (type = next) };
}

describe('[KEY-41] what is fetched before it is imported', () => {
  test('is asked for once', async () => {
    const { bring, asked } = createServer();
    await bring(['door.js', 'shared.js']);
    await bring(['door.js', 'shared.js']);
    assert.deepEqual(asked, ['door.js', 'shared.js']);
  });

  test('is asked for again after it could not be had, and only that', async () => {
    const { bring, asked, refused } = createServer();
    refused.add('shared.js');
    await assert.rejects(bring(['door.js', 'shared.js']));
    refused.clear();
    await bring(['door.js', 'shared.js']);
    assert.deepEqual(asked, ['door.js', 'shared.js', 'shared.js']);
  });

  test('has come as a whole', async () => {
    const { bring, asked, cut } = createServer();
    cut.add('door.js');
    await assert.rejects(bring(['door.js']), /network error/);
    cut.clear();
    await bring(['door.js']);
    assert.deepEqual(asked, ['door.js', 'door.js']);
  });

  test('is no page that a network sends in the place of a script, nor an error', async () => {
    const { bring, say } = createServer();
    say('text/html');
    await assert.rejects(bring(['door.js']), /cannot be had/);
    say(SCRIPT);
    await bring(['door.js']);
    await assert.rejects(bring(['gone-door.js']), /cannot be had/);
  });
});
