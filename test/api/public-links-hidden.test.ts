// What a public link hides: marks are planted in every field that no visitor may know, in many random tasks, and never occur in the
// bytes of the page, of its calls, of its stream, and of what it is answered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelsRoot, mineId, type Id } from '#core/ids.ts';
import { linkPermissions } from '#wire/public-links.ts';
import { mayOf } from '#server/public-links/links.ts';
import { createRandom } from '../keystrokes/naive.ts';
import { callLinks, everything, linkedList, Visitor, makeLink } from '../public-links.ts';
import { Person } from '../sharing.ts';

const newId = () => crypto.randomUUID() as Id;
const MARK = 'HIDDEN';
/** A number that nothing else here has. */
const NUMBER = 4_861_123;
const REPEAT = {
  value: 9_973,
  unit: 'days',
  metadata: null,
  from: 'completion',
  missed: 'skip',
  anchorDay: null,
} as const;

/** A task with something in every register; `random` leaves some out. */
function hiddenFields(random: (below: number) => number, member: number) {
  const all = {
    repeat: REPEAT,
    duration: NUMBER,
    assignee: member,
    origin: { from: `${MARK}-sender@example.org`, messageId: `${MARK}-message`, at: NUMBER },
    series: {
      occ: 0,
      due: { on: '2031-03-07' },
      start: null,
      title: `${MARK} series`,
      notes: `${MARK} series`,
    },
    [`meta:${MARK}`]: `${MARK} metadata`,
  };
  return Object.fromEntries(Object.entries(all).filter(() => random(3) > 0));
}

