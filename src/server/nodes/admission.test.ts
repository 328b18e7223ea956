// Which servers go together on one database, and what the operator reads when they don't.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSealing, createServerKey } from '../accounts/sealing.ts';
import type { NodeSelf } from '../data/presence.ts';
import { parseBucket } from '../files/bucket.ts';
import { createAdmission, hindranceOf } from './admission.ts';
import { selfOf } from './self.ts';

const key = createServerKey();

function server(changes: Partial<NodeSelf> = {}): NodeSelf {
  const bucket = parseBucket('s3://key:secret@storage.example.org/tasks');
  return { ...selfOf({ id: 'a', build: '1', protocol: 8, sealing: createSealing(key), bucket }), ...changes };
}

const said = (self: NodeSelf, others: readonly NodeSelf[], activated = 8) =>
  hindranceOf(self, others, activated)?.message ?? null;

describe('a server that joins others', () => {
  test('[NODE-1] needs their key, which nobody learns from what it says of itself', () => {
    const sealing = createSealing(createServerKey());
    const other = selfOf({ id: 'b', build: '1', protocol: 8, sealing, bucket: null });
    assert.match(String(said(server(), [other])), /Give all of them the same SERVER_KEY/);
    assert.notEqual(other.keyFingerprint, server().keyFingerprint);
    assert.equal(said(server(), [server({ id: 'b' })]), null);
    for (const form of ['base64', 'base64url', 'hex'] as const)
      assert.ok(!JSON.stringify(server()).includes(Buffer.from(key).toString(form).slice(0, 12)));
  });

  test('[NODE-3] needs files where the others find them; alone it may keep them in its folder', () => {
    const own = server({ bucket: null });
    assert.equal(said(own, []), null);
    assert.match(String(said(own, [server({ id: 'b' })])), /this one keeps files in its own folder/);
    assert.match(String(said(server(), [server({ bucket: null })])), /Another server .* keeps files/);
    assert.match(String(said(server(), [server({ bucket: 'other' })])), /another bucket/);
  });

  test('[NODE-9] needs to understand what is in use', () => {
    assert.match(String(said(server(), [], 9)), /Start the newer version/);
    assert.equal(said(server({ protocol: 9 }), [server({ id: 'b' })], 8), null);
  });

  test('[NODE-3] tries the bucket when it comes to others, and not when it comes back', async () => {
    let tries = 0;
    const create = () =>
      createAdmission({
        self: server(),
        tryFiles: async () => {
          tries += 1;
          if (tries === 1) throw new Error('The storage of files answered 403');
        },
      });
    const alone = create();
    await alone([], 8);
    await alone([server({ id: 'b' })], 8);
    assert.equal(tries, 0);
    const admit = create();
    await assert.rejects(admit([server({ id: 'b' })], 8), /bucket of BLOB_URL does not work: .* 403/);
    await admit([server({ id: 'b' })], 8);
    await admit([server({ id: 'b' })], 8);
    assert.equal(tries, 2);
  });
});
