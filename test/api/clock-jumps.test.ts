// The wall clock of the server jumps half a day ahead and back: nobody is signed out, nothing is lost, removed before its
// time or set off.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingId, type Id } from '#core/ids.ts';
import { createPatientClock, createSettlingClock } from '#server/clock.ts';
import { protocolVersion } from '#wire/version.ts';
import { createManualClock, createTestServer } from './harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('a server whose clock jumps', () => {
  test('keeps everybody signed in and takes what devices send, before, between and after', async () => {
    const server = await createTestServer();
    const { clock } = server;
    const { cookie, personalScope } = await server.signUp('person@example.org');
    const scope = personalScope as Id;
    const device = crypto.randomUUID();
    let q = 0;
    const sent = new Set<Id>();
    const write = async () => {
      q += 1;
      const fields = { key: `key-${q}`, value: q };
      const id = settingId(scope, fields.key);
      const operation = { q, u: crypto.randomUUID(), scope, t: clock.now(), b: 0, a: 'create', id };
      const ops = [{ ...operation, type: 'setting', fields }];
      const head = { schema: protocolVersion, device, clientNow: clock.now(), ack: 0, cursors: {} };
      const response = await server.ask('/sync/v1', { method: 'POST', cookie, body: { ...head, ops } });
      assert.deepEqual(((await response.json()) as { results: unknown }).results, [[q, 'ok']]);
      sent.add(id);
    };
    for (const jump of [12 * HOUR, -12 * HOUR, -12 * HOUR, 12 * HOUR]) {
      await write();
      clock.setWall(clock.now() + jump);
      assert.equal((await server.ask('/app/api/me', { cookie })).status, 200);
      await write();
      clock.pass(60_000);
    }
    const { rows } = (await (await server.ask(`/snapshot/v1/${scope}`, { cookie })).json()) as {
      rows: { id: Id }[];
    };
    assert.deepEqual(new Set(rows.map(({ id }) => id)), sent);
    await server.close();
  });

  test('a proof of who one is does not last longer because the clock was put back', async () => {
    const server = await createTestServer();
    const { clock } = server;
    const { cookie } = await server.signUp('person@example.org');
    const isConfirmed = async () => {
      const response = await server.ask('/app/api/security', { cookie });
      return ((await response.json()) as { isConfirmed: boolean }).isConfirmed;
    };
    assert.equal(await isConfirmed(), true);
    clock.setWall(clock.now() - 12 * HOUR);
    assert.equal(await isConfirmed(), false);
    await server.close();
  });

  test('what is removed for good is removed by the time that passed', () => {
    const clock = createManualClock();
    const patient = createPatientClock(clock);
    const before = clock.now();
    clock.setWall(before + 40 * DAY);
    clock.pass(HOUR);
    assert.equal(patient.now(), before + HOUR);
    clock.setWall(before - 12 * HOUR);
    assert.equal(patient.now(), before - 12 * HOUR);
  });

  test('a jump ahead sets nothing off until it has lasted, and nothing at all when it is taken back', () => {
    const clock = createManualClock();
    const settling = createSettlingClock(clock);
    const before = clock.now();
    assert.equal(settling.now(), before);
    clock.setWall(before + 12 * HOUR);
    assert.equal(settling.now(), before);
    clock.pass(60_000);
    assert.equal(settling.now(), before + 60_000);
    clock.setWall(before + 60_000);
    clock.pass(10 * 60_000);
    assert.equal(settling.now(), clock.now(), 'taken back');
    clock.setWall(clock.now() + 12 * HOUR);
    settling.now();
    clock.pass(2 * 60_000);
    assert.equal(settling.now(), clock.now(), 'it has lasted');
    clock.setWall(clock.now() - 12 * HOUR);
    assert.equal(settling.now(), clock.now(), 'a jump back is believed at once: it sets nothing off');
  });
});
