// A whole server and devices of one person that seal what they send: for the tests of the server of sealed scopes. The devices know no
// replica: they push operations, look at rows as the server keeps them, and open these.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { createNonces, newGenerationKey, type GenerationKey, type Keyring } from '#core/sealing/keys.ts';
import { newRecoverySecret } from '#core/sealing/recovery-code.ts';
import { wrapByRecovery, wrapGeneration } from '#core/sealing/wraps.ts';
import type { Database } from '#server/data/database.ts';
import { rowFromWire } from '#sync/rows/codec.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { registersOf, registerStamp, type Row } from '#sync/rows/row.ts';
import { writeDirectory } from '#sync/sealing/directory.ts';
import { writerOf } from '#sync/sealing/reencoding.ts';
import { openRegister, sealRegister } from '#sync/sealing/registers.ts';
import { sealOperation } from '#sync/sealing/sealed-operation.ts';
import { openRow } from '#sync/sealing/sealed-row.ts';
import {
  generationToPush,
  isInForm,
  neverSealed,
  sealsIn,
  type ScopeSealing,
} from '#sync/sealing/scope-state.ts';
import { registerChecks } from '#wire/registers.ts';
import {
  reencodedSchema,
  sealingLeftSchema,
  sealingSchema,
  type Reencode,
  type Sealing,
  type SealingStep,
} from '#wire/sealing.ts';
import { syncResponseSchema, type SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer, GOOD_PASSWORD, type TestServer } from '../api/harness.ts';
import { keysOf, ringOf, seeded, type Keys } from './material.ts';

export type SentAction = Action & { readonly b?: number };

/** One person of a server: their account, their keys, and where the directory stands. */
export class Household {
  readonly server: TestServer;
  readonly cookie: string;
  readonly account: number;
  readonly scope: Id;
  readonly random = seeded(randomUUID());
  readonly keys: Keys = { ...keysOf(randomUUID(), 0), generations: new Map<number, GenerationKey>() };
  readonly code = newRecoverySecret(this.random);
  /** Of the directory that was written last. */
  n = 0;
  state: ScopeSealing = neverSealed;

  constructor(server: TestServer, of: { cookie: string; account: number; personalScope: string }) {
    this.server = server;
    this.cookie = of.cookie;
    this.account = of.account;
    this.scope = of.personalScope as Id;
  }

  get owner() {
    return { account: this.account, scope: this.scope };
  }

  ring(): Keyring {
    return ringOf(this.keys, this.owner);
  }

  async ask<T>(path: string, body?: unknown): Promise<{ readonly status: number; readonly body: T }> {
    const { cookie } = this;
    const asked = body === undefined ? { cookie } : { method: 'POST', body, cookie };
    const response = await this.server.ask(path, asked);
    return { status: response.status, body: (await response.json()) as T };
  }

  async confirm(): Promise<void> {
    assert.equal((await this.ask('/app/api/confirm', { password: GOOD_PASSWORD })).status, 200);
  }

  directory(state: ScopeSealing, n = this.n + 1) {
    const { keys, account, scope } = this;
    const wrapped = [...keys.generations].map(([generation, key]) => [
      String(generation),
      wrapGeneration(key, keys.account, { account, scope, generation }, this.random),
    ]);
    const generations = Object.fromEntries(wrapped) as Record<string, string>;
    return writeDirectory(keys.account, { n, account, scope, state, generations });
  }

  wraps() {
    return { code: wrapByRecovery(this.keys.account, this.account, this.code, this.random) };
  }

  async read(): Promise<Sealing> {
    const { status, body } = await this.ask('/sealing/v1');
    assert.equal(status, 200);
    return sealingSchema.parse(body);
  }

  /** Asks for a step to a state, with a new key where it begins a generation. */
  async asks(
    step: SealingStep['step'],
    to: ScopeSealing,
    more: Partial<SealingStep> = {},
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    if (!this.keys.generations.has(to.generation))
      (this.keys.generations as Map<number, GenerationKey>).set(to.generation, newGenerationKey(this.random));
    const asked = { from: this.state, step, directory: this.directory(to), ...more };
    const answer = await this.ask<Record<string, unknown>>('/sealing/v1/step', asked);
    if (answer.status === 200) {
      this.n += 1;
      this.state = sealingSchema.parse(answer.body).state;
    }
    return answer;
  }

