// What a bus between processes has to do, whatever carries it: what one publishes the other hears, once, coalesced, and again after
// the line was cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveId, type Id } from '#core/ids.ts';
import type { Bus, BusMessage } from '#server/live/bus.ts';

const SCOPE = deriveId('scope', '1');
const OTHER = deriveId('scope', '2');
const SESSION = deriveId('session', '1');

/** A medium that carries a bus. */
export interface BusMedium {
  open(): Promise<Bus>;
  /** Ends all lines, which can be opened again. */
  cut(): Promise<void>;
  /** Somebody else says something where news is told. */
  say(text: string): Promise<void>;
}

/** A bus and what it heard, with a way to wait for more. */
async function joinBy(
  open: () => Promise<Bus>,
): Promise<{ bus: Bus; heard: BusMessage[]; until: (count: number) => Promise<void> }> {
  const bus = await open();
  const heard: BusMessage[] = [];
  let wake = () => undefined as void;
  bus.subscribe((message) => {
    heard.push(message);
    wake();
  });
  const until = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { bus, heard, until };
}

/** Tests of a bus. */
export function busContract(medium: () => BusMedium): void {
  const join = () => joinBy(() => medium().open());

  const changes = { scope: SCOPE, generation: 'g', from: 2, to: 3, rows: [], gone: [], more: false };

  test('rows stay inside the process; ids and the newest version travel, once', async () => {
    const [one, two] = [await join(), await join()];
    one.bus.publish({ type: 'changed', scope: SCOPE, to: 1 });
    one.bus.publish({ type: 'changed', scope: SCOPE, to: 2 });
    one.bus.publish({ type: 'changed', scope: SCOPE, to: 3, changes });
    one.bus.publish({ type: 'ended', sessions: [SESSION] });
    assert.equal(one.heard.length, 4, 'the own process hears at once');
    await two.until(2);
    assert.deepEqual(two.heard, [
      { type: 'changed', scope: SCOPE, to: 3 },
      { type: 'ended', sessions: [SESSION] },
    ]);
    assert.equal(one.heard.length, 4, 'nothing comes back');
    await one.bus.close();
    await two.bus.close();
  });

  test('[MACRO-31] a run of a macro is announced to other processes, behind the rows before it', async () => {
    const [one, two] = [await join(), await join()];
    one.bus.publish({ type: 'changed', scope: SCOPE, to: 1 });
    one.bus.publish({ type: 'runs', account: 7 });
    one.bus.publish({ type: 'runs', account: 7 });
    await two.until(2);
    assert.deepEqual(two.heard, [
      { type: 'changed', scope: SCOPE, to: 1 },
      { type: 'runs', account: 7 },
    ]);
    await one.bus.close();
    await two.bus.close();
  });

  test('[CAL-34] that calendars changed is announced to other processes', async () => {
    const [one, two] = [await join(), await join()];
    one.bus.publish({ type: 'calendars', account: 7 });
    one.bus.publish({ type: 'calendars', account: 7 });
    await two.until(1);
    assert.deepEqual(two.heard, [{ type: 'calendars', account: 7 }]);
    await one.bus.close();
    await two.bus.close();
  });

  test('[SHARE-146] places of people travel, in parts where they are many, and nothing else comes of them', async () => {
    const [one, two] = [await join(), await join()];
    const sel = Array.from({ length: 50 }, (_, number) => deriveId('task', String(number)));
    const who = Array.from({ length: 20 }, (_, account) => ({
      account,
      page: account,
      sel: account === 7 ? sel : [],
      focus: SCOPE,
      n: 0,
    }));
    const news = {
      node: one.bus.node,
      scope: SCOPE,
      accounts: [1, 2],
      who,
      gone: [[3, 4] as [number, number]],
    };
    one.bus.publish({ type: 'presence', news });
    const heard = () => two.heard.flatMap((message) => (message.type === 'presence' ? [message.news] : []));
    while (heard().flatMap((part) => part.who).length < who.length) await two.until(two.heard.length + 1);
    assert.deepEqual(
      heard().flatMap((part) => part.who),
      who,
    );
    assert.deepEqual(
      heard().flatMap((part) => part.gone),
      [[3, 4]],
    );
    assert.equal(two.heard.length, heard().length);
    assert.equal(one.heard.length, 0);
    await one.bus.close();
    await two.bus.close();
  });

  test('hundreds of scopes at once all arrive', async () => {
    const [one, two] = [await join(), await join()];
    const scopes = Array.from({ length: 700 }, (_, number) => deriveId('many', String(number)));
    for (const scope of scopes) one.bus.publish({ type: 'changed', scope, to: 1 });
    await two.until(700);
    const heard = two.heard.map((message) => (message.type === 'changed' ? message.scope : ('' as Id)));
    assert.deepEqual(heard, scopes);
    await one.bus.close();
    await two.bus.close();
  });

  test('[SHARE-23] whose roles have changed travels, once', async () => {
    const [one, two] = [await join(), await join()];
    one.bus.publish({ type: 'roles', accounts: [7, 8] });
    one.bus.publish({ type: 'roles', accounts: [8, 9] });
    await two.until(1);
    assert.deepEqual(two.heard, [{ type: 'roles', accounts: [7, 8, 9] }]);
    await one.bus.close();
    await two.bus.close();
  });

  test('[NODE-32] which public links are others than before travels, once, and at once', async () => {
    const [one, two] = [await join(), await join()];
    one.bus.publish({ type: 'link', links: [SCOPE] });
    one.bus.publish({ type: 'link', links: [SCOPE, OTHER] });
    await two.until(1);
    assert.deepEqual(two.heard, [{ type: 'link', links: [SCOPE, OTHER] }]);
    await one.bus.close();
    await two.bus.close();
  });

  test('[NODE-33] processes know of each other, and of who leaves', async () => {
    const [one, two] = [await join(), await join()];
    const both = [one.bus.node, two.bus.node].toSorted();
    const know = async (bus: Bus, nodes: readonly string[]) => {
      while (bus.nodes().toSorted().join() !== nodes.join())
        await new Promise((resolve) => setImmediate(resolve));
    };
    await Promise.all([know(one.bus, both), know(two.bus, both)]);
    await two.bus.close();
    await know(one.bus, [one.bus.node]);
    await one.bus.close();
  });

  test('closing sends what waits', async () => {
    const [one, two] = [await join(), await join()];
    one.bus.publish({ type: 'ended', sessions: [SESSION] });
    await one.bus.close();
    await two.until(1);
    await two.bus.close();
  });

  test('[NODE-31] cut lines are opened again, each process looks for what it missed, and what was published meanwhile goes out', async () => {
    const [one, two] = [await join(), await join()];
    const known = () => [one, two].every(({ bus }) => bus.nodes().length === 2);
    while (!known()) await new Promise((resolve) => setImmediate(resolve));
    const back = Promise.all([one.until(1), two.until(1)]);
    await medium().cut();
    await back;
    assert.deepEqual([one.heard, two.heard], [[{ type: 'missed' }], [{ type: 'missed' }]]);
    one.bus.publish({ type: 'changed', scope: SCOPE, to: 9 });
    await two.until(2);
    assert.deepEqual(two.heard.slice(1), [{ type: 'changed', scope: SCOPE, to: 9 }]);
    await one.bus.close();
    await two.bus.close();
  });

  test('[SYNC-75] what a newer process says means “look whether there is news”, beside what is understood of it', async (t) => {
    const { bus, heard, until } = await join();
    t.after(() => bus.close());
    const say = (payload: object) => medium().say(JSON.stringify({ node: 'newer', ...payload }));
    await say({ kind: 'moved', roots: [SCOPE] });
    await say({ scopes: [[SCOPE, 4]], sessions: [SESSION], moved: [SCOPE] });
    await say({ scopes: { all: true }, sessions: [] });
    await say({
      scopes: [
        ['no id', 1],
        [SCOPE, 4, 'more'],
        [OTHER, 4],
      ],
      sessions: [7],
    });
    await say({ scopes: [[SCOPE, 5]], sessions: [] });
    const isOver = () => heard.some((message) => message.type === 'changed' && message.to === 5);
    while (!isOver()) await until(heard.length + 1);
    assert.deepEqual(heard, [
      { type: 'missed' },
      { type: 'changed', scope: SCOPE, to: 4 },
      { type: 'ended', sessions: [SESSION] },
      { type: 'missed' },
      { type: 'missed' },
      { type: 'changed', scope: OTHER, to: 4 },
      { type: 'missed' },
      { type: 'changed', scope: SCOPE, to: 5 },
    ]);
  });

  test('somebody else’s text where news is told is passed over', async () => {
    const { bus, heard, until } = await join();
    await medium().say('not json');
    await medium().say('{"somebody":"else","scopes":[["nonsense",1]],"sessions":[]}');
    await medium().say(`{"node":"x","scopes":[["${SCOPE}",4]],"sessions":[]}`);
    await until(1);
    assert.deepEqual(heard, [{ type: 'changed', scope: SCOPE, to: 4 }]);
    await bus.close();
  });
}
