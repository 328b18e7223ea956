// Devices as they are in a browser (engine and network of the app) behind a proxy that cuts and doubles, and the real
// server process: they work until enough was cut, then everything must be everywhere, once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { registerChecks } from '#wire/registers.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage } from '#sync/replica/memory-storage.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Timers, Transport } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { createBrowserTransport } from '#web/platform/account/transport.ts';
import { SeededRandom } from '../simulator/random.ts';
import { FaultProxy, type Spoiling } from './fault-proxy.ts';
import { actAsBrowser } from './headless-browser.ts';
import { type SignedUp, signUp, startServerChild } from './server-child.ts';

/** Pauses between tries are this much shorter than a person's: the way fails hundreds of times. */
const HASTE = 100;
/** For the next sign that it goes on: the whole takes as long as the machine needs. */
const PATIENCE_MS = 60_000;
const DAY = { on: '2026-05-01' } as const;

export interface ProxiedOptions {
  readonly seed: number;
  readonly devices: number;
  /** Cut requests and answers to reach. */
  readonly cuts: number;
}

export interface ProxiedReport {
  readonly counts: ReadonlyMap<Spoiling, number>;
  /** Requests that passed unharmed. */
  readonly whole: number;
  readonly operations: number;
}

const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs / HASTE);
    return () => clearTimeout(timer);
  },
};

/** A device with somebody who works on it. */
class Worker {
  readonly engine: Engine;
  readonly created: Id[] = [];
  readonly random: SeededRandom;
  readonly refusals: string[] = [];
  operations = 0;
  private repeating: Id | null = null;
  completions = 0;

  constructor({ account, scope }: SignedUp, random: SeededRandom) {
    this.random = random;
    this.engine = createEngine(
      {
        storage: createMemoryStorage(),
        transport: this.noting(createBrowserTransport()),
        clock: { now: () => Date.now(), monotonic: () => performance.now() },
        timers,
        random,
        checks: registerChecks,
      },
      { scope, account },
    );
  }

  /** Everybody works on their own tasks: what was not accepted at once was judged twice. */
  private noting(transport: Transport): Transport {
    return {
      ...transport,
      sync: async (request) => {
        const answer = await transport.sync(request);
        for (const [seq, verdict] of answer.ok ? answer.value.results : [])
          if (verdict !== 'ok' && seq > 1) this.refusals.push(`operation ${seq}: ${verdict}`);
        return answer;
      },
    };
  }

  act(): void {
    const { replica } = this.engine;
    const actions = this.choose();
    this.operations += replica.issue(actions).operations.length;
  }

  private choose(): Action[] {
    const { random, created } = this;
    const draw = random.below(10);
    if (draw < 2 && this.repeating !== null) return [this.complete(this.repeating)];
    if (draw < 5 && created.length > 0) {
      const id = random.pick(created);
      return [{ a: 'set', id, field: 'title', value: `title ${random.below(1_000_000)}` }];
    }
    if (draw === 5 && created.length > 0) {
      const [id, after] = [random.pick(created), random.pick(created)];
      return [{ a: 'place', id, place: { parent: inboxId(this.engine.replica.scope), after } }];
    }
    return Array.from({ length: random.between(1, 4) }, () => this.create());
  }

  private create(): Action {
    const { replica } = this.engine;
    const id = replica.newId();
    this.created.push(id);
    this.repeating ??= id;
    // Some are larger than one packet.
    const notes = this.random.chance(0.1) ? 'n'.repeat(this.random.between(1, 9_000)) : '';
    const fields = { title: 'new', due: DAY, ...(notes === '' ? {} : { notes }) };
    return { a: 'create', id, type: 'task', fields, place: { parent: inboxId(replica.scope) } };
  }

  private complete(id: Id): Action {
    const occ = this.completions;
    this.completions += 1;
    return { a: 'complete', id, occ, at: Date.now(), next: { due: DAY, start: null } };
  }