  async begin(): Promise<void> {
    await this.confirm();
    const to = { phase: 'sealing', generation: this.state.generation + 1 } as const;
    const { status, body } = await this.asks('begin', to, { wraps: this.wraps() });
    assert.equal(status, 200, JSON.stringify(body));
  }

  async finish(): Promise<void> {
    const phase = this.state.phase === 'sealing' ? 'sealed' : 'plain';
    const { status, body } = await this.asks('finish', { phase, generation: this.state.generation });
    assert.equal(status, 200, JSON.stringify(body));
  }

  async unseal(): Promise<void> {
    await this.confirm();
    const { status } = await this.asks('unseal', {
      phase: 'unsealing',
      generation: this.state.generation,
    });
    assert.equal(status, 200);
  }

  async rotate(): Promise<void> {
    await this.confirm();
    const to = { phase: 'sealing', generation: this.state.generation + 1 } as const;
    assert.equal((await this.asks('rotate', to)).status, 200);
  }

  /** Everything of the way to being sealed. */
  async seal(): Promise<void> {
    await this.begin();
    await this.walk();
    await this.finish();
  }

  /** A register in the form that the state leads to. */
  inForm(row: Row, name: string): Reencode['items'][number] {
    const fields = registersOf(row);
    const stamp = registerStamp(row, name) as [number, number, number, number];
    const opening = { ring: this.ring(), checks: registerChecks, acceptsPlain: true };
    const subject = { id: row.id, type: row.type, fields };
    const opened = openRegister(opening, subject, { name, value: fields[name] });
    assert.ok(opened.ok, 'the register opens');
    const plain = { name: opened.value.name, value: opened.value.value };
    if (!sealsIn(this.state))
      return { id: row.id, from: name, to: { ...plain, value: plain.value as never }, stamp };
    const sealer = { ring: this.ring(), nonce: createNonces(this.random) };
    const sealed = sealRegister({ sealer, writer: writerOf(stamp) }, subject, plain);
    assert.ok(sealed.ok);
    const { name: to, value: envelope } = sealed.value;
    return { id: row.id, from: name, to: { name: to, value: envelope as never }, stamp };
  }

  async left(after: Id | null = null, limit = 500) {
    const { body } = await this.ask(
      `/sealing/v1/left?limit=${limit}${after === null ? '' : `&after=${after}`}`,
    );
    return sealingLeftSchema.parse(body);
  }

  /** The registers of a page of rows that are not in the form yet. */
  itemsOf(rows: readonly Row[]): Reencode['items'] {
    return rows.flatMap((row) =>
      Object.entries(registersOf(row))
        .filter(([name, value]) => !isInForm(this.state, row.type, { name, value }))
        .map(([name]) => this.inForm(row, name)),
    );
  }

  async reencode(items: Reencode['items']) {
    const { status, body } = await this.ask('/sealing/v1/reencode', { state: this.state, items });
    assert.equal(status, 200, JSON.stringify(body));
    return reencodedSchema.parse(body);
  }

  /** Brings everything into the form that the state leads to. `pages`: at most so many. */
  async walk(pages = Infinity, limit = 500): Promise<void> {
    let after: Id | null = null;
    for (let page = 0; page < pages; page += 1) {
      const { rows, next } = await this.left(after, limit);
      const items = this.itemsOf(rows.map((row) => rowFromWire(row, this.scope) as Row));
      for (let at = 0; at < items.length; at += 500) await this.reencode(items.slice(at, at + 500));
      if (next === null) return;
      after = next;
    }
  }

