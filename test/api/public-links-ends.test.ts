// How public links end and how open pages hear of changes of their link; and their logos.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import { callLinks, everything, linkedList, makeLink, Visitor } from '../public-links.ts';
import { told } from '../sharing.ts';

type World = Awaited<ReturnType<typeof linkedList>>;

describe('the end of a public link', () => {
  test('[PUBLIC-20] pages that are open end within a second, and nothing that is written later reaches them', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    try {
      const { at } = await visitor.shown();
      const pages = [await visitor.listen(at), await visitor.listen(at)];
      assert.equal((await callLinks(ann, list, 'GET')).links[0]?.open, 2);
      const started = performance.now();
      await callLinks(ann, list, `DELETE /${link.id}`);
      await ann.task('Secret plan', list);
      for (const page of pages) {
        assert.equal((await page.next('over')).why, 'ended');
        await page.end();
        assert.doesNotMatch(page.text, /Secret plan/);
      }
      assert.ok(performance.now() - started < 1_000);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-20] also when nobody says that it was deleted: before something is sent the link is looked up', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    try {
      const page = await visitor.listen((await visitor.shown()).at);
      await server.database.db
        .updateTable('public_link')
        .set({ deleted_at: 1 })
        .where('id', '=', link.id)
        .execute();
      server.clock.pass(1_000);
      await ann.task('Secret plan', list);
      assert.equal((await page.next('over')).why, 'ended');
      assert.doesNotMatch(page.text, /Secret plan/);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-110] a deleted link is forgotten with the history of what was done by it, and no other link is', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    try {
      const { db, store } = server.database;
      await visitor.do({ do: 'add', key: crypto.randomUUID(), title: 'Tent' });
      const other = await makeLink(ann, list);
      const { scope } = (await ann.rows()).get(list)!;
      const left = async () =>
        (await db.selectFrom('public_link').select('id').execute()).map(({ id }) => id);
      const named = async () =>
        (await store.history(scope as Id, { limit: 50 })).flatMap(({ operation }) =>
          'via' in operation && operation.via ? [operation.via.name] : [],
        );
      await callLinks(ann, list, `DELETE /${link.id}`);
      server.clock.pass(399 * DAY_MS);
      assert.equal((await server.services.care.run()).publicLinks, 0);
      assert.deepEqual(await named(), ['Trip']);
      assert.deepEqual(new Set(await left()), new Set([link.id, other.id]));
      server.clock.pass(2 * DAY_MS);
      assert.equal((await server.services.care.run()).publicLinks, 1);
      assert.deepEqual(await left(), [other.id]);
      assert.deepEqual(await named(), []);
      assert.equal((await new Visitor(server, other).ask()).status, 200);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-21] permissions, name and pause reach open pages at once', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    try {
      const page = await visitor.listen((await visitor.shown()).at);
      await callLinks(ann, list, `POST /${link.id}`, { may: { add: false }, name: 'Our trip' });
      const { name, may } = await page.next('list');
      assert.deepEqual([name, may], ['Our trip', { ...everything, add: false }]);
      await callLinks(ann, list, `POST /${link.id}`, { may: { labels: false } });
      await page.next('reload');
      await callLinks(ann, list, `POST /${link.id}`, { isPaused: true });
      assert.equal((await page.next('over')).why, 'paused');
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-22] a list in the trash shows nothing; made private again its links end for good', async () => {
    const { server, ann, list, visitor } = await linkedList();
    try {
      const { scope } = (await ann.rows()).get(list)!;
      const page = await visitor.listen((await visitor.shown()).at);
      await ann.act({ a: 'delete', id: list, scope });
      assert.equal((await page.next('over')).why, 'ended');
      assert.equal((await visitor.ask()).status, 404);
      assert.equal((await visitor.change({ do: 'add', key: crypto.randomUUID(), title: 'x' })).status, 404);
      await ann.act({ a: 'restore', id: list, scope });
      assert.equal((await visitor.ask()).status, 200);
      await ann.call(`POST sharing/lists/${list}/private`);
      assert.equal((await visitor.ask()).status, 404);
      await ann.share(list);
      assert.equal((await visitor.ask()).status, 404);
      assert.deepEqual((await callLinks(ann, list, 'GET')).links, []);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-23] a server that was put back to a backup opens no link that had been deleted', async () => {
    const { server, ann, list, link, visitor } = await linkedList();
    try {
      await callLinks(ann, list, `DELETE /${link.id}`);
      const { db } = server.database;
      await db.updateTable('public_link').set({ deleted_at: null }).where('id', '=', link.id).execute();
      assert.equal((await visitor.ask()).status, 200);
      await replayLedger(server.database, server.ledger, server.clock.now());
      assert.equal((await visitor.ask()).status, 404);
    } finally {
      await server.close();
    }
  });
});

/** A picture as a browser's canvas writes it, with a text that nobody sees. */
function pngWithText(width: number, height: number, text: string): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.from([y % 5, ...Array.from({ length: width * 4 }, (__, x) => (x * 7 + y * 3) & 0xff)]),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`Comment\0${text}`)),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from(text),
  ]);
}

describe('the logo of a public link', () => {
  let stage: World;
  before(async () => {
    stage = await linkedList();
  });
  after(() => stage.server.close());
  const world = () => stage;

  const send = ({ ann, list, link, server }: World, raw: Buffer) =>
    server.ask(`/app/api/sharing/lists/${list}/links/${link.id}/logo`, {
      method: 'POST',
      cookie: ann.cookie,
      raw: new Uint8Array(raw),
      headers: { 'content-type': 'image/png' },
    });

  test('[PUBLIC-24] is encoded anew, shown by its link alone, and gone with it', async () => {
    const { server, ann, list, link, visitor } = world();
    assert.equal((await send(world(), pngWithText(24, 12, 'SMUGGLED'))).status, 200);
    const { links } = await callLinks(ann, list, 'GET');
    const mark = links[0]?.logo;
    assert.ok(mark);
    assert.equal((await visitor.shown()).logo, mark);
    const answer = await visitor.ask(`/logo?v=${mark}`);
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
    const png = Buffer.from(await answer.arrayBuffer());
    assert.ok(!png.includes('SMUGGLED') && !png.includes('tEXt'));
    // What it shows is the same: encoded anew once more it stays as it is.
    assert.equal((await send(world(), png)).status, 200);
    assert.equal((await callLinks(ann, list, 'GET')).links[0]?.logo, mark);
    const other = new Visitor(server, await makeLink(ann, list));
    assert.equal((await other.ask('/logo')).status, 404);
    await callLinks(ann, list, `DELETE /${link.id}/logo`);
    assert.equal((await visitor.ask('/logo')).status, 404);
  });

  test('[PUBLIC-24] anything else is refused with what to send instead', async () => {
    const good = pngWithText(8, 8, '');
    const damaged = Buffer.from(good);
    damaged[40] = (damaged[40] ?? 0) ^ 0xff;
    const sent = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.alloc(0),
      damaged,
      good.subarray(0, 60),
      pngWithText(600, 4, ''),
      // A header that says less than there is.
      Buffer.concat([pngWithText(8, 4, '').subarray(0, 33), good.subarray(33)]),
    ];
    for (const raw of sent) {
      const answer = await told(send(world(), raw));
      assert.equal(answer.status, 422);
      assert.match(String(answer['message']), /has to be a PNG/);
    }
    assert.equal((await send(world(), Buffer.alloc(600 * 1_024))).status, 413);
  });
});
