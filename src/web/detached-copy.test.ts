// A copy with cloud sync off meets what browsers and people do: its own record damaged, the session over,
// another account in between, and the days of a safety copy. It stays off, nothing of it is sent, and nothing
// of it is lost.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openDB } from 'idb';
import { createIdSource, listsRoot, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { SAFETY_DAYS } from '#client/app/device.ts';
import { marked } from '#sync/replica/detached.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { registerChecks } from '#wire/registers.ts';
import type { SyncRequest, SyncResponse } from '#wire/sync.ts';
import { keepDetachedMark, readDetachedMark } from './platform/storage/detached-mark.ts';
import { BrowserStorage } from './platform/storage/indexeddb.ts';
import type { SmallStorage } from './platform/storage/local-storage.ts';
import { accountProfile, databaseName, type Profile } from './platform/account/profile.ts';
import { expireSafetyCopies, forgetSafetyCopies, safetyCopiesOf } from './platform/storage/safety-copies.ts';

const DAY_MS = 86_400_000;
const fill = (bytes: Uint8Array) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
const newId = createIdSource({ now: () => Date.now(), random: fill });

/** The engine on a disk, with the note that is kept apart from it, as the app puts them together. */
interface Copy {
  readonly engine: Engine;
  readonly stop: () => void;
}

async function openCopy(profile: Profile, transport: Transport, small: SmallStorage): Promise<Copy> {
  const { account, scope } = must(profile.binding, 'a copy of an account');
  const detached = readDetachedMark(small, profile.id);
  const storage = new BrowserStorage({
    name: databaseName(profile.id),
    idle: (work) => void setImmediate(work),
    now: () => Date.now(),
    contents: () => null,
    identity: () =>
      marked(
        { device: newId(), deviceNumber: 0, scope, account, seq: 0, acked: 0, cursors: {}, clockOffsetMs: 0 },
        detached,
      ),
    onEvent: () => undefined,
  });
  const engine = createEngine(
    {
      storage,
      transport,
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      timers: {
        after(delayMs, work) {
          const timer = setTimeout(work, delayMs);
          return () => clearTimeout(timer);
        },
      },
      random: { fill, fraction: () => Math.random() },
      checks: registerChecks,
    },
    { scope, account, detached },
  );
  await engine.open();
  await engine.loaded();
  return { engine, stop: keepDetachedMark(engine, small, profile.id) };
}

interface Browser {
  readonly small: SmallStorage;
  readonly sent: Set<Id>;
  requests: number;
  /** The server knows no session. */
  isSignedOut: boolean;
  open(profile: Profile): Promise<Copy>;
}

function createBrowser(): Browser {
  const values = new Map<string, string>();
  const small: SmallStorage = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
  const browser: Browser = {
    small,
    sent: new Set(),
    requests: 0,
    isSignedOut: false,
    open: (profile) => openCopy(profile, transport, small),
  };
  const transport: Transport = {
    sync({ ops, clientNow }: SyncRequest): Promise<TransportAnswer<SyncResponse>> {
      browser.requests += 1;
      if (browser.isSignedOut) return Promise.resolve({ ok: false, problem: { type: 'signedOut' } });
      const operations = ops as readonly Operation[];
      for (const { u } of operations) browser.sent.add(u);
      const results = operations.map(({ q }) => [q, 'ok'] as const);
      const value = { serverNow: clientNow, deviceNumber: 1, results, changes: [], left: [] };
      return Promise.resolve({ ok: true, value: value as unknown as SyncResponse });
    },
    snapshot: () => Promise.resolve({ ok: false, problem: { type: 'offline' } }),
    listen: () => () => undefined,
  };
  return browser;
}

const profileOf = (account: number): Profile =>
  accountProfile({ account, scope: newId(), email: `account-${account}@example.org` }, newId);

async function close({ engine, stop }: Copy): Promise<void> {
  await engine.close();
  stop();
}

/** Makes a list and waits for the disk. Returns the operation. */
async function make({ engine }: Copy, name: string): Promise<Operation> {
  const { replica } = engine;
  const { operations } = replica.issue([
    {
      a: 'create',
      id: replica.newId(),
      type: 'list',
      fields: { listType: 'list', name },
      place: { parent: listsRoot(replica.scope) },
    },
  ]);
  await engine.flushed();
  const made = operations[0];
  assert.ok(made);
  return made;
}

/** Resolves when the engine's state is of this type. */
function reached({ engine }: Copy, type: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (engine.state.get().type !== type) return;
      stop();
      resolve();
    };
    const stop = engine.state.subscribe(look);
    look();
  });
}