  async rows(): Promise<ReadonlyMap<Id, Row>> {
    const rows = await this.server.database.store.snapshot(this.scope, null, 100_000);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** What a device with the keys reads. */
  async opened(): Promise<ReadonlyMap<Id, Record<string, unknown>>> {
    const opening = {
      ring: this.ring(),
      checks: registerChecks,
      acceptsPlain: this.state.phase !== 'sealed',
    };
    return new Map(
      [...(await this.rows())].map(([id, row]) => {
        const { row: opened, locked } = openRow(opening, row);
        assert.deepEqual([...locked], [], `all of ${row.type} ${id} opens`);
        return [id, { ...registersOf(opened as Row) }];
      }),
    );
  }
}

/** A device of a person, which follows the directory. */
export class SealedDevice {
  readonly of: Household;
  readonly id = randomUUID() as Id;
  number = 0;
  seq = 0;
  /** What it follows; it hears of it only when it looks. */
  state: ScopeSealing;
  readonly types = new Map<
    Id,
    'task' | 'list' | 'mine' | 'setting' | 'completion' | 'label' | 'labelGroup'
  >();

  constructor(of: Household) {
    this.of = of;
    this.state = of.state;
  }

  async send(ops: readonly unknown[], sealed?: number): Promise<SyncResponse> {
    const { scope } = this.of;
    const request = {
      schema: protocolVersion,
      device: this.id,
      clientNow: this.of.server.clock.now(),
      ack: 0,
      cursors: {},
      ops,
      ...(sealed === undefined ? {} : { sealed: { [scope]: sealed } }),
    };
    const { status, body } = await this.of.ask('/sync/v1', request);
    assert.equal(status, 200, JSON.stringify(body));
    const answer = syncResponseSchema.parse(body);
    this.number = answer.deviceNumber;
    return answer;
  }

  /** Operations as they are made, a minute after the last ones. */
  async operations(actions: readonly SentAction[]): Promise<Operation[]> {
    const { server, scope } = this.of;
    server.clock.pass(60_000);
    if (this.number === 0) await this.send([]);
    const head = await server.database.store.scope(scope);
    return actions.map((action) => {
      this.seq += 1;
      if (action.a === 'create') this.types.set(action.id, action.type as 'task');
      const { version = 0 } = head ?? {};
      return { q: this.seq, u: randomUUID() as Id, scope, t: server.clock.now(), b: version, ...action };
    });
  }

  /** As they go out: sealed if the device follows a state that seals. */
  sealed(operations: readonly Operation[]): readonly unknown[] {
    if (!sealsIn(this.state)) return operations;
    const sealer = { ring: this.of.ring(), nonce: createNonces(this.of.random) };
    const typeOf = (id: Id) => this.types.get(id) ?? 'task';
    return operations.map((operation) => {
      const sealed = sealOperation({ sealer, device: this.number, typeOf }, operation);
      assert.ok(sealed.ok, JSON.stringify(sealed));
      return sealed.value;
    });
  }

  /** Sends operations until they are judged; answers the verdicts. */
  async push(...actions: readonly SentAction[]): Promise<readonly string[]> {
    const operations = await this.operations(actions);
    for (let attempt = 0; ; attempt += 1) {
      assert.ok(attempt < 5, 'the operations are judged in the end');
      const answer = await this.send(this.sealed(operations), generationToPush(this.state));
      if (answer.reseal !== true) return answer.results.map(([, verdict]) => verdict);
      assert.deepEqual(answer.results, []);
      this.state = this.of.state;
    }
  }

  async act(...actions: readonly SentAction[]): Promise<void> {
    const verdicts = await this.push(...actions);
    assert.deepEqual(
      verdicts,
      actions.map(() => 'ok'),
    );
  }

  async task(fields: Record<string, unknown>, parent = inboxId(this.of.scope)): Promise<Id> {
    const id = randomUUID() as Id;
    await this.act({ a: 'create', id, type: 'task', fields, place: { parent } } as SentAction);
    return id;
  }
}

/** A server with one person, their Inbox and a device. */
export async function openHousehold(
  open?: () => Promise<Database>,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly home: Household; readonly device: SealedDevice; readonly close: () => Promise<void> }> {
  const server = await createTestServer(open === undefined ? { environment } : { open, environment });
  const home = new Household(server, await server.signUp(`${randomUUID()}@example.org`));
  const device = new SealedDevice(home);
  const { scope } = home;
  const place = { parent: listsRoot(scope) };
  const inbox = {
    a: 'create',
    id: inboxId(scope),
    type: 'list',
    fields: { listType: 'inbox' },
    place,
  } as const;
  await device.push(inbox);
  return { home, device, close: () => server.close() };
}
