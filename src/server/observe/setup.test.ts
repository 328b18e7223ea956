// What is not set up, by name and in words, from what the environment says; no value of a variable is in it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../config.ts';
import { notSetUp, setUpBlock } from './setup.ts';

function configOf(environment: Readonly<Record<string, string>>) {
  const read = readConfig(environment);
  assert.ok(read.ok);
  return read.value;
}

describe('what is not set up', () => {
  test('is all that needs somebody else, where nothing was set', () => {
    const names = notSetUp(configOf({})).map(({ name }) => name);
    assert.deepEqual(names, [
      'public-url',
      'outgoing-mail',
      'incoming-mail',
      'push',
      'object-storage',
      'download',
      'app-store',
      'social',
      'community',
    ]);
  });

  test('goes from the list when it is set, and no value is ever in it', () => {
    const secret = 'hunter2';
    const config = configOf({
      PUBLIC_URL: 'https://tasks.example.org',
      SMTP_URL: `smtp://name:${secret}@mail.example.org`,
      BLOB_URL: `s3://key:${secret}@host.example.org/bucket`,
      BACKUPS: 'off',
    });
    const block = setUpBlock(config);
    for (const name of ['public-url', 'outgoing-mail', 'push', 'object-storage'])
      assert.doesNotMatch(block, new RegExp(`^  ${name}:`, 'm'));
    assert.match(block, /^ {2}backups: /m);
    assert.doesNotMatch(block, /hunter2|example\.org/);
  });
});
