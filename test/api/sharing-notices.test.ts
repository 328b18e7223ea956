// Who is told outside the app that somebody has mentioned them or given them a task. On both engines, with a push service of our own.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { mountId, settingId, type Id } from '#core/ids.ts';
import { tellingSetting } from '#core/mentions.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { createLogger } from '#server/observe/log.ts';
import { createPush, type Push } from '#server/push/push.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { type BrowserSubscription, startPushService, type PushService } from '../push-service.ts';
import { actorOf, type Person, shareWithBen } from '../sharing.ts';

const MINUTE = 60_000;
const newId = () => crypto.randomUUID() as Id;

interface Message {
  readonly type: string;
  readonly task: string;
  readonly notification: { readonly title: string; readonly body: string; readonly tag: string };
}

function suite(open: () => Promise<Database>): void {
  describe('notices of mentions and assignments', () => {
    let stage: Awaited<ReturnType<typeof shareWithBen>>;
    let service: PushService;
    let push: Push;
    before(async () => {
      stage = await shareWithBen({ open });
      service = await startPushService();
      const { database, clock } = stage.server;
      const { db, store, reads } = database;
      push = createPush({
        db,
        store,
        reads,
        clock,
        sealing: createSealing(createServerKey()),
        log: createLogger({ level: 'off', clock, write: () => undefined }),
        newId,
        ca: service.ca,
        config: { publicUrl: 'https://tasks.example.org', pushNetworks: ['127.0.0.0/8'], pushContact: null },
        metrics: { pushed: () => undefined },
      });
    });
    after(async () => {
      await push.stop();
      await service.close();
      await stage.server.close();
    });

    /** A browser with notifications on. */
    async function browse(person: Person, titles = true): Promise<BrowserSubscription> {
      const browser = service.subscribe(newId());
      const { db } = stage.server.database;
      const session = await db
        .selectFrom('session')
        .select('id')
        .where('account', '=', person.account)
        .executeTakeFirstOrThrow();
      const actor = { ...(await actorOf(stage.server, person)), session: session.id };
      const { endpoint, p256dh, auth } = browser;
      await push.subscriptions.put(actor, { endpoint, p256dh, auth, zone: 'UTC', titles });
      return browser;
    }

    /** What has come since it was last asked. */
    function listening(browser: BrowserSubscription) {
      let heard = 0;
      return async (): Promise<readonly string[]> => {
        await push.scheduler.round();
        const all = browser.messages() as unknown as readonly Message[];
        const fresh = all.slice(heard);
        heard = all.length;
        return fresh.map(({ type, notification: { title, body } }) => `${type}: ${title} / ${body}`);
      };
    }

    const comment = (task: Id, text: string) => ({
      a: 'create',
      id: newId(),
      scope: stage.scope,
      type: 'comment',
      fields: { text },
      place: { parent: task },
    });
    const setting = (person: Person, value: boolean) => ({
      a: 'create',
      id: settingId(person.personalScope as Id, tellingSetting),
      type: 'setting',
      fields: { key: tellingSetting, value },
    });

    test('[SHARE-290][SHARE-293] the mentioned and the assigned are told, those who write are not', async () => {
      const { ann, ben, list, scope } = stage;
      const [task, other] = [await ann.task('Book a train', list), await ann.task('Pack', list)];
      const [bens, discreet] = [listening(await browse(ben)), listening(await browse(ben, false))];
      const anns = listening(await browse(ann));
      await ann.act(comment(task, `@[${ben.account}] and @[${ann.account}], which one? My PIN is 1234`));
      assert.deepEqual(await bens(), ['told: Book a train / Ann mentioned you in a comment']);
      assert.deepEqual(await discreet(), ['told: You were mentioned / ']);
      await ann.act({ a: 'set', id: other, scope, field: 'assignee', value: ben.account });
      assert.deepEqual(await bens(), ['told: Pack / Ann gave you this task']);
      assert.deepEqual(await discreet(), ['told: You were given a task / ']);
      const made = newId();
      await ann.act({
        a: 'create',
        id: made,
        scope,
        type: 'task',
        fields: { title: 'New', assignee: ben.account },
        place: { parent: list },
      });
      assert.deepEqual(await bens(), ['told: New / Ann gave you this task']);
      assert.deepEqual(await anns(), []);
      await ben.act({ a: 'set', id: other, scope, field: 'assignee', value: ben.account });
      await ben.act(comment(other, `@[${ben.account}] remember`), comment(other, '@[999999] nobody'));
      stage.server.clock.pass(10 * MINUTE);
      assert.deepEqual(await bens(), []);
    });

    test('[SHARE-291] of what happens within five minutes the last is told, when they are over', async () => {
      const { ann, ben, list, scope } = stage;
      const heard = listening(await browse(ben));
      const task = await ann.task('Tickets', list);
      const first = comment(task, `@[${ben.account}]?`);
      await ann.act(first);
      assert.equal((await heard()).length, 1);
      await ann.act({ a: 'set', id: first.id, scope, field: 'text', value: `@[${ben.account}]!` });
      await ann.act(comment(task, `@[${ben.account}] again`));
      await ann.act({ a: 'set', id: task, scope, field: 'assignee', value: ben.account });
      assert.deepEqual(await heard(), []);
      stage.server.clock.pass(5 * MINUTE);
      assert.deepEqual(await heard(), ['told: Tickets / Ann gave you this task']);
      stage.server.clock.pass(30 * MINUTE);
      assert.deepEqual(await heard(), []);
    });

    test('[SHARE-292] what does not hold anymore when it is sent is not told', async () => {
      const { ann, ben, list, scope } = stage;
      const heard = listening(await browse(ben));
      const [gone, taken, moved] = [
        await ann.task('Gone', list),
        await ann.task('Taken back', list),
        await ann.task('Moved', list),
      ];
      const said = comment(gone, `@[${ben.account}]`);
      await ann.act(said);
      await ann.act({ a: 'delete', id: said.id, scope });
      await ann.act({ a: 'set', id: taken, scope, field: 'assignee', value: ben.account });
      await ann.act({ a: 'set', id: taken, scope, field: 'assignee', value: null });
      await ann.act(comment(moved, `@[${ben.account}]`));
      const away = await ann.list('Mine');
      await ann.act({ a: 'place', id: moved, scope, place: { parent: away } });
      assert.deepEqual(await heard(), []);
      const quiet = await ann.task('Quiet', list);
      const assign = { a: 'set', id: quiet, scope, field: 'assignee' };
      const mount = mountId(ben.personalScope as Id, list);
      await ben.act({ a: 'set', id: mount, field: 'muted', value: true });
      await ann.act({ ...assign, value: ben.account });
      assert.deepEqual(await heard(), []);
      await ben.act({ a: 'set', id: mount, field: 'muted', value: null }, setting(ben, false));
      stage.server.clock.pass(6 * MINUTE);
      await ann.act({ ...assign, value: null });
      await ann.act({ ...assign, value: ben.account });
      assert.deepEqual(await heard(), []);
      await ben.act({ a: 'set', id: setting(ben, true).id, field: 'value', value: true });
      stage.server.clock.pass(6 * MINUTE);
      await ann.act({ ...assign, value: null });
      await ann.act({ ...assign, value: ben.account });
      assert.equal((await heard()).length, 1);
    });

    test('[SHARE-290] sharing a list and moving tasks tells nobody, nor does a private list', async () => {
      const { ann, ben, list } = stage;
      const heard = listening(await browse(ben));
      const own = await ann.list('Private');
      const task = await ann.task('Moves in', own);
      await ann.act({ a: 'set', id: task, field: 'assignee', value: ben.account });
      await ann.act({ a: 'place', id: task, place: { parent: list } });
      assert.deepEqual(await heard(), []);
      const { db } = stage.server.database;
      const left = await db.selectFrom('push_notice').selectAll().where('next_at', 'is not', null).execute();
      assert.deepEqual(left, []);
    });
  });
}

suite(() => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  suite(async () => openDatabase({ url: await must(instance, 'started').createDatabase(), dataDir: '' }));
});
