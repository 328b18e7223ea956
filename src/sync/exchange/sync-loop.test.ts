// What the loop sends and when: through the engine, with a disk and a network that answer when the test says so.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { must } from '#core/assert.ts';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { syncResponseSchema, type SyncRequest, type SyncResponse, type WireRow } from '#wire/sync.ts';
import { createEngine } from './engine.ts';
import { applyBatch, createMemoryStorage, MemoryContents } from '../replica/memory-storage.ts';
import type { Operation } from '../rows/operation.ts';
import type { LiveListener, StorageBatch, TransportAnswer } from '../replica/ports.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const newId = createIdSource({ now: () => 1_000, random: random.fill });

interface Sent {
  readonly request: SyncRequest;
  answer(answer: TransportAnswer<SyncResponse>): void;
}

/** Everything that is ready to happen has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** `wall`: the device's clock, ms; it may be set while the bench stands. */
async function createBench({ contents = new MemoryContents(), scope = newId(), wall = { now: 1_000 } } = {}) {
  const disk = { isHeld: false, isFull: false, held: [] as (() => void)[] };
  const sent: Sent[] = [];
  const live: { on?: LiveListener } = {};
  const engine = createEngine(
    {
      checks: registerChecks,
      storage: {
        ...createMemoryStorage(contents),
        write: (batch: StorageBatch) =>
          new Promise((resolve, reject) => {
            const write = (): void => {
              applyBatch(contents, batch);
              resolve();
            };
            if (disk.isFull) reject(new Error('full'));
            else if (disk.isHeld) disk.held.push(write);
            else write();
          }),
      },
      transport: {
        sync: (request) =>
          new Promise((resolve) => {
            sent.push({ request, answer: resolve });
          }),
        snapshot: () => Promise.resolve({ ok: false, problem: { type: 'offline' } }),
        listen(on) {
          live.on = on;
          return () => undefined;
        },
      },
      clock: { now: () => wall.now, monotonic: () => 0 },
      // Only what is due at once: nothing here waits for back-offs and safety pulls.
      timers: {
        after(delayMs, work) {
          const timer = delayMs === 0 ? setImmediate(work) : undefined;
          return () => clearImmediate(timer);
        },
      },
      random,
    },
    { scope, account: 7 },
  );
  await engine.open();
  await engine.loaded();
  await settled();
  const answered = (request: SyncRequest): TransportAnswer<SyncResponse> => ({
    ok: true,
    value: {
      serverNow: 1_000,
      deviceNumber: 1,
      account: 7,
      personalScope: scope,
      results: (request.ops as Operation[]).map(({ q }) => [q, 'ok']),
      changes: [],
      left: [],
      minSchema: 1,
    },
  });
  const numbers = (): number[] => ((sent.at(-1)?.request.ops ?? []) as Operation[]).map(({ q }) => q);
  return { engine, contents, disk, live, sent, scope, answered, numbers };
}

const HOUR_MS = 3_600_000;

/** How old the device says that what made the row is, ms. */
const ageOf = (id: Id, { clientNow, ops }: SyncRequest): number =>
  clientNow - must((ops as Operation[]).find((operation) => operation.id === id)?.t, 'it is sent');

