// What browsers keep, of every layout there has been, opened by today's program: every row, every unsent change and every
// recovered one is there, and the queue is sent.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Transport } from '#sync/replica/ports.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { BrowserStorage } from '#web/platform/storage/indexeddb.ts';
import { createPreferences } from '#web/platform/storage/preferences.ts';
import { createProfileStore } from '#web/platform/account/profile.ts';
import { createSentinel } from '#web/platform/storage/eviction-check.ts';
import { comparable, dataFixtures, readableRows, readProfile, upgradeServer } from './fixtures.ts';
import { createNetwork, exchanged, openDevice } from './headless.ts';
import { client } from './protocol-client.ts';
import { type DatabaseText, putDatabase, readDatabase, SmallStorageMap } from './profile-text.ts';
import { newId, type ProfileText } from './story.ts';

const byId = (rows: Iterable<Row>) => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Puts the profile's database there under a name of its own; `open` is a start of the app on it. */
async function installed(t: TestContext, { database }: ProfileText) {
  const name = `${database.name}-${newId()}`;
  await putDatabase({ ...database, name });
  const { device } = metaOf(database);
  async function open(transport: Transport | null) {
    const storage = new BrowserStorage({ name, idle: () => undefined });
    t.after(() => storage.close());
    const engine = await openDevice({ client, storage, transport, ...device });
    return { engine, storage };
  }
  return { name, open, device };
}

interface Known {
  readonly device: {
    readonly scope: Id;
    readonly account: number;
    readonly device: Id;
    readonly seq: number;
  };
}

function metaOf({ stores }: DatabaseText): Known {
  const entries = stores.find(({ name }) => name === 'meta')?.entries ?? [];
  return Object.fromEntries(entries) as unknown as Known;
}

describe('profiles of earlier layouts', () => {
  for (const fixture of dataFixtures) {
    for (const which of ['account', 'local'] as const) {
      test(`${fixture.name}, ${which}: everything is there, and again at the next start`, async (t) => {
        const profile = readProfile(fixture, which);
        const { open, device } = await installed(t, profile);
        for (const start of ['first', 'next']) {
          const { engine, storage } = await open(null);
          assert.deepEqual(byId(engine.replica.all()), profile.rows, `${start} start`);
          assert.deepEqual([...engine.facts().pending], profile.unsent, `${start} start`);
          assert.deepEqual(engine.recovered.get(), profile.recovered, `${start} start`);
          assert.equal(engine.facts().device, device.device);
          assert.equal(engine.facts().unreadable, 0);
          await storage.compacted();
          await engine.close();
        }
      });
    }

    test(`${fixture.name}: what waited is sent, exactly once, and the copy equals the server`, async (t) => {
      const profile = readProfile(fixture, 'account');
      const upgraded = await upgradeServer(fixture);
      t.after(() => upgraded.close());
      const { server, world } = upgraded;
      const { open } = await installed(t, profile);
      const network = createNetwork(
        { url: server.url, cookie: world.accounts[0]?.sessions[1] ?? '' },
        client,
      );
      for (const start of ['first', 'next']) {
        const { engine } = await open(network.transport);
        await exchanged(engine);
        const rows = byId(await server.database.store.snapshot(engine.replica.scope, null, 10_000));
        const whole = comparable(await readableRows(upgraded), world);
        assert.deepEqual(comparable(engine.replica.all(), world), whole, `${start} start`);
        const made = rows.filter((held) => fieldOf(held, 'title') === 'Made offline on the laptop');
        assert.equal(made.length, 1, `${start} start`);
        assert.equal(engine.facts().pending.length, 0);
        assert.deepEqual(engine.recovered.get(), profile.recovered);
        await engine.close();
      }
      assert.deepEqual(network.unreadable, []);
    });

    test(`${fixture.name}: a change made after the upgrade has a number never used before`, async (t) => {
      const profile = readProfile(fixture, 'account');
      const { name, open, device } = await installed(t, profile);
      const { engine } = await open(null);
      const [row] = profile.rows.filter(({ type }) => type === 'task');
      assert.ok(row);
      engine.replica.issue([{ a: 'set', id: row.id, field: 'notes', value: 'After the upgrade' }]);
      await engine.flushed();
      await engine.close();
      const { stores } = await readDatabase(name);
      const kept = stores.find((store) => store.name === 'outbox')?.entries ?? [];
      assert.equal(kept.length, profile.unsent.length + 1);
      assert.ok(JSON.stringify(kept).includes('After the upgrade'));
      assert.ok((engine.facts().pending.at(-1)?.q ?? 0) > device.seq);
    });

    for (const which of ['account', 'local'] as const)
      test(`${fixture.name}, ${which}: the small storage is understood`, () => {
        const { localStorage, unsent, rows, database } = readProfile(fixture, which);
        const small = new SmallStorageMap();
        for (const [key, value] of Object.entries(localStorage)) small.setItem(key, value);
        const profile = createProfileStore(small, newId).load();
        assert.equal(`posthaste-${profile.id}`, database.name);
        assert.equal(profile.binding?.email, which === 'account' ? 'first@example.org' : undefined);
        assert.equal(profile.binding?.account ?? 0, metaOf(database).device.account);
        const preferences = createPreferences(small);
        assert.deepEqual([preferences.get('theme'), preferences.get('sidebar')], ['dark', 'hidden']);
        const key = `posthaste.sentinel.${profile.id}`;
        if (!(key in localStorage)) return;
        const record = createSentinel(small, profile.id).read();
        assert.equal(record?.store, metaOf(database).device.device);
        assert.equal(record.waiting, unsent.length);
        assert.equal(record.onlyHere, which === 'local' ? rows.length : 0);
      });
  }
});
