// Scripts are fetched before they are imported, each once, and again when one could not be had.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFetchAhead } from './fetch-ahead.ts';

const SCRIPT = 'text/javascript; charset=utf-8';

/** A server whose files and failures the test changes; what is asked of it is counted. */
function createServer(files: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const refused = new Set<string>();
  let type = SCRIPT;
  const ahead = createFetchAhead({
    folder: '/assets/',
    isRunning: (name) => name.startsWith('page-'),
    ask: async (address) => {
      const name = address.replace('/assets/', '');
      asked.push(name);
      if (refused.has(name)) throw new TypeError('Failed to fetch');
      return {
        ok: name in files,
        headers: { get: () => type },
        text: () => Promise.resolve(files[name] ?? ''),
      };
    },
  });
  return { ahead, asked, refused, say: (next: string) => (type = next) };
}

const FILES = {
  'door-aaaaaaaa.js':
    'import{a}from"./shared-bbbbbbbb.js";import"./page-dddddddd.js";import(`./later-cccccccc.js`)',
  'shared-bbbbbbbb.js': 'import { b } from "./door-aaaaaaaa.js";',
};

describe('[KEY-41] what is fetched before it is imported', () => {
  test('is a script and all that it imports at once, each asked for once', async () => {
    const { ahead, asked } = createServer(FILES);
    const names = ahead.lazyIn('()=>import(`./door-aaaaaaaa.js`)');
    assert.deepEqual(names, ['door-aaaaaaaa.js']);
    await ahead.bring(names);
    await ahead.bring(names);
    assert.deepEqual(asked, ['door-aaaaaaaa.js', 'shared-bbbbbbbb.js']);
  });

  test('is asked for again after it could not be had, and only that', async () => {
    const { ahead, asked, refused } = createServer(FILES);
    refused.add('shared-bbbbbbbb.js');
    await assert.rejects(ahead.bring(['door-aaaaaaaa.js']));
    refused.clear();
    await ahead.bring(['door-aaaaaaaa.js']);
    assert.deepEqual(asked, ['door-aaaaaaaa.js', 'shared-bbbbbbbb.js', 'shared-bbbbbbbb.js']);
  });

  test('is no page that a network sends in the place of a script, nor an error', async () => {
    const { ahead, say } = createServer(FILES);
    say('text/html');
    await assert.rejects(ahead.bring(['door-aaaaaaaa.js']), /cannot be had/);
    say(SCRIPT);
    await ahead.bring(['door-aaaaaaaa.js']);
    await assert.rejects(ahead.bring(['gone-eeeeeeee.js']), /cannot be had/);
  });
});
