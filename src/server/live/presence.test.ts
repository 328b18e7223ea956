// What people of a shared list are told of each other, message by message, by a clock that is set by hand.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { hereSchema, type Here, type PresenceNews, type There, thereSchema } from '#wire/presence.ts';
import type { LiveMessage } from '#wire/live.ts';
import type { AccountActor, Role } from '../access/authorise.ts';
import { type Bus, createBus } from './bus.ts';
import { createHub } from './hub.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as Id;
const LIST = id(1);
const TASK = id(2);
const [ANN, BEN, EVE] = [1, 2, 3];

const actor = (account: number, scopes: readonly Id[] = [LIST]): AccountActor => ({
  type: 'account',
  account,
  session: id(900 + account),
  kind: 'web',
  personalScope: id(100 + account),
  roles: new Map<Id, Role>([id(100 + account), ...scopes].map((scope) => [scope, 'member'])),
});

interface Clock {
  readonly now: () => number;
  readonly after: (delayMs: number, work: () => void) => () => void;
  /** Lets time pass, and does what was due. */
  readonly pass: (ms: number) => void;
}

function handClock(): Clock {
  let now = 1_000_000;
  let due: { at: number; work: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, work) {
      const entry = { at: now + delayMs, work };
      due.push(entry);
      return () => (due = due.filter((other) => other !== entry));
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        due = due.filter((entry) => entry !== next);
        now = Math.max(now, next.at);
        next.work();
      }
      now = end;
    },
  };
}

const nobodyElse = { news: async () => [], versions: async () => new Map() };

function stage(bus: Bus = createBus(), clock = handClock()) {
  const hub = createHub({
    bus,
    head: async () => null,
    nextTurn: (work) => work(),
    onError: (error) => {
      throw error;
    },
    presence: { now: clock.now, after: clock.after },
    others: nobodyElse,
  });
  function connect(who: AccountActor) {
    const texts: string[] = [];
    const told: There[] = [];
    const other: string[] = [];
    const handle = hub.add(who, {
      send(text) {
        const message = JSON.parse(text) as LiveMessage;
        if (message.type !== 'there') return void other.push(text);
        texts.push(text);
        told.push(message);
      },
      end: () => undefined,
    });
    const here = (place: Partial<Here> = {}) =>
      handle.here({ type: 'here', scope: LIST, page: 7, sel: [], focus: TASK, n: 0, ...place });
    return { texts, told, other, handle, here };
  }
  return { hub, connect, pass: clock.pass };
}

/** Ann and Ben, who know that the other is there. */
function pair() {
  const made = stage();
  const [ann, ben] = [made.connect(actor(ANN)), made.connect(actor(BEN))];
  made.pass(1_000);
  for (const { told, texts } of [ann, ben]) told.length = texts.length = 0;
  return { ...made, ann, ben };
}

const places = (told: readonly There[]) =>
  told.flatMap(({ who }) => who.map(({ account, focus }) => [account, focus]));

const inOrder = (all: readonly (readonly unknown[])[]) =>
  all.toSorted((a, b) => String(a).localeCompare(String(b)));

