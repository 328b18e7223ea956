// An answer that is a text: on the wire as the Response of it would be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { TextAnswer } from './text-answer.ts';

function made(): TextAnswer {
  const answer = new TextAnswer('{"title":"é"}', 202, { 'content-type': 'application/json' });
  answer.headers.append('vary', 'Accept-Encoding');
  answer.headers.append('vary', 'Origin');
  answer.headers.append('set-cookie', 'a=1');
  answer.headers.append('set-cookie', 'b=2');
  answer.headers.set('x-request-id', 'first');
  answer.headers.set('x-request-id', 'last');
  return answer;
}

describe('an answer that is a text', () => {
  test('reads and writes headers as Headers do', () => {
    const { headers } = made();
    assert.equal(headers.get('vary'), 'Accept-Encoding, Origin');
    assert.equal(headers.get('x-request-id'), 'last');
    assert.equal(headers.has('content-type'), true);
    assert.equal(headers.has('etag'), false);
    assert.equal(headers.get('etag'), null);
  });

  test('is sent whole with its length, and is the same as a Response', async () => {
    const server = createServer((_request, outgoing) => made().sendTo(outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const sent = await fetch(`http://127.0.0.1:${port}/`);
      const same = made().toResponse();
      assert.equal(sent.status, same.status);
      assert.equal(sent.headers.get('content-length'), '14');
      assert.deepEqual(sent.headers.getSetCookie(), ['a=1', 'b=2']);
      for (const [name, value] of same.headers)
        if (name !== 'set-cookie') assert.equal(sent.headers.get(name), value, name);
      assert.equal(await sent.text(), await same.text());
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
