// The people of a shared list in the header, in the sidebar, and at the foot of the lists.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Desk } from './desk.ts';
import { anns, bens, offline, sharingDesk, SharingServer, tellMember } from './sharing-server.ts';

describe('people', () => {
  test('[SHARE-125] stand in the header, five at most, and as a number in the sidebar, without who has left', () => {
    const { desk, list } = anns();
    const people = () => desk.app.view.people.get();
    const line = () => desk.lists().find(({ id }) => id === list);
    assert.deepEqual(
      people()?.shown.map(({ name, text }) => [name, text]),
      [
        ['Ann', 'A'],
        ['Ben', 'A'],
      ],
    );
    assert.equal(people()?.words, 'Ann and you');
    assert.equal(people()?.company, 'With Ann');
    assert.equal(line()?.people, 2);
    for (let account = 3; account <= 8; account += 1)
      tellMember(desk, list, {
        account,
        role: 'member',
        name: `P ${account}`,
        joinedAt: 2_000_000_000_000 + account,
      });
    assert.deepEqual([people()?.shown.length, people()?.more, line()?.people], [5, 3, 8]);
    tellMember(desk, list, { account: 3, role: 'member', name: 'P 3', joinedAt: 5, leftAt: 9 });
    assert.deepEqual([people()?.more, line()?.people], [2, 7]);
    desk.app.run('go.inbox');
    assert.equal(people(), null);
    assert.equal(desk.lists()[0]?.people, 0);
  });

  test('[SHARE-340] [SHARE-342] stand under its name, two by name, and no two in one color', () => {
    const { desk, list } = bens();
    const people = () => must(desk.app.view.people.get(), 'the list is shared');
    const join = (account: number, name: string, joinedAt: number) =>
      tellMember(desk, list, { account, role: 'member', name, joinedAt, color: '#0063cf' });
    tellMember(desk, list, { account: 1, role: 'owner', name: 'Ben', joinedAt: 1, color: '#0063cf' });
    join(2, 'Ann', 2);
    join(3, 'Mo', 3);
    assert.equal(people().company, 'With Ann and Mo');
    const colors = () => people().shown.map(({ color }) => color);
    assert.deepEqual(colors(), ['#0063cf', '#7d6b99', '#a04f9b']);
    join(4, 'Ines', 4);
    join(5, 'Jo', 5);
    assert.equal(people().company, 'With Ann, Mo and 2 more');
    assert.equal(new Set(colors()).size, 5);
    for (const account of [2, 3, 4, 5])
      tellMember(desk, list, { account, role: 'member', name: 'Gone', joinedAt: account, leftAt: 9 });
    assert.equal(people().company, 'Nobody else yet');
  });

  test('[SHARE-343] the foot of the lists shows the profile, from the list, the server or the address', async () => {
    const me = (desk: Desk) => {
      const { text = null, color = null } = desk.app.view.me.get() ?? {};
      return [text, color];
    };
    assert.deepEqual(me(sharingDesk(new SharingServer(), '> A', { email: null })), [null, null]);
    const server = new SharingServer();
    server.person = { name: 'Ben Example', initials: 'BE', emoji: '🌵', color: '#c9352b' };
    server.failure = offline;
    const preferences = new Map([['lesson', 'over']]);
    const first = sharingDesk(server, '> A', { preferences });
    assert.equal(me(first)[0], 'BE');
    first.timers.advance(10_000);
    await first.settle();
    assert.equal(me(first)[0], 'BE', 'without a connection it stays');
    server.failure = null;
    const second = sharingDesk(server, '> A', { preferences });
    second.timers.advance(10_000);
    await second.until(() => me(second)[0] === '🌵');
    server.failure = offline;
    assert.deepEqual(me(sharingDesk(server, '> A', { preferences })), ['🌵', '#c9352b'], 'kept');
    preferences.set('profile', '{"account":1,"profile":{"name":5}}');
    assert.equal(
      me(sharingDesk(server, '> A', { preferences }))[0],
      'BE',
      'what is broken counts for nothing',
    );

    const { desk, list } = bens();
    tellMember(desk, list, {
      account: 1,
      role: 'owner',
      name: 'Ben',
      emoji: '🦊',
      joinedAt: 1,
      color: '#a04f9b',
    });
    assert.deepEqual(me(desk), ['🦊', '#a04f9b']);
  });
});