describe('people in a shared list', () => {
  test('[SHARE-140] nobody who is alone hears or says anything, and company is told', () => {
    const { connect, pass } = stage();
    const ann = connect(actor(ANN));
    const again = connect(actor(ANN));
    ann.here();
    pass(60_000);
    assert.equal(ann.told.length + again.told.length, 0);
    const ben = connect(actor(BEN));
    pass(50);
    assert.deepEqual(
      [ann, ben].map(({ told }) => [told.at(-1)?.present, told.at(-1)?.who]),
      [
        [2, []],
        [2, []],
      ],
    );
    ben.handle.remove();
    pass(100);
    assert.equal(ann.told.at(-1)?.present, 1);
  });

  test('[SHARE-140] somebody’s own scope has no people, however many devices there are', () => {
    const { connect, pass } = stage();
    const [one, two] = [connect(actor(ANN)), connect(actor(ANN))];
    one.here({ scope: id(100 + ANN) });
    pass(1_000);
    assert.deepEqual([one.told, two.told], [[], []]);
  });

  test('[SHARE-141] a place reaches the other at once, and what follows within 50 ms goes in one message', () => {
    const { ann, ben, pass } = pair();
    ann.here({ field: 'title' });
    pass(0);
    assert.ok(thereSchema.safeParse(ben.told[0]).success);
    assert.deepEqual(ben.told, [
      {
        type: 'there',
        scope: LIST,
        present: 2,
        who: [{ account: ANN, page: 7, sel: [], focus: TASK, field: 'title', n: 0 }],
        gone: [],
      },
    ]);
    for (const focus of [id(11), id(12), id(13)]) {
      ann.here({ focus });
      pass(10);
    }
    assert.equal(ben.told.length, 1);
    pass(20);
    assert.deepEqual(places(ben.told), [
      [ANN, TASK],
      [ANN, id(13)],
    ]);
  });

  test('[SHARE-141] who comes later is told where everybody is', () => {
    const { ann, connect, pass } = pair();
    ann.here();
    pass(50);
    const eve = connect(actor(EVE));
    assert.deepEqual(places(eve.told), [[ANN, TASK]]);
  });

  test('[SHARE-141] where many move nobody gets more than 15 KB a second', () => {
    const { connect, pass } = stage();
    const all = Array.from({ length: 50 }, (_, account) => connect(actor(account + 1)));
    pass(1_000);
    const [first] = all;
    assert.ok(first);
    first.texts.length = 0;
    for (let tenth = 0; tenth < 50; tenth += 1) {
      for (const [page, { here }] of all.entries()) here({ focus: id(tenth), page });
      pass(100);
    }
    const total = first.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    assert.ok(total / 5 <= 15_000, `${total / 5} bytes a second`);
    assert.ok(first.texts.length >= 5, 'and yet news come');
  });

  test('[SHARE-141] devices are asked to say less where many move, and as much as ever where few do', () => {
    const { connect, pass } = stage();
    const all = Array.from({ length: 50 }, (_, account) => connect(actor(account + 1)));
    pass(1_000);
    const [first] = all;
    assert.ok(first);
    for (const [page, { here }] of all.entries()) here({ page });
    pass(100);
    const news = first.told.at(-1);
    assert.equal(news?.who.length, 50);
    assert.ok(thereSchema.safeParse(news).success);
    const length = Buffer.byteLength(first.texts.at(-1) ?? '');
    const { pause = 0 } = news;
    // About the time after which it is told again, at 15 KB a second.
    assert.ok(Math.abs(pause - length / 15) < length / 15 / 5, `${pause} ms for ${length} bytes`);
    pass(1_000);
    first.here({ focus: id(9) });
    pass(0);
    assert.deepEqual(places(first.told).at(-1), [1, id(9)]);
    assert.equal(first.told.at(-1)?.pause, undefined);
  });

  test('[SHARE-141] what is said again without a change goes in one message a second, and holds up no change', () => {
    const { connect, pass } = stage();
    const all = Array.from({ length: 50 }, (_, account) => connect(actor(account + 1)));
    const [first] = all;
    assert.ok(first);
    for (const [page, { here }] of all.entries()) here({ page });
    pass(1_000);
    first.told.length = 0;
    // Each every five seconds, one after the other.
    for (let tenth = 0; tenth < 100; tenth += 1) {
      all[tenth % 50]?.here({ page: tenth % 50 });
      pass(100);
    }
    assert.ok(first.told.length <= 10, String(first.told.length));
    pass(1_000);
    assert.equal(places(first.told).length, 100);
    all[1]?.here({ page: 1 });
    first.here({ page: 0, focus: id(9) });
    pass(0);
    assert.deepEqual(places(first.told).at(-1), [1, id(9)]);
  });

  test('[SHARE-141] a lot at once comes in frames that a socket takes, and is waited for', () => {
    const { connect, pass } = stage();
    const all = Array.from({ length: 50 }, (_, account) => connect(actor(account + 1)));
    const sel = Array.from({ length: 50 }, (_, number) => id(number));
    pass(1_000);
    const [first] = all;
    assert.ok(first);
    first.texts.length = 0;
    for (const [page, { here }] of all.entries()) here({ page, sel, n: 50 });
    pass(0);
    const sizes = first.texts.map((text) => Buffer.byteLength(text));
    assert.ok(sizes.length > 1 && Math.max(...sizes) <= 64 * 1_024, String(sizes));
    assert.equal(places(first.told).length, 50);
    first.here({ focus: id(70) });
    const total = sizes.reduce((sum, size) => sum + size, 0);
    pass(total / 15 - 100);
    assert.equal(places(first.told).length, 50);
    pass(1_000);
    assert.equal(places(first.told).length, 51);
  });

  test('[SHARE-142] nothing is taken from a stranger, nor told to one', () => {
    const { ann, ben, connect, pass } = pair();
    const eve = connect(actor(EVE, [id(5)]));
    eve.here();
    ann.here();
    pass(100);
    assert.deepEqual(places(ben.told), [[ANN, TASK]]);
    assert.deepEqual(eve.told, []);
  });

  test('[SHARE-142] who is removed hears nothing from that moment, is gone for the others, and says nothing more', () => {
    const { hub, ann, ben, connect, pass } = pair();
    const eve = connect(actor(EVE));
    for (const { here } of [ann, ben]) here();
    pass(100);
    ann.here({ focus: id(20) });
    ben.told.length = 0;
    eve.told.length = 0;
    hub.refresh(BEN, (before) => ({ ...before, roles: new Map() }));
    assert.deepEqual(ben.told, [
      {
        type: 'there',
        scope: LIST,
        present: 0,
        who: [],
        gone: [[ANN, 7]],
      },
    ]);
    ben.here({ focus: id(21) });
    pass(1_000);
    assert.equal(ben.told.length, 1);
    assert.deepEqual(
      eve.told.flatMap(({ gone }) => gone),
      [[BEN, 7]],
    );
    assert.deepEqual(places(eve.told), [[ANN, id(20)]]);
    assert.equal(ben.other.at(-1), JSON.stringify({ type: 'left', scope: LIST }));
  });

  test('[SHARE-142] who joins while connected is told of the others, and they of them', () => {
    const { hub, ann, connect, pass } = pair();
    const eve = connect(actor(EVE, []));
    ann.here();
    pass(100);
    hub.refresh(EVE, (before) => ({ ...before, roles: new Map([[LIST, 'member'] as const]) }));
    assert.deepEqual(places(eve.told), [[ANN, TASK]]);
    eve.here({ focus: id(30) });
    pass(100);
    assert.deepEqual(places(ann.told).at(-1), [EVE, id(30)]);
  });

  test('[SHARE-143] a place ends 15 seconds after it was said last, and at once with its connection or its word', () => {
    const { ann, ben, connect, pass } = pair();
    ann.here();
    pass(12_000);
    ann.here();
    pass(12_000);
    assert.deepEqual(
      ben.told.flatMap(({ gone }) => gone),
      [],
    );
    pass(9_000);
    assert.deepEqual(
      ben.told.flatMap(({ gone }) => gone),
      [[ANN, 7]],
    );
    ben.told.length = 0;
    const second = connect(actor(ANN));
    ann.here();
    second.here({ page: 8 });
    pass(100);
    second.handle.remove();
    ann.here({ leaves: true });
    pass(100);
    assert.deepEqual(
      ben.told.flatMap(({ gone }) => gone).toSorted(([, a], [, b]) => a - b),
      [
        [ANN, 7],
        [ANN, 8],
      ],
    );
  });

  test('[SHARE-143] a page that comes back by another connection is there once, and does not go with the old one', () => {
    const { ann, ben, connect, pass } = pair();
    ann.here();
    const again = connect(actor(ANN));
    again.here({ focus: id(40) });
    ann.handle.remove();
    pass(100);
    assert.deepEqual(
      ben.told.flatMap(({ gone }) => gone),
      [],
    );
    assert.deepEqual(places(ben.told), [[ANN, id(40)]]);
  });

  test('[SHARE-144] at most 50 selected tasks, 200 places of a list and 8 of a connection', () => {
    const fifty = Array.from({ length: 51 }, (_, number) => id(number));
    const message = { type: 'here', scope: LIST, page: 1, focus: null, n: 10_000 };
    assert.ok(hereSchema.safeParse({ ...message, sel: fifty.slice(0, 50) }).success);
    assert.ok(!hereSchema.safeParse({ ...message, sel: fifty }).success);
    const { connect, pass } = stage();
    const ann = connect(actor(ANN));
    const others = Array.from({ length: 210 }, (_, number) => connect(actor(number + 2)));
    for (let page = 0; page < 10; page += 1) ann.here({ page });
    for (const { here } of others) here();
    pass(100);
    const full = connect(actor(998)).told.flatMap(({ who }) => who);
    assert.equal(full.length, 200);
    assert.equal(full.filter(({ account }) => account === ANN).length, 8);
  });

  test('[SHARE-144] of a flood the first ones count, and a moment later it goes on', () => {
    const { ann, ben, pass } = pair();
    for (let number = 0; number < 200; number += 1) ann.here({ focus: id(number) });
    pass(100);
    assert.deepEqual(places(ben.told), [[ANN, id(49)]]);
    pass(1_000);
    ann.here({ focus: id(7) });
    pass(100);
    assert.deepEqual(places(ben.told).at(-1), [ANN, id(7)]);
  });

  test('[SHARE-146] people of several processes see each other, and those of a process that died are gone', () => {
    // Each process hears the others’ news a moment later, as text.
    const clock = handClock();
    const buses: Bus[] = [];
    const dead = new Set<Bus>();
    const shared = (): Bus => {
      const local = createBus();
      const own: Bus = {
        ...local,
        isShared: true,
        publish(message) {
          if (message.type !== 'presence') return local.publish(message);
          const text = JSON.stringify(message.news);
          if (!dead.has(own))
            for (const bus of buses)
              if (bus !== own) clock.after(1, () => hears.get(bus)?.(JSON.parse(text) as PresenceNews));
        },
      };
      hears.set(own, (news) => dead.has(own) || local.publish({ type: 'presence', news }));
      buses.push(own);
      return own;
    };
    const hears = new Map<Bus, (news: PresenceNews) => void>();
    const [first, second, third] = [shared(), shared(), shared()];
    const one = stage(first, clock);
    const two = stage(second, clock);
    const ann = one.connect(actor(ANN));
    clock.pass(6_000);
    assert.equal(ann.told.length, 0);
    const ben = two.connect(actor(BEN));
    clock.pass(100);
    assert.deepEqual([ann.told.at(-1)?.present, ben.told.at(-1)?.present], [2, 2]);
    ann.here();
    ben.here({ focus: id(60) });
    clock.pass(200);
    assert.deepEqual(places(ben.told).at(-1), [ANN, TASK]);
    assert.deepEqual(places(ann.told).at(-1), [BEN, id(60)]);
    // A process that starts later is told by those who are there.
    const eve = stage(third, clock).connect(actor(EVE));
    clock.pass(300);
    assert.deepEqual(
      inOrder(places(eve.told)),
      inOrder([
        [ANN, TASK],
        [BEN, id(60)],
      ]),
    );
    eve.handle.remove();
    ann.told.length = 0;
    dead.add(second);
    for (let second = 0; second < 22; second += 1) {
      ann.here();
      clock.pass(1_000);
    }
    assert.ok(ann.told.some(({ gone }) => gone.some(([account]) => account === BEN)));
    assert.equal(ann.told.at(-1)?.present, 1);
    assert.deepEqual(
      places(ann.told.slice(-1)).filter(([account]) => account !== ANN),
      [],
    );
  });

  test('[NODE-34] the other processes are told of a list at most twenty times a second, whoever comes and goes', () => {
    const clock = handClock();
    const told: PresenceNews[] = [];
    const local = createBus();
    const bus: Bus = {
      ...local,
      isShared: true,
      publish: (message) => message.type === 'presence' && told.push(message.news),
    };
    const { connect } = stage(bus, clock);
    const ann = connect(actor(ANN));
    connect(actor(BEN));
    clock.pass(1_000);
    told.length = 0;
    for (let at = 0; at < 200; at += 1) {
      const eve = connect(actor(EVE));
      if (at > 100) ann.here({ focus: id(at % 60) });
      clock.pass(2);
      eve.handle.remove();
      clock.pass(3);
    }
    assert.ok(told.length <= 21, `${told.length} times in a second`);
    assert.ok(told.length >= 2);
  });
});