async function openDetached(browser: Browser, profile: Profile): Promise<Copy> {
  const copy = await browser.open(profile);
  copy.engine.detach();
  await copy.engine.flushed();
  await reached(copy, 'detached');
  return copy;
}

describe('a copy with cloud sync off', () => {
  for (const [how, spoil] of [
    ['lost', undefined],
    ['damaged', 'spoilt'],
  ] as const) {
    test(`[SYNC-43] its own record ${how}, it stays off and keeps what was made`, async () => {
      const browser = createBrowser();
      const profile = profileOf(7);
      const first = await openDetached(browser, profile);
      const made = await make(first, 'made while off');
      await close(first);
      const asked = browser.requests;
      const db = await openDB(databaseName(profile.id));
      if (spoil === undefined) await db.delete('meta', 'device');
      else await db.put('meta', spoil, 'device');
      db.close();
      const again = await browser.open(profile);
      await reached(again, 'detached');
      const later = await make(again, 'made later');
      const changes = again.engine.detachedChanges();
      assert.ok(changes);
      const kept = changes.operations.map(({ u }) => u);
      assert.ok(kept.includes(made.u) && kept.includes(later.u), 'both are among what goes with a copy');
      assert.equal(browser.requests, asked, 'nobody was asked');
      assert.ok(again.engine.attach(changes));
      await again.engine.flushed();
      await reached(again, 'synced');
      for (const u of kept) assert.ok(!browser.sent.has(u));
      await close(again);
    });
  }

  test('[SYNC-41] [SYNC-43] a session that ended meanwhile is no news until it is on again, and nothing that waits is lost', async () => {
    const browser = createBrowser();
    browser.isSignedOut = true;
    const profile = profileOf(7);
    const copy = await browser.open(profile);
    const before = await make(copy, 'made before');
    await reached(copy, 'signedOut');
    copy.engine.detach();
    await copy.engine.flushed();
    const asked = browser.requests;
    const made = await make(copy, 'made while off');
    copy.engine.nudge();
    await reached(copy, 'detached');
    assert.equal(browser.requests, asked);
    const changes = copy.engine.detachedChanges();
    assert.ok(changes);
    assert.ok(changes.operations.every(({ u }) => u !== before.u));
    assert.ok(copy.engine.attach(changes));
    await reached(copy, 'signedOut');
    assert.ok(
      copy.engine.facts().pending.some(({ u }) => u === before.u),
      'what waited still waits',
    );
    browser.isSignedOut = false;
    copy.engine.nudge();
    await reached(copy, 'synced');
    assert.ok(browser.sent.has(before.u) && !browser.sent.has(made.u));
    await close(copy);
  });

  test('[SYNC-43] another account in between syncs as ever, and the first is off when it is back', async () => {
    const browser = createBrowser();
    const [one, two] = [profileOf(7), profileOf(8)];
    const first = await openDetached(browser, one);
    const made = await make(first, 'made while off');
    await close(first);
    const other = await browser.open(two);
    const sent = await make(other, 'of the other account');
    await reached(other, 'synced');
    assert.ok(browser.sent.has(sent.u));
    await close(other);
    const asked = browser.requests;
    const back = await browser.open(one);
    await reached(back, 'detached');
    assert.ok(back.engine.detachedChanges()?.operations.some(({ u }) => u === made.u));
    assert.equal(browser.requests, asked);
    assert.ok(!browser.sent.has(made.u));
    await close(back);
  });
});

describe('safety copies', () => {
  test('[SYNC-42] are kept for 30 days to the millisecond, each profile’s apart', async () => {
    const [mine, others] = [safetyCopiesOf(newId()), newId()];
    const now = 1_900_000_000_000;
    const copyOf = (id: string, until: number) => ({ id, from: until - 5, until, count: 1, text: id });
    await mine.keep(copyOf('old', now - SAFETY_DAYS * DAY_MS - 1));
    await mine.keep(copyOf('last day', now - SAFETY_DAYS * DAY_MS));
    await mine.keep(copyOf('new', now));
    await safetyCopiesOf(others).keep(copyOf('of another', now));
    assert.deepEqual(
      (await mine.list()).map(({ id }) => id),
      ['new', 'last day', 'old'],
    );
    await expireSafetyCopies(now);
    assert.deepEqual(
      (await mine.list()).map(({ text }) => text),
      ['new', 'last day'],
    );
    await expireSafetyCopies(now + 1);
    assert.deepEqual(
      (await mine.list()).map(({ id }) => id),
      ['new'],
    );
    await forgetSafetyCopies(others);
    assert.deepEqual(await safetyCopiesOf(others).list(), []);
    assert.equal((await mine.list()).length, 1);
  });
});
