// Two devices of an account that are paired over the server, by the calls that they make: whose turn it is, who sees what, and what a
// third device and another account come to. On both engines.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import {
  agreement,
  answerPairing,
  beginPairing,
  handOver,
  isAsCommitted,
  takeOver,
} from '#core/sealing/pairing.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { type Pairing, pairingAnswerBodySchema, pairingLimits, pairingsBodySchema } from '#wire/pairing.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { keysOf, seeded } from '../sealing/material.ts';
import { Person } from '../sharing.ts';
import { createTestServer, type TestServer } from './harness.ts';

const PATH = '/app/api/pairings';
const { account: accountKey } = keysOf('pairing calls');
const NOBODY = crypto.randomUUID() as Id;

/** A device that is signed in. */
class Device {
  readonly #person: Person;

  constructor(person: Person) {
    this.#person = person;
  }

  /** Another device of the same account. */
  static async of(person: Person): Promise<Device> {
    const { server, email, account, personalScope, cookie } = person;
    const other = new Person(server, { account, personalScope, cookie }, email);
    await other.signIn();
    return new Device(other);
  }

  async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
    const { server, cookie } = this.#person;
    return await server.ask(`${PATH}${path}`, { method, cookie, ...(body === undefined ? {} : { body }) });
  }

  async status(method: 'GET' | 'POST', path: string, body?: unknown): Promise<number> {
    return (await this.call(method, path, body)).status;
  }

  async said(path: string, body?: unknown): Promise<Pairing> {
    const answer = await this.call(body === undefined ? 'GET' : 'POST', path, body);
    assert.equal(answer.status, 200, await answer.clone().text());
    return pairingAnswerBodySchema.parse(await answer.json()).pairing;
  }

  async waiting(): Promise<readonly Pairing[]> {
    return pairingsBodySchema.parse(await (await this.call('GET', '')).json()).pairings;
  }
}

