// What a device says of its person's place in a shared list, and what it shows of the others, by keys and against a connection
// in memory.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import type { PresenceListener, PresencePort, SaidPlace } from '#client/presence/port.ts';
import type { There, Who } from '#wire/presence.ts';
import { rowWords } from '#client/outline/row-words.ts';
import { type Desk } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { sharingDesk, SharingServer, tellMember } from './sharing-server.ts';

const [BEN, ANN, EVE] = [1, 2, 3];

class Line implements PresencePort {
  readonly said: SaidPlace[] = [];
  listener: PresenceListener | null = null;

  listen(on: PresenceListener): () => void {
    this.listener = on;
    return () => (this.listener = null);
  }

  say(place: SaidPlace): void {
    this.said.push(place);
  }
}

interface Stage {
  readonly desk: Desk;
  readonly line: Line;
  readonly list: Id;
  readonly scope: Id;
  readonly tasks: readonly Id[];
  /** News of the list; two are connected unless it says otherwise. */
  readonly hear: (news: Partial<There>) => void;
  /** Somebody is there. */
  readonly at: (account: number, focus: Id | null, more?: Partial<Who>) => void;
  /** Who is drawn beside a task: "A*" writes its title. */
  readonly on: (task: Id | undefined) => string | null;
  /** What was said since the last look, after everything that was due. */
  readonly news: () => readonly SaidPlace[];
}

/** Ben, with Ann’s list Trip open. */
async function stage(titles: readonly string[] = ['Book', 'Pack', 'Go']): Promise<Stage> {
  const line = new Line();
  const server = new SharingServer();
  const account = {
    ...noAccount,
    email: 'ben@example.org',
    sharing: () => Promise.resolve(server),
    live: () => Promise.resolve({ ...noLive, presence: () => line }),
  };
  const desk = sharingDesk(server, '> A', { account });
  const list = desk.holdShared('Trip', titles);
  desk.app.run('go.list', { list });
  await desk.settle();
  const { scope } = must(desk.replica.row(list), 'the list');
  const hear = (news: Partial<There>) =>
    must(line.listener, 'it listens').there({ type: 'there', scope, present: 2, who: [], gone: [], ...news });
  return {
    desk,
    line,
    list,
    scope,
    tasks: desk.rows().map(({ id }) => id),
    hear,
    at: (account, focus, more = {}) => hear({ who: [{ account, page: 1, sel: [], focus, n: 0, ...more }] }),
    on(task) {
      const there = task === undefined ? null : (desk.app.view.others.get()?.on(task) ?? null);
      if (there === null) return null;
      const people = there.people.map(({ text, writes }) => (writes ? `${text}*` : text));
      return [...people, ...(there.more > 0 ? [`+${there.more}`] : [])].join(' ');
    },
    news() {
      desk.timers.advance(0);
      return line.said.splice(0);
    },
  };
}

