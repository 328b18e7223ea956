// Devices and live connections that may ask any of several servers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { LiveMessage } from '#wire/live.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { someId } from '../contracts/store-samples.ts';
import { signUp, type SignedUp } from './server-child.ts';

const LATE_MS = 20_000;

/** What one socket heard. */
export class Ear {
  readonly socket: WebSocket;
  readonly heard: LiveMessage[] = [];
  readonly closed: Promise<number>;
  /** False: it was turned away. */
  readonly opens: Promise<boolean>;
  #wake = () => undefined as void;

  constructor(address: string, { cookie }: Pick<SignedUp, 'cookie'>) {
    this.socket = new WebSocket(`${address.replace('http', 'ws')}/live`, {
      headers: { cookie },
      origin: address,
    });
    this.socket.on('message', (data: Buffer) => {
      this.heard.push(JSON.parse(data.toString()) as LiveMessage);
      this.#wake();
    });
    this.opens = new Promise((resolve) => {
      this.socket.once('open', () => resolve(true));
      this.socket.on('error', () => resolve(false));
    });
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  /** Says what the device has. */
  async open({ cursors, device }: Pick<Device, 'cursors' | 'device'>): Promise<void> {
    assert.ok(await this.opens);
    this.socket.send(JSON.stringify({ type: 'hello', device, cursors }));
  }

  async until(isSo: (heard: readonly LiveMessage[]) => boolean): Promise<void> {
    const late = AbortSignal.timeout(LATE_MS);
    while (!isSo(this.heard)) {
      const more = new Promise<void>((resolve) => (this.#wake = resolve));
      await Promise.race([more, once(late, 'abort')]);
      assert.ok(!late.aborted, `it only heard ${JSON.stringify(this.heard)}`);
    }
  }
}

/** A device that asks whichever server it is told to. */
export class Device {
  readonly person: SignedUp;
  readonly device = someId();
  readonly rows = new Map<Id, number>();
  cursors: Record<string, { generation: string; version: number }> = {};
  rollbacks = 0;
  resyncs = 0;
  #seq = 0;
  #ack = 0;

  constructor(person: SignedUp) {
    this.person = person;
  }

  versionOf(scope: Id): number {
    return this.cursors[scope]?.version ?? Infinity;
  }

  /** Everything must be applied, or this rejects; then it can be sent again, to anybody. */
  async sync(address: string, ...said: readonly Record<string, unknown>[]): Promise<SyncResponse> {
    const ops = said.map((action, at) => {
      const scope = (action['scope'] as Id | undefined) ?? this.person.scope;
      const b = this.cursors[scope]?.version ?? 0;
      return { q: this.#seq + at + 1, u: someId(), t: Date.now(), b, ...action, scope };
    });
    const head = { schema: protocolVersion, device: this.device, clientNow: Date.now(), ack: this.#ack };
    const response = await fetch(`${address}/sync/v1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address, cookie: this.person.cookie },
      body: JSON.stringify({ ...head, ops, cursors: this.cursors }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const answer = JSON.parse(text) as SyncResponse;
    assert.deepEqual(
      answer.results.map(([, verdict]) => verdict),
      said.map(() => 'ok'),
    );
    this.#seq += said.length;
    this.#ack = this.#seq;
    for (const { scope, generation, to, rows, gone, ...change } of answer.changes) {
      if (change.rollback !== undefined) this.rollbacks += 1;
      if (change.resync === true) this.resyncs += 1;
      for (const { id, v } of rows) this.rows.set(id, v);
      for (const id of gone) this.rows.delete(id);
      this.cursors[scope] = { generation, version: to };
    }
    return answer;
  }
}

/** The newest version that was told. */
export const newest = (heard: readonly LiveMessage[]) =>
  Math.max(
    0,
    ...heard.map((message) =>
      message.type === 'delta' ? message.changes.to : message.type === 'poke' ? message.to : 0,
    ),
  );

/** Somebody new, with an Inbox, and a device of theirs. */
export async function comeTo(address: string, name: string) {
  const person = await signUp(address, `${name}@example.org`);
  const device = new Device(person);
  const { scope } = person;
  await device.sync(address, {
    a: 'create',
    id: inboxId(scope),
    type: 'list',
    fields: { listType: 'inbox' },
    place: { parent: listsRoot(scope) },
  });
  return { person, device };
}

/** To make a task in the Inbox. */
export const task = ({ scope }: SignedUp, title: string) => ({
  a: 'create',
  id: someId(),
  type: 'task',
  fields: { title },
  place: { parent: inboxId(scope) },
});
