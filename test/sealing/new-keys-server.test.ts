// What a whole server asks of a new key and of a directory that is told again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openHousehold } from './server-world.ts';

const AN_HOUR = 3_600_000;
const NEXT = { phase: 'sealing', generation: 2 } as const;
const SEALED = { phase: 'sealed', generation: 1 } as const;

describe('a new key at the server', () => {
  test('[SEAL-192] it asks for the person, and isn’t made over wraps that its device has not seen', async () => {
    const { home, close } = await openHousehold();
    await home.seal();
    home.server.clock.pass(AN_HOUR);
    assert.equal((await home.asks('rotate', NEXT)).body['code'], 'confirm_first');
    await home.confirm();
    const { wrapsVersion } = (await home.read()).at;
    const changed = await home.ask('/sealing/v1/wraps', { wrapsVersion, wraps: { passphrase: 'another' } });
    assert.equal(changed.status, 200);
    const late = await home.asks('rotate', NEXT, { wraps: home.wraps(), wrapsVersion });
    assert.deepEqual([late.status, late.body['code']], [409, 'moved']);
    assert.deepEqual((await home.read()).state, SEALED);
    const wraps = { ...home.wraps(), passphrase: null };
    const made = await home.asks('rotate', NEXT, { wraps, wrapsVersion: wrapsVersion + 1 });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const read = await home.read();
    assert.deepEqual([read.state, Object.keys(read.wraps)], [NEXT, ['code']]);
    await close();
  });

  test('[SEAL-193] a directory is told again in the present state and with a later number alone, without asking for the person', async () => {
    const { home, close } = await openHousehold();
    await home.seal();
    home.server.clock.pass(AN_HOUR);
    const tell = async (directory: unknown) => {
      const { status, body } = await home.ask<Record<string, unknown>>('/sealing/v1/directory', {
        directory,
      });
      return [status, body['code'] ?? null];
    };
    const before = await home.read();
    assert.deepEqual(await tell(home.directory(SEALED, home.n)), [409, 'moved']);
    assert.deepEqual(await tell(home.directory(NEXT)), [422, 'invalid']);
    assert.deepEqual(await tell({ body: '{}', mac: '' }), [422, 'invalid']);
    assert.deepEqual(await tell('nothing'), [422, 'invalid']);
    assert.deepEqual(await home.read(), before);
    const later = home.directory(SEALED);
    assert.deepEqual(await tell(later), [200, null]);
    const after = await home.read();
    assert.deepEqual([after.directory, after.state, after.wraps], [later, SEALED, before.wraps]);
    await close();
  });
});