  get completed(): readonly [Id, number] | null {
    return this.repeating === null ? null : [this.repeating, this.completions];
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isDone: () => boolean, what: () => string, sign?: () => number): Promise<void> {
  let seen = sign?.();
  let deadline = performance.now() + PATIENCE_MS;
  while (!isDone()) {
    if (sign?.() !== seen) deadline = performance.now() + PATIENCE_MS;
    seen = sign?.();
    assert.ok(performance.now() < deadline, what());
    await pause(20);
  }
}

/** Rejects with what is wrong. */
export async function runProxied(options: ProxiedOptions): Promise<ProxiedReport> {
  const random = new SeededRandom(options.seed);
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-proxied-'));
  const server = await startServerChild(dataDir);
  const person = await signUp(server.address, 'proxied@example.com');
  const proxy = new FaultProxy(Number(new URL(server.address).port), random.fork());
  const browser = actAsBrowser(await proxy.listen(), person.cookie);
  const workers = Array.from({ length: options.devices }, () => new Worker(person, random.fork()));
  try {
    for (const { engine } of workers) {
      await engine.open();
      await engine.loaded();
    }
    await until(
      () => {
        for (const worker of workers) if (worker.random.chance(0.5)) worker.act();
        browser.comeOnline();
        return proxy.cuts >= options.cuts;
      },
      () => `after ${proxy.cuts} no more were cut`,
      () => proxy.cuts,
    );
    proxy.level = 0;
    browser.comeOnline();
    await until(
      () => workers.every(({ engine }) => isLevel(engine)),
      () => `no rest: ${workers.map(({ engine }) => JSON.stringify(engine.state.get())).join()}`,
    );
    await alike(workers);
    for (const { engine, refusals } of workers) {
      assert.deepEqual(refusals, []);
      await engine.close();
    }
    await server.kill();
    checkDatabase(join(dataDir, DATABASE_FILE), workers);
    const operations = workers.reduce((sum, worker) => sum + worker.operations, 0);
    return { counts: proxy.counts, whole: proxy.whole, operations };
  } finally {
    browser.restore();
    await proxy.close();
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function isLevel(engine: Engine): boolean {
  engine.nudge();
  return engine.state.get().type === 'synced';
}

function shown({ engine }: Worker): unknown {
  const rows = [...engine.replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return rows.map(({ id, version, fields }) => ({ id, version, fields }));
}

/** All devices show the same, which they reach when the last has heard of the last change. */
async function alike(workers: readonly Worker[]): Promise<void> {
  const isAlike = (): boolean => new Set(workers.map((worker) => JSON.stringify(shown(worker)))).size === 1;
  await until(
    () => workers.every(({ engine }) => isLevel(engine)) && isAlike(),
    () => 'the devices do not come to show the same',
  );
  for (const { engine } of workers) assert.equal(engine.facts().digest, 'equal');
}

/** The server's file after its process was killed: every effect once, nothing missing, nothing unknown. */
function checkDatabase(file: string, workers: readonly Worker[]): void {
  const database = new DatabaseSync(file);
  try {
    assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    const history = database
      .prepare('SELECT operation FROM history')
      .all()
      .map(({ operation }) => JSON.parse(String(operation)) as { u: Id; id: Id; a: string });
    assert.equal(new Set(history.map(({ u }) => u)).size, history.length, 'an operation was applied twice');
    const rows = database.prepare("SELECT id FROM entity WHERE type = 'task'").all();
    const created = workers.flatMap((worker) => worker.created);
    assert.deepEqual(
      rows.map(({ id }) => String(id)).toSorted(),
      created.toSorted(),
      'a row for each creation',
    );
    for (const worker of workers) {
      const { completed } = worker;
      if (completed === null) continue;
      const [id, times] = completed;
      const advanced = history.filter((entry) => entry.id === id && entry.a === 'complete').length;
      assert.equal(advanced, times, 'each occurrence was completed once');
    }
  } finally {
    database.close();
  }
}
