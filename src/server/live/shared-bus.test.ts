// The bus between processes over lines in memory: what is sent while a line is slow, silent or lost.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { deriveId, type Id } from '#core/ids.ts';
import type { PresenceNews } from '#wire/presence.ts';
import { createLogger } from '../observe/log.ts';
import type { BusMessage } from './bus.ts';
import { MOST_BYTES, readNews, WaitingNews } from './bus-news.ts';
import { type Channel, createSharedBus, type LineEvents } from './shared-bus.ts';

const SCOPE = deriveId('scope', '1');
const log = createLogger({
  level: 'off',
  clock: { now: () => 0, monotonic: () => 0 },
  write: () => undefined,
});

/** A medium that lines carry texts over. */
class Air {
  readonly lines = new Set<LineEvents>();
  readonly sent: (readonly [Channel, string])[] = [];
  /** Nothing arrives. */
  isSilent = false;
  /** Waits before a text of this channel is on its way. */
  readonly gates = new Map<Channel, Promise<void>>();

  readonly open = async (on: LineEvents) => {
    this.lines.add(on);
    return {
      send: async (channel: Channel, text: string) => {
        await this.gates.get(channel);
        if (!this.lines.has(on)) throw new Error('The line is closed.');
        this.sent.push([channel, text]);
        if (!this.isSilent) for (const line of this.lines) line.heard(channel, text);
      },
      close: async () => void this.lines.delete(on),
    };
  };

  cut(): void {
    for (const line of this.lines) {
      this.lines.delete(line);
      line.lost();
    }
  }
}

async function join(t: TestContext, air: Air, beatMs = 60_000) {
  const bus = await createSharedBus({ open: air.open, log, beatMs });
  t.after(() => bus.close());
  const heard: BusMessage[] = [];
  let wake = () => undefined as void;
  bus.subscribe((message) => {
    heard.push(message);
    wake();
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { bus, heard, until };
}

const placeOf = (page: number, focus: Id | null): PresenceNews['who'][number] => ({
  account: 1,
  page,
  sel: [],
  focus,
  n: 0,
});

describe('the bus between processes', () => {
  test('[NODE-31] after a line was lost everybody looks, and what was said meanwhile is heard', async (t) => {
    const air = new Air();
    const [one, two] = [await join(t, air), await join(t, air)];
    air.cut();
    one.bus.publish({ type: 'changed', scope: SCOPE, to: 7 });
    await two.until(() => two.heard.some(({ type }) => type === 'changed'));
    await one.until(() => one.heard.some(({ type }) => type === 'missed'));
    await two.until(() => two.heard.some(({ type }) => type === 'missed'));
    assert.equal(two.bus.nodes().length, 2);
  });

  test('[NODE-31] a line that brings back nothing of what is said on it is opened again', async (t) => {
    const air = new Air();
    const one = await join(t, air, 5);
    const [before] = air.lines;
    air.isSilent = true;
    while (before !== undefined && air.lines.has(before))
      await new Promise((resolve) => setImmediate(resolve));
    air.isSilent = false;
    await one.until(() => one.heard.some(({ type }) => type === 'missed'));
    assert.ok(air.lines.size === 1);
  });

  test('[NODE-33] a process that is not heard any more is not counted any more', async (t) => {
    const air = new Air();
    const one = await join(t, air, 5);
    for (const line of air.lines) line.heard('nodes', JSON.stringify({ node: 'other', build: 'newer' }));
    assert.deepEqual(one.bus.nodes(), [one.bus.node, 'other']);
    while (one.bus.nodes().length > 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(one.bus.nodes(), [one.bus.node]);
  });

  test('[NODE-34] while places of people are on their way, only the newest of each page waits', async (t) => {
    const air = new Air();
    const [one, two] = [await join(t, air), await join(t, air)];
    const gate = Promise.withResolvers<void>();
    air.gates.set('presence', gate.promise);
    const tell = (who: PresenceNews['who'], gone: PresenceNews['gone'] = []) =>
      one.bus.publish({
        type: 'presence',
        news: { node: one.bus.node, scope: SCOPE, accounts: [1], who, gone },
      });
    tell([placeOf(1, null)]);
    for (let at = 0; at < 100; at += 1) tell([placeOf(1, deriveId('task', String(at)))]);
    tell([placeOf(2, null)]);
    tell([], [[1, 2]]);
    gate.resolve();
    await two.until(() => two.heard.length === 2);
    const [first, second] = two.heard.map((message) => message.type === 'presence' && message.news);
    assert.deepEqual(first && first.who, [placeOf(1, null)]);
    assert.deepEqual(second && [second.who, second.gone], [[placeOf(1, deriveId('task', '99'))], [[1, 2]]]);
    assert.equal(air.sent.filter(([channel]) => channel === 'presence').length, 2);
  });

  test('[NODE-35] what a line has not carried when it was lost goes out on the next one', async (t) => {
    const air = new Air();
    const [one, two] = [await join(t, air), await join(t, air)];
    const gate = Promise.withResolvers<void>();
    air.gates.set('news', gate.promise);
    one.bus.publish({ type: 'link', links: [SCOPE] });
    await new Promise((resolve) => setTimeout(resolve, 0));
    air.cut();
    await one.until(() => one.heard.some(({ type }) => type === 'missed'));
    await two.until(() => two.heard.some(({ type }) => type === 'missed'));
    gate.resolve();
    await two.until(() => two.heard.some(({ type }) => type === 'link'));
  });

  test('[NODE-35] what waits goes in texts of a limited size, and no entry is lost', () => {
    const waiting = new WaitingNews();
    const scopes = Array.from({ length: 500 }, (_, at) => deriveId('many', String(at)));
    for (const scope of scopes) waiting.add({ type: 'changed', scope, to: Number.MAX_SAFE_INTEGER });
    waiting.add({ type: 'roles', accounts: Array.from({ length: 900 }, (_, at) => 2 ** 40 + at) });
    const heard: BusMessage[] = [];
    while (!waiting.isEmpty) {
      const text = waiting.take('one');
      assert.ok(Buffer.byteLength(text) <= MOST_BYTES, `${text.length} bytes`);
      heard.push(...(readNews(text)?.messages ?? []));
    }
    assert.deepEqual(
      heard.flatMap((message) => (message.type === 'changed' ? [message.scope] : [])),
      scopes,
    );
    assert.equal(heard.flatMap((message) => (message.type === 'roles' ? message.accounts : [])).length, 900);
  });
});