function suite(open: () => Promise<Database>): void {
  describe('pairing over the server', () => {
    let server: TestServer;
    let count = 0;
    before(async () => {
      server = await createTestServer({ open });
    });
    after(() => server.close());

    /** An account with three devices, and a stranger. */
    async function devices() {
      count += 1;
      const person = await Person.come(server, `ann${count}@example.org`);
      const newer = await Device.of(person);
      const third = await Device.of(person);
      const stranger = new Device(await Person.come(server, `ben${count}@example.org`));
      return { older: new Device(person), newer, third, stranger };
    }

    const begun = async (device: Device, seed = 'new') => {
      const own = beginPairing(seeded(seed));
      return { own, pairing: await device.said('', { commitment: own.commitment }) };
    };

    test('[SEAL-140] the account key goes from the one device to the other, and the server never sees it', async () => {
      const { older, newer } = await devices();
      const { own, pairing } = await begun(newer);
      const [seen] = await older.waiting();
      assert.deepEqual(seen, pairing);
      assert.deepEqual(await newer.waiting(), [], 'nobody answers themselves');

      const theirs = answerPairing(seeded('old'));
      await older.said(`/${pairing.id}/answer`, { oldKey: theirs.publicKey });
      const { oldKey } = await newer.said(`/${pairing.id}`);
      await newer.said(`/${pairing.id}/reveal`, { newKey: own.publicKey, nonce: own.nonce });
      const shown = await older.said(`/${pairing.id}`);
      const [newKey, nonce] = [must(shown.newKey, 'a key'), must(shown.nonce, 'a nonce')];
      assert.equal(isAsCommitted(pairing.commitment, newKey, nonce), true);

      const transcript = { account: 1, newKey, nonce, oldKey: must(oldKey, 'a key') };
      const atOld = must(agreement(theirs.secret, newKey, transcript), 'an agreement');
      const atNew = must(agreement(own.secret, must(oldKey, 'a key'), transcript), 'an agreement');
      assert.deepEqual(atOld.words, atNew.words);
      await older.said(`/${pairing.id}/hand-over`, { handed: handOver(atOld, accountKey, seeded('nonce')) });
      const { handed } = await newer.said(`/${pairing.id}`);
      assert.deepEqual(takeOver(atNew, must(handed, 'a key')), accountKey);
    });

    test('[SEAL-141] each says what is theirs, once, and in order', async () => {
      const { older, newer, third } = await devices();
      const { own, pairing } = await begun(newer);
      const one = `/${pairing.id}`;
      const theirs = answerPairing(seeded('old'));
      const answer = { oldKey: theirs.publicKey };
      const reveal = { newKey: own.publicKey, nonce: own.nonce };
      const handed = { handed: 'A'.repeat(96) };
      assert.equal(await newer.status('POST', `${one}/answer`, answer), 409, 'the new device answers itself');
      assert.equal(await newer.status('POST', `${one}/reveal`, reveal), 409, 'before it is answered');
      assert.equal(await older.status('POST', `${one}/hand-over`, handed), 409, 'before anything');
      assert.equal(await older.status('POST', `${one}/answer`, answer), 200);
      assert.equal(await older.status('POST', `${one}/answer`, answer), 409, 'twice');
      assert.equal(await third.status('POST', `${one}/answer`, answer), 404, 'a third device');
      assert.equal(await third.status('GET', one), 404);
      assert.equal(await older.status('POST', `${one}/hand-over`, handed), 409, 'before it is revealed');
      assert.equal(await older.status('POST', `${one}/reveal`, reveal), 409, 'for the other');
      assert.equal(await newer.status('POST', `${one}/reveal`, reveal), 200);
      assert.equal(await newer.status('POST', `${one}/reveal`, reveal), 409, 'twice');
      assert.equal(await newer.status('POST', `${one}/hand-over`, handed), 409, 'to itself');
      assert.equal(await older.status('POST', `${one}/hand-over`, handed), 200);
      assert.equal(await older.status('POST', `${one}/hand-over`, handed), 409, 'twice');
      assert.equal(await older.status('POST', `${one}/taken`), 409, 'for the other');
      assert.equal((await newer.said(one)).isTaken, false);
      assert.equal(await newer.status('POST', `${one}/taken`), 200);
      assert.equal(await newer.status('POST', `${one}/refuse`), 409, 'when it is over');
      assert.equal((await older.said(one)).isTaken, true);
    });

    test('[SEAL-142] one that was refused goes no further, and nobody else can refuse it', async () => {
      const { older, newer, stranger, third } = await devices();
      const { own, pairing } = await begun(newer);
      const one = `/${pairing.id}`;
      assert.equal(await stranger.status('POST', `${one}/refuse`), 404);
      await older.said(`${one}/answer`, { oldKey: answerPairing(seeded('old')).publicKey });
      assert.equal(await third.status('POST', `${one}/refuse`), 404);
      assert.equal(await older.status('POST', `${one}/refuse`), 200);
      assert.equal((await newer.said(one)).isRefused, true);
      const reveal = { newKey: own.publicKey, nonce: own.nonce };
      assert.equal(await newer.status('POST', `${one}/reveal`, reveal), 409);
    });

    test('[SEAL-142] a stranger finds nothing, and what is no pairing is none', async () => {
      const { newer, stranger } = await devices();
      const { pairing } = await begun(newer);
      assert.deepEqual(await stranger.waiting(), []);
      for (const id of [pairing.id, NOBODY, 'x'])
        for (const [method, path, body] of [
          ['GET', '', undefined],
          ['POST', '/answer', { oldKey: pairing.commitment }],
          ['POST', '/reveal', { newKey: pairing.commitment, nonce: 'A'.repeat(22) }],
          ['POST', '/hand-over', { handed: 'A'.repeat(96) }],
          ['POST', '/refuse', undefined],
        ] as const)
          assert.equal(await stranger.status(method, `/${id}${path}`, body), 404, `${id}${path}`);
    });

    test('[SEAL-143] it is over after five minutes; another begin of the same device ends it', async () => {
      const { older, newer } = await devices();
      const { pairing } = await begun(newer);
      const again = (await begun(newer, 'again')).pairing;
      assert.equal(await newer.status('GET', `/${pairing.id}`), 404);
      assert.deepEqual(
        (await older.waiting()).map(({ id }) => id),
        [again.id],
      );
      server.clock.pass(pairingLimits.keptMs);
      assert.deepEqual(await older.waiting(), []);
      assert.equal(await newer.status('GET', `/${again.id}`), 404);
      assert.equal((await server.services.care.run()).pairings >= 1, true);
    });

    test('[SEAL-143] five at once, no more', async () => {
      const person = await Person.come(server, 'many@example.org');
      const asked = await Promise.all(
        Array.from({ length: pairingLimits.open + 1 }, async () => await Device.of(person)),
      );
      const statuses: number[] = [];
      for (const [index, device] of asked.entries()) {
        const { commitment } = beginPairing(seeded(`many ${index}`));
        statuses.push(await device.status('POST', '', { commitment }));
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 409]);
      // One that is over makes room.
      const older = new Device(person);
      const [waiting] = await older.waiting();
      await older.call('POST', `/${must(waiting, 'a pairing').id}/refuse`);
      const { commitment } = beginPairing(seeded('one more'));
      assert.equal(await must(asked.at(-1), 'a device').status('POST', '', { commitment }), 200);
    });

    test('[SEAL-141] what is no message of a pairing is refused with the field', async () => {
      const { older, newer } = await devices();
      const { pairing } = await begun(newer);
      for (const body of [
        {},
        { commitment: 'short' },
        { commitment: 7 },
        { commitment: 'A'.repeat(43), more: 1 },
      ])
        assert.equal(await newer.status('POST', '', body), 422, JSON.stringify(body));
      const answer = await older.call('POST', `/${pairing.id}/answer`, { oldKey: 'no key' });
      assert.equal(answer.status, 422);
      assert.equal(((await answer.json()) as { field: string }).field, 'oldKey');
    });

    test('[SEAL-144] the key is given only shortly after the person has proved who they are', async () => {
      const { older, newer } = await devices();
      server.clock.pass(11 * 60_000);
      const { own, pairing } = await begun(newer);
      const one = `/${pairing.id}`;
      await older.said(`${one}/answer`, { oldKey: answerPairing(seeded('old')).publicKey });
      await newer.said(`${one}/reveal`, { newKey: own.publicKey, nonce: own.nonce });
      const answer = await older.call('POST', `${one}/hand-over`, { handed: 'A'.repeat(96) });
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { code: string }).code],
        [403, 'confirm_first'],
      );
    });
  });
}

suite(() => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  suite(async () => openDatabase({ url: await must(instance, 'started').createDatabase(), dataDir: '' }));
});