describe('a device whose clock is set anew', () => {
  /** A device that has heard from its server, and has made a list ten seconds ago that waits. */
  async function waiting() {
    const wall = { now: 1_000 };
    const bench = await createBench({ wall });
    const { sent, answered, scope, engine } = bench;
    const first = must(sent.at(-1), 'the queue is sent');
    const answer = answered(first.request);
    assert.ok(answer.ok);
    const change = { scope, generation: 'g', from: 0, to: 1, rows: [], gone: [], more: false };
    first.answer({ ok: true, value: { ...answer.value, changes: [change] } });
    await settled();
    const id = engine.replica.newId();
    const place = { parent: listsRoot(scope) };
    engine.replica.issue([{ a: 'create', id, type: 'list', fields: { name: 'A', listType: 'list' }, place }]);
    await settled();
    wall.now += 10_000;
    return { ...bench, id, wall };
  }

  it('[SYNC-62] while the app runs, sends and keeps what waits with its age', async () => {
    const { sent, wall, contents, engine, id } = await waiting();
    const inFlight = must(sent.at(-1), 'it is sent');
    wall.now -= 12 * HOUR_MS;
    // Whatever notices it first: a crash right after it finds times and clock together.
    engine.replica.issue([]);
    await settled();
    assert.ok([...contents.outbox.values()].every(({ t }) => t === wall.now));
    assert.equal(contents.meta?.clockOffsetMs, 12 * HOUR_MS - 10_000);
    inFlight.answer({ ok: false, problem: { type: 'busy', retryAfterMs: 0 } });
    await settled();
    // The monotonic clock of this bench stands still: the ten seconds are part of the jump.
    assert.equal(ageOf(id, must(sent.at(-1), 'it is sent again').request), 0);
    assert.ok([...contents.outbox.values()].every(({ t }) => t === wall.now));
  });

  it('[SYNC-2] says when a request was sent by the server’s clock, as the quickest answer told it', async () => {
    const wall = { now: 1_000_000 };
    const { sent, answered, engine } = await createBench({ wall });
    const ahead = 5_000_000;
    const answerLast = async (tookMs: number, isAheadBy = ahead) => {
      const asked = must(sent.at(-1), 'it asks');
      const value = answered(asked.request);
      assert.ok(value.ok);
      const serverNow = wall.now + isAheadBy;
      wall.now += tookMs;
      asked.answer({ ok: true, value: { ...value.value, serverNow } });
      await settled();
      engine.replica.issue([
        {
          a: 'create',
          id: engine.replica.newId(),
          type: 'list',
          fields: { name: 'A', listType: 'list' },
          place: { parent: listsRoot(engine.replica.scope) },
        },
      ]);
      await settled();
      return must(sent.at(-1), 'it asks again').request;
    };
    assert.equal(must(sent.at(-1), 'it asks').request.sentAt, undefined, 'nothing is known yet');
    for (const [tookMs, isAheadBy, expected] of [
      [8_000, ahead, ahead - 8_000],
      [200, ahead, ahead - 200],
      [8_000, ahead, ahead - 200],
      [300, ahead - 3_600_000, ahead - 3_600_000 - 300],
    ] as const) {
      const request = await answerLast(tookMs, isAheadBy);
      assert.equal(must(request.sentAt, 'it is known') - request.clientNow, expected);
    }
  });

  for (const [how, byMs] of [
    ['forward', 12 * HOUR_MS],
    ['back', -12 * HOUR_MS],
    ['not at all', 0],
  ] as const)
    it(`[SYNC-62] by ${how} while the app does not run, asks first and sends it with its age then`, async () => {
      const { engine, scope, contents, id, wall: before } = await waiting();
      const serverNow = before.now;
      await engine.close();
      const wall = { now: before.now + byMs };
      const { sent, answered } = await createBench({ contents, scope, wall });
      const asked = must(sent.at(-1), 'it asks');
      assert.deepEqual(asked.request.ops, []);
      const answer = answered(asked.request);
      assert.ok(answer.ok);
      asked.answer({ ok: true, value: { ...answer.value, serverNow } });
      await settled();
      assert.equal(ageOf(id, must(sent.at(-1), 'it sends').request), 10_000);
      const stored = [...contents.outbox.values()].find((operation) => operation.id === id);
      assert.equal(stored?.t, wall.now - 10_000);
    });
});

