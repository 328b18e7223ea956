// Reminders outside the app on every engine: rows go in through the one write path, messages come out at a push service of
// our own. Every step is a round of the scheduler at a moment that the test chooses.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { blockReminderSetting, noBlockReminder } from '#core/calendar/block-rings.ts';
import { blockRegister } from '#core/calendar/blocks.ts';
import { inboxId, mineId, settingId, type Id } from '#core/ids.ts';
import { type Reminder, registerOf } from '#core/reminders.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import type { Database } from '#server/data/database.ts';
import { createLogger } from '#server/observe/log.ts';
import { createPush, type Push } from '#server/push/push.ts';
import { type BrowserSubscription, type PushService, readVapid, startPushService } from '../push-service.ts';
import { DAY, type House, openHouse, Person } from './house.ts';
import { someId } from './store-samples.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Station {
  readonly house: House;
  readonly service: PushService;
  /** As a process that just started: it remembers nothing. */
  start(): Push;
}

/** Somebody with a session, whose browsers can be reached. */
class Reminded extends Person {
  readonly session = someId();

  async signIn(): Promise<this> {
    await this.settle();
    const { database, now } = this.house;
    await database.db
      .insertInto('session')
      .values({
        id: this.session,
        account: this.account,
        kind: 'web',
        token_hash: Buffer.from(this.session),
        name: '',
        user_agent: '',
        created_at: now,
        last_used_at: now,
      })
      .execute();
    return this;
  }

  get actor(): AccountActor {
    const { account, session, scope } = this;
    const roles = new Map([[scope, 'owner' as const]]);
    return { type: 'account', account, session, kind: 'web', access: 'write', personalScope: scope, roles };
  }

  async browse(
    { house, service }: Station,
    push: Push,
    options: { readonly titles?: boolean; readonly zone?: string } = {},
  ): Promise<BrowserSubscription> {
    const browser = service.subscribe(`${someId()}-${house.now}`);
    const { endpoint, p256dh, auth } = browser;
    const { titles = true, zone = 'UTC' } = options;
    await push.subscriptions.put(this.actor, { endpoint, p256dh, auth, zone, titles });
    return browser;
  }

  async dueIn(ms: number, title = 'Call Ada'): Promise<Id> {
    const id = someId();
    const fields = { title, due: { at: this.house.now + ms, zone: 'UTC' } };
    const place = { parent: inboxId(this.scope) };
    await this.act([{ a: 'create', id, type: 'task', fields, place }]);
    return id;
  }

  async remind(task: Id, ...reminders: readonly Reminder[]): Promise<void> {
    const id = mineId(this.scope, task);
    const held = Object.fromEntries(reminders.map((reminder) => [registerOf(reminder), reminder]));
    await this.act([{ a: 'create', id, type: 'mine', fields: { of: task, ...held } }]);
  }

  set(task: Id, field: string, value: unknown): Promise<void> {
    return this.act([{ a: 'set', id: mineId(this.scope, task), field, value }]);
  }
}

