// Where people are in a shared list, on a whole server: who hears it, and that nothing of it is kept.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import type { LiveMessage } from '#wire/live.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { Person } from '../sharing.ts';

/** A task that nothing but presence names. */
const CANARY = 'caca7351-caca-4aca-8aca-cacacacacaca' as Id;

const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));

describe('places of people', () => {
  let server: TestServer;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  async function connect({ account, personalScope }: Person) {
    const roles = new Map(
      (await server.database.store.scopesOf(account)).map(({ scope, role }) => [scope, role]),
    );
    const session = crypto.randomUUID() as Id;
    const actor: AccountActor = {
      type: 'account',
      kind: 'web',
      account,
      session,
      personalScope: personalScope as Id,
      roles,
    };
    const heard: LiveMessage[] = [];
    const handle = server.services.hub.add(actor, {
      send: (text) => heard.push(JSON.parse(text) as LiveMessage),
      end: () => undefined,
    });
    const who = () => heard.flatMap((message) => (message.type === 'there' ? message.who : []));
    const here = (scope: Id) =>
      handle.here({ type: 'here', scope, page: 1, sel: [CANARY], focus: CANARY, n: 1 });
    return { heard, handle, who, here };
  }

  test('[SHARE-142] [SHARE-145] members hear them, nobody else does, and nothing of them is kept', async () => {
    const [ann, ben, eve] = await Promise.all(
      ['ann', 'ben', 'eve'].map((name) => Person.come(server, `${name}@example.org`)),
    );
    assert.ok(ann && ben && eve);
    const list = await ann.list('Trip');
    const { scope, link } = await ann.share(list);
    await ben.join(link?.token);
    const [anns, bens, eves] = await Promise.all([ann, ben, eve].map((person) => connect(person)));
    assert.ok(anns && bens && eves);
    await server.services.exchange.idle();
    const changes = async () => Number((await sqlChanges(server)).at(0)?.changes);
    const writesBefore = await changes();
    for (let time = 0; time < 20; time += 1) {
      anns.here(scope);
      eves.here(scope);
      await pause(10);
    }
    await pause(100);
    assert.deepEqual([...new Set(bens.who().map(({ account }) => account))], [ann.account]);
    assert.deepEqual(eves.who(), []);
    assert.equal(await changes(), writesBefore, 'nothing was written');
    await ann.task('Book a train', list);
    assert.ok((await changes()) > writesBefore, 'what is written counts');
    const metrics = await (await server.ask('/metrics')).text();
    const kept = [...server.logged, metrics].join('\n');
    assert.ok(!kept.includes(CANARY) && !kept.includes(scope));

    const said = bens.heard.length;
    await ben.call(`POST sharing/lists/${list}/leave`);
    await server.services.sockets.refresh([ben.account]);
    anns.here(scope);
    bens.here(scope);
    await pause(100);
    const after = bens.heard.slice(said).filter(({ type }) => type === 'there');
    assert.deepEqual(
      after.map((message) => message.type === 'there' && [message.present, message.who]),
      [[0, []]],
    );
    for (const { handle } of [anns, bens, eves]) handle.remove();
  });
});

/** How many rows the database has written in all. */
function sqlChanges({ database }: TestServer): Promise<readonly { readonly changes: unknown }[]> {
  return database.db.selectNoFrom((make) => make.fn<number>('total_changes', []).as('changes')).execute();
}