describe('a server of another version', () => {
  const answerWith = async (
    bench: Awaited<ReturnType<typeof createBench>>,
    said: Partial<SyncResponse>,
  ): Promise<void> => {
    const asked = must(bench.sent.at(-1), 'it asks');
    const answer = bench.answered(asked.request);
    assert.ok(answer.ok);
    asked.answer({ ok: true, value: { ...answer.value, ...said } });
    await settled();
  };

  it('[SYNC-72] a verdict that is not known here is a refusal: the change goes to Recovered with the word', async () => {
    const bench = await createBench();
    const { engine, contents, scope } = bench;
    await answerWith(bench, {});
    const id = engine.replica.newId();
    const place = { parent: listsRoot(scope) };
    engine.replica.issue([{ a: 'create', id, type: 'list', fields: { name: 'A', listType: 'list' }, place }]);
    await settled();
    const [q = 0] = bench.numbers();
    const results = [[q, 'reseal']];
    const answer = { ...must(bench.answered(must(bench.sent.at(-1), 'it sends').request), 'an answer') };
    assert.ok(answer.ok);
    const text = JSON.stringify({ ...answer.value, results });
    await answerWith(bench, syncResponseSchema.parse(JSON.parse(text)));
    assert.equal(engine.replica.row(id), undefined);
    assert.equal(contents.outbox.size, 0);
    for (const kept of [engine.recovered.get(), [...contents.recovered.values()]])
      assert.deepEqual(
        kept.map(({ operation, verdict }) => [operation.id, verdict]),
        [[id, 'reseal']],
      );
  });

  it('[SYNC-73] what its last answer named is known offline too, until an answer does not name it', async () => {
    const bench = await createBench();
    const { engine, contents, scope } = bench;
    assert.deepEqual(engine.facts().features, []);
    await answerWith(bench, { features: ['mount'] });
    assert.deepEqual(engine.facts().features, ['mount']);
    await engine.close();
    const later = await createBench({ contents, scope });
    assert.deepEqual(later.engine.facts().features, ['mount'], 'from its disk');
    must(later.sent.at(-1), 'it asks').answer({ ok: false, problem: { type: 'offline' } });
    await settled();
    assert.deepEqual(later.engine.facts().features, ['mount']);
    later.engine.nudge();
    await settled();
    await answerWith(later, {});
    assert.deepEqual(later.engine.facts().features, [], 'a server that does not say can do none of it');
  });
});

