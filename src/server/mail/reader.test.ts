// The thread that reads messages, when one of them never ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createReader } from './reader.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

describe('reading messages in a thread', () => {
  test('[MAIL-5] gives up on one that takes too long, and reads the next', async () => {
    const reader = createReader(200);
    const easy = () => reader.read(bytesOf('Message-ID: <easy@x>\r\nSubject: Easy\r\n\r\nText\r\n'));
    assert.equal((await easy()).draft?.title, 'Easy');
    // Millions of lines: far more than can be read in the time that its size is given.
    const hard = bytesOf(`Message-ID: <hard@x>\r\nSubject: Hard\r\n\r\n${'\n'.repeat(12_000_000)}x`);
    const [given, after] = await Promise.all([reader.read(hard), easy()]);
    assert.equal(given.draft, null);
    assert.equal(given.scan?.messageId, '<hard@x>', 'but it is known which one it was');
    assert.equal(after.draft?.title, 'Easy');
    await reader.close();
  });
});