describe('saying where one is', () => {
  test('[SHARE-147] nothing is said before the server has said that others are there', async () => {
    const { desk, hear, news, tasks, scope } = await stage();
    desk.press('ArrowDown', 'Shift+ArrowDown');
    desk.timers.advance(60_000);
    assert.deepEqual(news(), []);
    hear({ present: 1 });
    // Others are in another list.
    hear({ scope: desk.replica.newId() });
    desk.timers.advance(60_000);
    assert.deepEqual(news(), []);
    hear({});
    const sel = [tasks[1], tasks[2]];
    assert.deepEqual(news(), [{ scope, sel, focus: tasks[2], n: 2 }]);
  });

  test('[SHARE-147] a change is said at once, then at most ten times a second, with the last place at the end', async () => {
    const { desk, hear, news, tasks } = await stage();
    hear({});
    desk.timers.advance(1_000);
    news();
    desk.press('ArrowDown');
    assert.deepEqual(
      news().map(({ focus }) => focus),
      [tasks[1]],
    );
    for (let press = 0; press < 20; press += 1) {
      desk.press(press % 2 === 0 ? 'ArrowDown' : 'ArrowUp');
      desk.timers.advance(10);
    }
    desk.press('Home');
    desk.timers.advance(200);
    const said = news().map(({ focus }) => focus);
    assert.ok(said.length <= 4, String(said.length));
    assert.equal(said.at(-1), tasks[0]);
  });

  test('[SHARE-147] where many move it is said as seldom as the server asks, and ten times a second again afterwards', async () => {
    const { desk, hear, news } = await stage();
    const move = (times: number) => {
      for (let press = 0; press < times; press += 1) {
        desk.press(press % 2 === 0 ? 'ArrowDown' : 'ArrowUp');
        desk.timers.advance(10);
      }
      return news().length;
    };
    hear({ pause: 300 });
    desk.timers.advance(1_000);
    news();
    hear({ pause: 300 });
    const [slow, other] = [move(60), move(60)];
    assert.ok(slow <= 3 && other <= 3, `${slow} and ${other} in 0.6 s`);
    desk.timers.advance(1_000);
    news();
    desk.press('ArrowDown');
    assert.equal(news().length, 1, 'who has not moved for a while is heard at once');
    hear({});
    desk.timers.advance(1_000);
    assert.ok(move(60) >= 5);
    // Whatever a server asks for.
    hear({ pause: 3_600_000 });
    desk.timers.advance(2_000);
    move(2);
    desk.timers.advance(1_000);
    assert.ok(news().length >= 1);
  });

  test('[SHARE-147] it is said again every five seconds, and no more once nobody else is there', async () => {
    const { desk, hear, news } = await stage();
    hear({});
    desk.timers.advance(100);
    const [first] = news();
    desk.timers.advance(10_000);
    assert.deepEqual(news(), [first, first]);
    hear({ present: 1 });
    news();
    desk.timers.advance(20_000);
    assert.deepEqual(news(), []);
  });

  test('[SHARE-147] elsewhere, in a page that is not seen, and at the end it says that the person is gone', async () => {
    const { desk, line, list, hear, news, scope } = await stage();
    const gone = { scope, sel: [], focus: null, n: 0, leaves: true };
    hear({});
    news();
    desk.app.run('go.inbox');
    desk.timers.advance(100);
    assert.deepEqual(news(), [gone]);
    desk.app.run('go.list', { list });
    assert.equal(news().length, 1);
    line.listener?.seen(false);
    desk.timers.advance(100);
    assert.deepEqual(news(), [gone]);
    desk.timers.advance(30_000);
    assert.deepEqual(news(), []);
    line.listener?.seen(true);
    assert.equal(news().length, 1);
    await desk.app.close();
    assert.deepEqual(line.said, [gone]);
  });

  test('[SHARE-147] after a lost connection it waits for the server’s word, then says it again', async () => {
    const { desk, line, hear, news } = await stage();
    hear({});
    desk.timers.advance(100);
    assert.equal(news().length, 1);
    line.listener?.closed();
    desk.press('ArrowDown');
    desk.timers.advance(20_000);
    assert.deepEqual(news(), []);
    hear({});
    desk.timers.advance(100);
    assert.equal(news().length, 1);
  });

  test('[SHARE-144] of many selected tasks fifty are named', async () => {
    const titles = Array.from({ length: 1_500 }, (_, number) => `Task ${number}`);
    const { desk, hear, news } = await stage(titles);
    hear({});
    desk.press('Mod+A');
    desk.timers.advance(100);
    const said = must(news().at(-1), 'something was said');
    assert.deepEqual([said.sel.length, said.n], [50, 1_500]);
  });

  test('[SHARE-150] writing a title or notes is said, and that it is over', async () => {
    const { desk, hear, news } = await stage();
    hear({});
    news();
    const last = () => {
      desk.timers.advance(100);
      return news().at(-1)?.field ?? null;
    };
    desk.press('F2');
    assert.equal(last(), 'title');
    desk.type(' a train');
    desk.press('Escape');
    assert.equal(last(), null);
    desk.app.run('notes.edit');
    assert.equal(last(), 'notes');
  });

  test('[SHARE-154] turned off, nothing is said, and the others are still seen', async () => {
    const { desk, hear, at, on, news, tasks, scope } = await stage();
    hear({});
    news();
    desk.app.run('setting.showsPlace', { value: 'false' });
    desk.timers.advance(100);
    assert.deepEqual(news(), [{ scope, sel: [], focus: null, n: 0, leaves: true }]);
    desk.press('ArrowDown');
    at(ANN, must(tasks[2], 'a task'));
    desk.timers.advance(10_000);
    assert.deepEqual(news(), []);
    assert.equal(on(tasks[2]), 'A');
  });
});