describe('sync loop', () => {
  it('[SYNC-78] asks at once for the scope that a row has moved to, as the live channel says', async () => {
    const { sent, answered, scope, live } = await createBench();
    const first = must(sent.at(-1), 'it asks');
    const answer = answered(first.request);
    assert.ok(answer.ok);
    const [id, shared] = [newId(), newId()];
    const row: WireRow = { id, type: 'task', v: 1, f: {}, m: [1, 1, 1, 1], c: 1, u: 1 };
    const said = { scope, generation: 'g', gone: [], more: false };
    const changes = [{ ...said, from: 0, to: 1, rows: [row] }];
    first.answer({ ok: true, value: { ...answer.value, changes } });
    await settled();
    const asked = sent.length;
    live.on?.delta({ ...said, from: 1, to: 2, rows: [], moved: [[id, shared, 1, 1, 1]] });
    await settled();
    assert.equal(sent.length, asked + 1);
    assert.deepEqual(sent.at(-1)?.request.cursors[shared], { generation: 'moved', version: 0 });
  });

  it('[SYNC-89] believes nothing of the live channel while a scope is only partly read, and shows what moved there', async () => {
    const { engine, sent, answered, scope, live } = await createBench();
    const first = must(sent.at(-1), 'it asks');
    const answer = answered(first.request);
    assert.ok(answer.ok);
    const [id, shared] = [newId(), newId()];
    const row: WireRow = { id, type: 'task', v: 1, f: {}, m: [1, 1, 1, 1], c: 1, u: 1 };
    const said = { generation: 'g', gone: [], more: false };
    const changes = [
      { ...said, scope, from: 0, to: 1, rows: [row] },
      { ...said, scope: shared, from: 0, to: 3, rows: [], more: true },
    ];
    first.answer({ ok: true, value: { ...answer.value, changes } });
    await settled();
    must(sent.at(-1), 'it asks for the rest').answer({ ok: false, problem: { type: 'offline' } });
    await settled();
    // It is in what was not read, as it has been changed since it arrived.
    live.on?.delta({ ...said, scope, from: 1, to: 2, rows: [], moved: [[id, shared, 1, 1, 3]] });
    await settled();
    assert.equal(engine.replica.row(id)?.scope, scope);
    engine.nudge();
    await settled();
    assert.equal(sent.at(-1)?.request.cursors[scope]?.version, 1);
    await engine.close();
  });

  it('[SYNC-147] takes in a large answer in portions, with a turn for everything else after each', async () => {
    const { engine, sent, answered, scope } = await createBench();
    const said = { scope, generation: 'g', gone: [], more: false };
    const answer = async (changes: SyncResponse['changes']): Promise<void> => {
      const asked = must(sent.at(-1), 'it asks');
      const whole = answered(asked.request);
      assert.ok(whole.ok);
      asked.answer({ ok: true, value: { ...whole.value, changes } });
      await settled();
    };
    await answer([{ ...said, from: 0, to: 1, rows: [] }]);
    engine.nudge();
    await settled();
    const turns: number[] = [];
    engine.replica.subscribe((rows) => void turns.push(rows.length));
    const rows = Array.from({ length: 1_000 }, (): WireRow => {
      return { id: newId(), type: 'task', v: 2, f: {}, m: [1, 1, 1, 1], c: 1, u: 1 };
    });
    await answer([{ ...said, from: 1, to: 2, rows }]);
    assert.deepEqual(turns, [200, 200, 200, 200, 200]);
    assert.deepEqual(sent.at(-1)?.request.cursors[scope], { generation: 'g', version: 1 });
    engine.nudge();
    await settled();
    assert.deepEqual(sent.at(-1)?.request.cursors[scope], { generation: 'g', version: 2 });
    await engine.close();
  });

  it('[FLOW-6] asks at once when the live channel says that the session is over', async () => {
    const { engine, live, sent, answered } = await createBench();
    for (const one of sent.splice(0)) one.answer(answered(one.request));
    await settled();
    const before = sent.length;
    live.on?.signedOut();
    await settled();
    assert.deepEqual([before, sent.length], [0, 1]);
    sent.at(-1)?.answer({ ok: false, problem: { type: 'signedOut' } });
    await settled();
    assert.equal(engine.state.get().type, 'signedOut');
  });

  it('uses a new identity only once it is on disk', async () => {
    const { contents, disk, sent } = await createBench();
    const before = contents.meta?.device;
    disk.isHeld = true;
    const failure = { type: 'refused', code: 'device_conflict', message: '' } as const;
    sent.at(-1)?.answer({ ok: false, problem: failure });
    await settled();
    const early = sent.filter(({ request }) => request.device !== before && request.ops.length > 0);
    assert.deepEqual(early, []);
    sent.at(-1)?.answer({ ok: false, problem: { type: 'busy', retryAfterMs: 0 } });
    disk.isHeld = false;
    for (const write of disk.held.splice(0)) write();
    await settled();
    assert.notEqual(contents.meta?.device, before);
    assert.equal(sent.at(-1)?.request.device, contents.meta?.device);
    assert.ok((sent.at(-1)?.request.ops.length ?? 0) > 0);
  });

  it('[SYNC-25] sends nothing that is on disk under an identity that the disk refuses', async () => {
    const { contents, disk, sent, engine } = await createBench();
    const before = contents.meta?.device;
    assert.equal(contents.outbox.size, 1);
    disk.isFull = true;
    const failure = { type: 'refused', code: 'device_conflict', message: '' } as const;
    sent.at(-1)?.answer({ ok: false, problem: failure });
    await settled();
    sent.at(-1)?.answer({ ok: false, problem: { type: 'busy', retryAfterMs: 0 } });
    await settled();
    engine.nudge();
    await settled();
    const later = sent.filter(({ request }) => request.device !== before);
    assert.ok(later.length > 0, 'it asks');
    // The next start would send it again under another one.
    assert.deepEqual(
      later.filter(({ request }) => request.ops.length > 0),
      [],
    );
  });

  it('sends nothing past a dropped operation that is still on disk', async () => {
    const { engine, contents, disk, sent, scope, answered, numbers } = await createBench();
    const id = engine.replica.newId();
    const { replica } = engine;
    replica.issue([{ a: 'create', id, type: 'task', fields: {}, place: { parent: inboxId(scope) } }]);
    for (const title of ['a', 'ab', 'abc']) replica.issue([{ a: 'set', id, field: 'title', value: title }]);
    await settled();
    assert.equal(contents.outbox.size, 5);
    disk.isHeld = true;
    const first = sent.at(-1);
    assert.ok(first);
    first.answer(answered(first.request));
    await settled();
    assert.deepEqual(numbers(), [2], 'the two dropped titles are still on disk');
    disk.isHeld = false;
    for (const write of disk.held.splice(0)) write();
    await settled();
    const second = sent.at(-1);
    assert.ok(second);
    second.answer(answered(second.request));
    await settled();
    assert.deepEqual(numbers(), [5]);
  });

  it('does not call itself offline before anything came of the first request', async () => {
    const { engine, sent, answered } = await createBench();
    assert.deepEqual(engine.state.get(), { type: 'onDevice', waiting: 1, online: false, asking: true });
    const first = sent.at(-1);
    assert.ok(first);
    first.answer({ ok: false, problem: { type: 'offline' } });
    await settled();
    assert.deepEqual(engine.state.get(), { type: 'onDevice', waiting: 1, online: false });
    engine.nudge();
    await settled();
    const next = sent.at(-1);
    assert.ok(next);
    next.answer(answered(next.request));
    await settled();
    assert.deepEqual(engine.state.get(), { type: 'synced' });
  });

  for (const trouble of ['full', 'failing'] as const) {
    it(`says that a server takes nothing now (${trouble}), until it does again`, async () => {
      const { engine, contents, sent, scope, answered } = await createBench();
      const id = engine.replica.newId();
      const place = { parent: inboxId(scope) };
      engine.replica.issue([{ a: 'create', id, type: 'task', fields: {}, place }]);
      await settled();
      sent.at(-1)?.answer({ ok: false, problem: { type: 'busy', retryAfterMs: 5_000, trouble } });
      await settled();
      assert.deepEqual(engine.state.get(), { type: 'onDevice', waiting: 2, online: true, trouble });
      assert.equal(contents.outbox.size, 2);
      engine.nudge();
      await settled();
      const next = sent.at(-1);
      assert.ok(next);
      assert.equal(next.request.ops.length, 2);
      next.answer(answered(next.request));
      await settled();
      assert.deepEqual(engine.state.get(), { type: 'synced' });
    });
  }

  const silent = (request: SyncRequest): Partial<SyncResponse> => ({
    results: request.ops.slice(0, 0) as [],
  });
  const scoped = { from: 0, to: 0, rows: [], gone: [], generation: 'a' };
  const endless: Readonly<Record<string, (scope: Id, request: SyncRequest) => Partial<SyncResponse> | null>> =
    {
      'never judges': (_scope, request) => silent(request),
      'always says that it went back': (scope, request) => ({
        ...silent(request),
        changes: [{ ...scoped, scope, more: false, rollback: { known: [] } }],
      }),
      'always says that there is more': (scope) => ({ changes: [{ ...scoped, scope, more: true }] }),
      'always says that the device is a copy': () => null,
    };
  for (const [what, say] of Object.entries(endless))
    it(`rests when the server ${what}`, async () => {
      const { engine, sent, scope, answered } = await createBench();
      let answers = 0;
      for (; answers < 50 && answers < sent.length; answers += 1) {
        const asked = sent[answers] as Sent;
        const { request } = asked;
        const said = say(scope, request);
        const usual = answered(request);
        assert.ok(usual.ok);
        asked.answer(
          said === null
            ? { ok: false, problem: { type: 'refused', code: 'device_conflict', message: '' } }
            : { ok: true, value: { ...usual.value, ...said } },
        );
        for (let turn = 0; turn < 10 && sent.length === answers + 1; turn += 1) await settled();
      }
      assert.ok(answers >= 2 && answers <= 8, `${answers} requests`);
      assert.equal(engine.replica.row(inboxId(scope))?.type, 'list', 'nothing is lost');
    });

  for (const [code, which] of [
    ['too_new', 'server'],
    ['too_old', 'app'],
  ] as const) {
    it(`keeps the queue and says that the ${which} is older`, async () => {
      const { engine, contents, sent, scope, answered } = await createBench();
      const id = engine.replica.newId();
      const place = { parent: inboxId(scope) };
      engine.replica.issue([{ a: 'create', id, type: 'task', fields: {}, place }]);
      await settled();
      sent.at(-1)?.answer({ ok: false, problem: { type: 'refused', code, message: '' } });
      await settled();
      assert.deepEqual(engine.state.get(), { type: 'outdated', which, waiting: 2 });
      assert.equal(contents.outbox.size, 2);
      engine.nudge();
      await settled();
      const next = sent.at(-1);
      assert.ok(next);
      assert.equal(next.request.ops.length, 2, 'a server that was updated meanwhile gets all of it');
      next.answer(answered(next.request));
      await settled();
      assert.deepEqual(engine.state.get(), { type: 'synced' });
    });
  }
});