export function remindersContract(name: string, open: () => Promise<Database>): void {
  describe(`Reminders on ${name}`, () => {
    let station: Station;
    let push: Push;
    const started: Push[] = [];
    before(async () => {
      const house = await openHouse(open);
      const service = await startPushService();
      const clock = { now: () => house.now, monotonic: () => house.now };
      const sealing = createSealing(createServerKey());
      const log = createLogger({ level: 'off', clock, write: () => undefined });
      const { db, store, reads } = house.database;
      const start = () => {
        const made = createPush({
          db,
          store,
          reads,
          clock,
          sealing,
          log,
          newId: someId,
          ca: service.ca,
          config: {
            publicUrl: 'https://tasks.example.org',
            pushNetworks: ['127.0.0.0/8'],
            pushContact: null,
          },
          metrics: { pushed: () => undefined },
        });
        started.push(made);
        return made;
      };
      station = { house, service, start };
      push = start();
    });
    after(async () => {
      for (const each of started) await each.stop();
      await station.service.close();
      await station.house.care.stop();
      await station.house.database.close();
    });
    const settle = () => new Reminded(station.house).signIn();
    const pass = (ms: number) => {
      station.house.now += ms;
    };
    const round = () => push.scheduler.round();

    test('[REM-20] [REM-25] rings once at its moment, encrypted and signed, with what must be shown', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 10 });
      await round();
      pass(50 * MINUTE - 1);
      await round();
      assert.deepEqual(browser.messages(), []);
      pass(1);
      const moment = station.house.now;
      await round();
      assert.deepEqual(browser.messages(), [
        {
          web_push: 8030,
          type: 'ring',
          task,
          at: moment,
          notification: {
            title: 'Call Ada',
            body: 'Due Thu 1 Jan, 01:00',
            navigate: `https://tasks.example.org/app/?reminder=open&task=${task}`,
            tag: `reminder:${task}`,
          },
        },
      ]);
      const last = station.service.arrived.at(-1);
      assert.ok(last);
      assert.equal(last.headers['content-encoding'], 'aes128gcm');
      assert.equal(last.headers['urgency'], 'high');
      assert.equal(last.headers['ttl'], String(DAY / 1_000));
      assert.match(String(last.headers['topic']), /^[\w-]{32}$/);
      const claims = readVapid(last, (await push.keys()).publicKey);
      assert.equal(claims['sub'], 'https://tasks.example.org');
      assert.equal(claims['aud'], new URL(browser.endpoint).origin);
    });

    test('[CAL-95] a time block rings once when it begins, by the clock of the browser’s zone; moved, it rings anew', async () => {
      const person = await settle();
      const browser = await person.browse(station, push, { zone: 'America/New_York' });
      const task = await person.dueIn(30 * DAY);
      // The first of January 1970 begins five hours later there.
      const wall = (ms: number) => station.house.now - 5 * HOUR + ms;
      const register = blockRegister(someId());
      const block = { start: wall(HOUR), minutes: 45, occ: 0 };
      const id = mineId(person.scope, task);
      await person.act([{ a: 'create', id, type: 'mine', fields: { of: task, [register]: block } }]);
      await round();
      pass(30 * MINUTE);
      await round();
      await person.set(task, register, { ...block, start: wall(HOUR) });
      pass(HOUR - 1);
      await round();
      assert.deepEqual(browser.messages(), []);
      pass(1);
      await Promise.all([round(), station.start().scheduler.round()]);
      await round();
      const [rung, ...more] = browser.messages();
      assert.deepEqual(more, []);
      assert.equal(rung?.at, station.house.now);
      assert.match(JSON.stringify(rung), /"body":"Planned for \w{3} \d+ \w{3}, \d\d:\d\d for 45 min"/);
      pass(MINUTE);
      await person.set(task, register, { ...block, start: wall(10 * MINUTE) });
      await round();
      assert.deepEqual(
        browser.messages().map(({ type }) => type),
        ['ring', 'close'],
      );
      pass(10 * MINUTE);
      await round();
      assert.equal(browser.messages()[2]?.at, station.house.now);
      await person.set(task, register, { ...block, start: wall(10 * MINUTE) });
      await person.act([{ a: 'set', id: task, field: 'status', value: { done: station.house.now } }]);
      pass(10 * MINUTE);
      await round();
      assert.deepEqual(
        browser.messages().map(({ type }) => type),
        ['ring', 'close', 'ring', 'close'],
      );
    });

    test('[CAL-97] nothing is sent of a block whose time is over, and a push service keeps it no longer', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const task = await person.dueIn(30 * DAY);
      const register = blockRegister(someId());
      const block = { start: station.house.now + HOUR, minutes: 30, occ: 0 };
      const fields = { of: task, [register]: block };
      await person.act([{ a: 'create', id: mineId(person.scope, task), type: 'mine', fields }]);
      pass(HOUR + 10 * MINUTE);
      station.service.answerWith(503);
      await round();
      assert.equal(station.service.arrived.at(-1)?.headers['ttl'], String(20 * 60));
      station.service.answerWith(201);
      pass(20 * MINUTE);
      await station.start().scheduler.round();
      assert.equal(browser.messages().length, 1);
      await person.set(task, register, { ...block, start: station.house.now + HOUR });
      pass(2 * HOUR);
      await round();
      assert.equal(browser.messages().length, 1);
    });

    test('[CAL-96] the setting says how long before, or not at all; a block that began before that doesn’t ring again', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const key = blockReminderSetting;
      const setting = settingId(person.scope, key);
      const plan = async (ms: number) => {
        const task = await person.dueIn(30 * DAY);
        const block = { start: station.house.now + ms, minutes: 30, occ: 0 };
        const fields = { of: task, [blockRegister(someId())]: block };
        await person.act([{ a: 'create', id: mineId(person.scope, task), type: 'mine', fields }]);
        return task;
      };
      const first = await plan(HOUR);
      await person.act([{ a: 'create', id: setting, type: 'setting', fields: { key, value: 10 } }]);
      pass(50 * MINUTE);
      await round();
      assert.deepEqual(
        browser.messages().map(({ task }) => task),
        [first],
      );
      pass(5 * MINUTE);
      await person.act([{ a: 'set', id: setting, field: 'value', value: 15 }]);
      await round();
      assert.equal(browser.messages().filter(({ type }) => type === 'ring').length, 1);
      await plan(HOUR);
      await person.act([{ a: 'set', id: setting, field: 'value', value: noBlockReminder }]);
      pass(2 * HOUR);
      await round();
      assert.equal(browser.messages().filter(({ type }) => type === 'ring').length, 1);
    });

    test('[REM-21] twice, in another process and after a restart nothing is sent twice', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 10 }, { before: 0 });
      pass(55 * MINUTE);
      const other = station.start();
      await Promise.all([round(), other.scheduler.round()]);
      await round();
      await station.start().scheduler.round();
      assert.equal(browser.messages().length, 1);
      // What changes nothing about it is looked at again, and sends nothing.
      await person.set(task, 'collapsed', true);
      await person.act([{ a: 'set', id: task, field: 'title', value: 'Call Ada back' }]);
      await round();
      assert.equal(browser.messages().length, 1);
      pass(5 * MINUTE);
      await other.scheduler.round();
      await round();
      assert.equal(browser.messages().length, 2);
      assert.deepEqual((await push.keys()).publicKey, (await other.keys()).publicKey);
    });

    test('[REM-21] what was under way when a process ended counts as sent', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 0 });
      pass(HOUR);
      const { db } = station.house.database;
      station.service.answerWith(503);
      await round();
      assert.equal(browser.messages().length, 1);
      const claimed = await db
        .updateTable('push_delivery')
        .set({ state: 'sending', next_try: station.house.now })
        .where('task', '=', task)
        .executeTakeFirst();
      assert.equal(claimed.numUpdatedRows, 1n);
      station.service.answerWith(201);
      pass(2 * HOUR);
      await station.start().scheduler.round();
      assert.equal(browser.messages().length, 1);
      const left = await db.selectFrom('push_delivery').select('state').where('task', '=', task).execute();
      assert.deepEqual(left, [{ state: 'sent' }]);
    });

    test('[REM-22] after the server was away the last ring is sent, of the last day', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const near = await person.dueIn(HOUR, 'Near');
      const far = await person.dueIn(2 * DAY, 'Far');
      await person.remind(near, { before: 10 }, { before: 0 });
      await person.remind(far, { before: 60 }, { before: 0 });
      await round();
      pass(2 * HOUR);
      await station.start().scheduler.round();
      assert.deepEqual(
        browser.messages().map(({ task }) => task),
        [near],
      );
      pass(4 * DAY);
      await round();
      assert.equal(browser.messages().length, 1);
      const late = await person.browse(station, push);
      await round();
      assert.deepEqual(late.messages(), []);
    });

    test('[REM-23] busy is tried again later, gone ends the subscription', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 0 });
      pass(HOUR);
      station.service.answerWith(429, 600);
      await round();
      pass(599_000);
      await round();
      assert.equal(browser.messages().length, 1);
      station.service.answerWith(503);
      pass(1_000);
      await round();
      assert.equal(browser.messages().length, 2);
      await round();
      assert.equal(browser.messages().length, 2);
      station.service.answerWith(201);
      pass(HOUR);
      await round();
      assert.equal(browser.messages().length, 3);
      const next = await person.dueIn(HOUR);
      await person.remind(next, { before: 0 });
      pass(HOUR);
      station.service.answerWith(410);
      await round();
      assert.equal(browser.messages().length, 4);
      assert.deepEqual(await push.subscriptions.of(person.account), []);
      station.service.answerWith(201);
    });

    test('[REM-24] what is over before is not sent; after, the notice is taken away', async () => {
      const person = await settle();
      const [a, b] = [await person.browse(station, push), await person.browse(station, push)];
      const done = await person.dueIn(HOUR, 'Done');
      const snoozed = await person.dueIn(HOUR, 'Snoozed');
      const rings = await person.dueIn(HOUR, 'Rings');
      for (const task of [done, snoozed, rings]) await person.remind(task, { before: 10 });
      await person.act([{ a: 'complete', id: done, occ: 0, at: station.house.now, next: null }]);
      const until = { at: station.house.now + 3 * HOUR, zone: 'UTC' };
      await person.set(snoozed, 'snooze', until);
      pass(50 * MINUTE);
      await round();
      for (const browser of [a, b])
        assert.deepEqual(
          browser.messages().map(({ task }) => task),
          [rings],
        );
      await person.set(rings, 'reminded', station.house.now);
      await round();
      for (const browser of [a, b])
        assert.deepEqual(browser.messages().at(-1), { type: 'close', task: rings });
      await person.set(rings, 'reminded', station.house.now + 1);
      await round();
      assert.equal(a.messages().length, 2);
      pass(3 * HOUR);
      await round();
      assert.equal(a.messages().at(-1)?.['task'], snoozed);
    });

    test('[REM-6] what lies beneath something in the trash is quiet', async () => {
      const person = await settle();
      const browser = await person.browse(station, push);
      const parent = await person.dueIn(DAY, 'Above');
      const task = await person.dueIn(HOUR);
      await person.act([{ a: 'place', id: task, place: { parent } }]);
      await person.remind(task, { before: 0 });
      await round();
      await person.act([{ a: 'delete', id: parent }]);
      pass(HOUR);
      await round();
      assert.deepEqual(browser.messages(), []);
    });

    test('[REM-3] [REM-4] follows the due date, the zone and the time that the person chose', async () => {
      const person = await settle();
      const browser = await person.browse(station, push, { zone: 'Pacific/Kiritimati' });
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 0 });
      const today = Temporal.Instant.fromEpochMilliseconds(station.house.now)
        .toZonedDateTimeISO('Pacific/Kiritimati')
        .toPlainDate();
      const day = today.add({ days: 1 });
      await person.act([{ a: 'set', id: task, field: 'due', value: { on: day.toString() } }]);
      const key = 'reminderMinute';
      await person.act([
        { a: 'create', id: settingId(person.scope, key), type: 'setting', fields: { key, value: 450 } },
      ]);
      await round();
      const at = day.toZonedDateTime({ timeZone: 'Pacific/Kiritimati', plainTime: '07:30' });
      station.house.now = at.epochMilliseconds - 1;
      await round();
      assert.deepEqual(browser.messages(), []);
      pass(1);
      await round();
      assert.equal(browser.messages().length, 1);
    });

    test('[REM-25] with titles off a push names nothing', async () => {
      const person = await settle();
      const browser = await person.browse(station, push, { titles: false });
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 0 });
      pass(HOUR);
      await round();
      const { notification } = browser.messages()[0] as { notification: Record<string, string> };
      assert.equal(notification['title'], 'Reminder');
      assert.equal(notification['body'], '');
    });

    test('[REM-27] it ends with its session, and an account has twenty', async () => {
      const person = await settle();
      for (let count = 0; count < 22; count += 1) {
        pass(1);
        await person.browse(station, push);
      }
      assert.equal((await push.subscriptions.of(person.account)).length, 20);
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 0 });
      const { db } = station.house.database;
      await db
        .updateTable('session')
        .set({ revoked_at: station.house.now })
        .where('id', '=', person.session)
        .execute();
      pass(HOUR);
      const before = station.service.arrived.length;
      await round();
      assert.equal(station.service.arrived.length, before);
    });

    test('[REM-20] what is purged leaves nothing to be looked at', async () => {
      const person = await settle();
      await person.browse(station, push);
      const task = await person.dueIn(HOUR);
      await person.remind(task, { before: 0 });
      await round();
      await person.act([{ a: 'delete', id: task }]);
      pass(40 * DAY);
      await station.house.care.run();
      await round();
      const { db } = station.house.database;
      const left = await db.selectFrom('reminder_due').selectAll().where('task', '=', task).execute();
      assert.deepEqual(left, []);
    });
  });
}