describe('what a public link hides', () => {
  test('[PUBLIC-6] no hidden field, hidden task, or person is in any byte, whatever the link permits', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    const stray: string[] = [];
    try {
      const random = createRandom(20_261_127);
      const ben = await Person.come(server, `${MARK.toLowerCase()}-ben@example.org`);
      const { scope, link: invitation } = await ann.share(list);
      await ben.join(invitation?.token);
      const [open, own] = [newId(), newId()];
      await ann.act(
        {
          a: 'create',
          id: open,
          scope,
          type: 'label',
          fields: { name: 'LABELNAME', color: '#a1b2c3', visibility: 'shared' },
          place: { parent: labelsRoot(scope as Id) },
        },
        {
          a: 'create',
          id: own,
          type: 'label',
          fields: { name: `${MARK} label`, visibility: 'private', hotkey: 'h' },
          place: { parent: labelsRoot(ann.personalScope as Id) },
        },
      );
      await ann.act({ a: 'set', id: list, scope, field: 'notes', value: `${MARK} notes of the list` });
      const seen: Id[] = [];
      for (let at = 0; at < 40; at += 1) {
        const id = newId();
        const parent = seen.length > 0 && random(2) === 0 ? seen[random(seen.length)]! : list;
        const fields = {
          title: `Seen ${at}`,
          notes: `Note ${at}`,
          [`label:${open}`]: true,
          ...hiddenFields(random, ben.account),
        };
        await ann.act({ a: 'create', id, scope, type: 'task', fields, place: { parent } });
        seen.push(id);
      }
      const [first, second, third] = seen as [Id, Id, Id];
      await ann.act(
        {
          a: 'create',
          id: newId(),
          scope,
          type: 'comment',
          fields: { text: `${MARK} comment` },
          place: { parent: first },
        },
        {
          a: 'create',
          id: newId(),
          scope,
          type: 'attachment',
          fields: { name: `${MARK}.pdf`, fileType: `${MARK}/pdf`, sizeBytes: NUMBER, hash: 'ab'.repeat(32) },
          place: { parent: second },
        },
        {
          a: 'create',
          id: mineId(ann.personalScope as Id, third),
          type: 'mine',
          fields: { of: third, snooze: { on: '2032-09-09' }, order: 'aHIDDEN', [`label:${own}`]: true },
        },
      );
      for (const how of ['trashed', 'cleared']) {
        const id = newId();
        const fields = { title: `${MARK} ${how}` };
        const under = { title: `${MARK} under what is ${how}` };
        await ann.act({ a: 'create', id, scope, type: 'task', fields, place: { parent: list } });
        await ann.act({
          a: 'create',
          id: newId(),
          scope,
          type: 'task',
          fields: under,
          place: { parent: id },
        });
        await ann.act(
          how === 'trashed'
            ? { a: 'delete', id, scope }
            : { a: 'set', id, scope, field: 'status', value: { done: 1, cleared: 2 } },
        );
      }
      await ann.act({
        a: 'create',
        id: newId(),
        type: 'task',
        fields: { title: `${MARK} elsewhere` },
        place: { parent: await ann.list(`${MARK} list`) },
      });

      const secrets = [
        MARK,
        `${MARK.toLowerCase()}-ben`,
        String(NUMBER),
        '9973',
        '2031-03-07',
        '2032-09-09',
        'ann@example.org',
        String(ann.account),
        String(ben.account),
        ann.personalScope,
        scope,
        list,
        link.id,
        ...seen,
      ];
      const look = (where: string, text: string, hasLabels: boolean) => {
        const hidden = hasLabels ? secrets : [...secrets, 'LABELNAME', '#a1b2c3'];
        for (const secret of hidden) if (text.includes(secret)) stray.push(`${secret} in ${where}`);
      };
      for (let bits = 0; bits < 2 ** linkPermissions.length; bits += 1) {
        const may = mayOf(bits);
        await callLinks(ann, list, `POST /${link.id}`, { may });
        const page = await (await visitor.ask()).text();
        const tasks = await (await visitor.ask('/tasks')).text();
        assert.ok(page.includes('Seen 39') && tasks.includes('Seen 39'));
        assert.equal(tasks.includes('LABELNAME'), may.labels);
        look(`the page with ${bits}`, page, may.labels);
        look(`the tasks with ${bits}`, tasks, may.labels);
      }
      // A stream, while everything changes: with labels and without.
      for (const may of [everything, { ...everything, labels: false }]) {
        const other = await makeLink(ann, list, { may });
        const another = new Visitor(server, other, '198.51.100.8');
        const { at } = await another.shown();
        const stream = await another.listen(at);
        await ann.act({ a: 'set', id: open, scope, field: 'color', value: '#a1b2c3' });
        for (const id of seen.slice(0, 8)) {
          await ann.act({ a: 'set', id, scope, field: 'duration', value: NUMBER });
          await ann.act({ a: 'set', id, scope, field: 'title', value: `Changed ${id.slice(0, 0)}` });
          await stream.next('news');
        }
        await ann.act({ a: 'delete', id: seen[8]!, scope });
        await stream.next('news');
        await stream.leave();
        look('the stream', stream.text, may.labels);
        const { id } = await another.task('Seen 20');
        const changed = await another.change({ do: 'title', id, title: 'Seen 20' });
        look('an answer', await changed.text(), may.labels);
        const wrong = await another.change({ do: 'title', id: 'A'.repeat(22), title: 'x' });
        look('a refusal', await wrong.text(), may.labels);
        await ann.act({ a: 'restore', id: seen[8]!, scope });
      }
      assert.deepEqual(stray, []);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-7] nobody else learns the token: it is in no row, no log and no other answer than that to members', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    try {
      const ben = await Person.come(server, 'ben@example.org');
      await visitor.ask();
      await visitor.do({ do: 'add', key: newId(), title: 'Tent', nick: 'Sam' });
      const { db } = server.database;
      const stored = JSON.stringify([
        await db.selectFrom('public_link').selectAll().execute(),
        await db.selectFrom('history').selectAll().execute(),
        await server.ledger.read(),
      ]);
      assert.ok(!stored.includes(link.token));
      const [row] = await db.selectFrom('public_link').selectAll().execute();
      assert.ok(row && !Buffer.from(row.token_sealed).includes(link.token));
      assert.ok(!server.logged.join('\n').includes(link.token));
      assert.equal((await ben.call(`GET sharing/lists/${list}/links`)).status, 404);
      assert.ok(JSON.stringify(await callLinks(ann, list, 'GET')).includes(link.token));
      for (const answer of [await visitor.ask('/tasks'), await visitor.ask('/stream')]) {
        assert.equal(answer.headers.get('set-cookie'), null);
        if (answer.headers.get('content-type')?.startsWith('application/json'))
          assert.ok(!(await answer.text()).includes(link.token));
        else await answer.body?.cancel();
      }
    } finally {
      await server.close();
    }
  });
});