describe('seeing the others', () => {
  test('[SHARE-148] up to three people are beside a task, then how many more; nothing else moves', async () => {
    const { desk, hear, on, tasks, list } = await stage();
    for (let account = 3; account < 8; account += 1)
      tellMember(desk, list, {
        account,
        role: 'member',
        name: `P${account}`,
        initials: String(account),
        joinedAt: account,
      });
    desk.press('ArrowDown', 'Shift+ArrowDown');
    const before = JSON.stringify([desk.rows(), desk.app.view.focus.get(), desk.app.view.status.get()]);
    const who = [2, 3, 4, 5, 6].map((account) => ({
      account,
      page: account,
      sel: [must(tasks[1], 'a task')],
      focus: must(tasks[0], 'a task'),
      n: 1,
    }));
    hear({ present: 6, who });
    assert.deepEqual([on(tasks[0]), on(tasks[1]), on(tasks[2])], ['A 3 4 +2', 'A 3 4 +2', null]);
    assert.equal(
      JSON.stringify([desk.rows(), desk.app.view.focus.get(), desk.app.view.status.get()]),
      before,
    );
    hear({ present: 6, who: [{ ...must(who[0], 'Ann'), sel: [], focus: must(tasks[2], 'a task') }] });
    assert.deepEqual([on(tasks[0]), on(tasks[1]), on(tasks[2])], ['3 4 5 +1', '3 4 5 +1', 'A']);
  });

  test('[SHARE-149] a person is there once, and never to themselves', async () => {
    const { hear, at, on, tasks } = await stage();
    const [book = null, pack = null] = tasks;
    at(ANN, book);
    at(ANN, book, { page: 2 });
    at(BEN, book, { page: 3 });
    assert.equal(on(tasks[0]), 'A');
    at(ANN, pack, { page: 2 });
    assert.deepEqual([on(tasks[0]), on(tasks[1])], ['A', 'A']);
    hear({ gone: [[ANN, 1]] });
    assert.deepEqual([on(tasks[0]), on(tasks[1])], [null, 'A']);
  });

  test('[SHARE-150] who writes a title has a mark, whatever other pages they have', async () => {
    const { at, on, tasks } = await stage();
    const [book = null] = tasks;
    at(ANN, book);
    at(ANN, book, { page: 2, field: 'title' });
    assert.equal(on(tasks[0]), 'A*');
    at(ANN, book, { page: 2, field: 'notes' });
    assert.equal(on(tasks[0]), 'A');
  });

  test('[SHARE-150] a title that another writes meanwhile ends as it always did', async () => {
    const { desk, at, on, tasks } = await stage();
    const [book = null] = tasks;
    desk.press('F2');
    desk.type('Book a train');
    at(ANN, book, { field: 'title' });
    assert.equal(on(tasks[0]), 'A*');
    desk.press('Escape');
    assert.equal(desk.rows()[0]?.title, 'Book a train');
  });

  test('[SHARE-151] strangers, and tasks that are elsewhere, show nothing', async () => {
    const { desk, at, on, list, tasks, hear } = await stage();
    const [book = null] = tasks;
    at(EVE, book);
    assert.equal(on(tasks[0]), null);
    tellMember(desk, list, { account: EVE, role: 'member', name: 'Eve', initials: 'E', joinedAt: 3 });
    assert.equal(on(tasks[0]), 'E');
    tellMember(desk, list, { account: EVE, role: 'member', name: 'Eve', initials: 'EV', joinedAt: 3 });
    assert.equal(on(tasks[0]), 'EV');
    const other = must(desk.replica.row(desk.holdShared('Other', ['There'])), 'the list').scope;
    hear({ scope: other, who: [{ account: ANN, page: 9, sel: [], focus: book, n: 0 }] });
    assert.equal(on(tasks[0]), 'EV');
    tellMember(desk, list, {
      account: EVE,
      role: 'member',
      name: 'Eve',
      initials: 'EV',
      joinedAt: 3,
      leftAt: 4,
    });
    assert.equal(on(tasks[0]), null);
  });

  test('[SHARE-152] the people at the top say who is here, on a task or not', async () => {
    const { desk, at, hear } = await stage();
    const others = () => desk.app.view.others.get();
    assert.equal(others(), null);
    at(ANN, null);
    assert.deepEqual([[...(others()?.here ?? [])], others()?.words], [[ANN], 'Here now: Ann']);
    desk.app.run('go.inbox');
    assert.deepEqual([[...(others()?.here ?? [])], others()?.words], [[], '']);
    hear({ gone: [[ANN, 1]] });
    assert.equal(others(), null);
  });

  test('[SHARE-153] who was not heard for 15 seconds is gone, and everybody with the connection or the list', async () => {
    const { desk, line, at, on, tasks, hear } = await stage();
    const [book = null] = tasks;
    at(ANN, book);
    desk.timers.advance(12_000);
    at(ANN, book);
    desk.timers.advance(12_000);
    assert.equal(on(tasks[0]), 'A');
    desk.timers.advance(10_000);
    assert.equal(on(tasks[0]), null);
    at(ANN, book);
    line.listener?.closed();
    assert.equal(on(tasks[0]), null);
    at(ANN, book);
    hear({ present: 0 });
    assert.equal(on(tasks[0]), null);
  });

  test('[SHARE-370] a device that is offline says of nobody that they are here, until it is online and they are heard again', async () => {
    const { desk, at, on, tasks, news, hear } = await stage();
    const [book = null] = tasks;
    at(ANN, book);
    desk.app.run('task.edit');
    assert.equal(on(tasks[0]), 'A');
    assert.equal(news().length, 1);
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    assert.equal(on(tasks[0]), null);
    // What is still on its way through a connection that is about to end.
    at(ANN, book);
    assert.equal(on(tasks[0]), null);
    desk.engine.setSync({ type: 'synced' });
    hear({ present: 2 });
    assert.equal(on(tasks[0]), null);
    at(ANN, book);
    assert.equal(on(tasks[0]), 'A');
    desk.timers.advance(1_000);
    assert.equal(news().at(-1)?.focus, book, 'and is told again itself');
  });

  test('[SHARE-370] before the first answer there is nothing to be offline from', async () => {
    const { desk, at, on, tasks } = await stage();
    const [book = null] = tasks;
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false, asking: true });
    at(ANN, book);
    assert.equal(on(tasks[0]), 'A');
  });

  test('[SHARE-154] the words for a row name who is on it, and nothing is announced', async () => {
    const { desk, at, tasks, list } = await stage();
    const [book = null] = tasks;
    const said = desk.app.view.announcement.get();
    tellMember(desk, list, { account: EVE, role: 'member', name: 'Eve', initials: 'E', joinedAt: 3 });
    at(ANN, book, { field: 'title' });
    at(EVE, null, { sel: tasks.slice(0, 1), n: 1 });
    const words = tasks[0] && desk.app.view.others.get()?.on(tasks[0])?.words;
    assert.equal(words, 'Ann is writing the title, Eve is here');
    assert.equal(desk.app.view.announcement.get(), said);
    const row = must(desk.app.view.rows.slot(0).get(), 'the first row');
    assert.equal(rowWords(row), '', 'a row is drawn as before');
  });
});
