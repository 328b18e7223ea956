// Mail to the lists of an encrypted account, through the SMTP door: sealed before it is acknowledged, and on no disk before that.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { createMailWorld, type MailPerson, type MailWorld } from './mail-world.ts';
import { Household } from '../sealing/server-world.ts';
import { plainMail } from './smtp-client.ts';

const WITH_FILE = [
  'Subject: Papers',
  'Content-Type: multipart/mixed; boundary="part"',
  '',
  '--part',
  'Content-Type: text/plain',
  '',
  'See the paper',
  '--part',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="paper.pdf"',
  '',
  'content',
  '--part--',
  '',
].join('\r\n');

describe('mail to an encrypted account', () => {
  let world: MailWorld;
  let ada: MailPerson;
  let home: Household;
  let to: string;
  before(async () => {
    world = await createMailWorld();
    ada = await world.person('ada@example.org');
    to = await ada.address();
    await world.send(to, plainMail({ subject: 'Before', text: 'plain' }));
    await world.mailIn.queue.idle();
    const { cookie, account, scope } = ada;
    home = new Household(world.server, { cookie, account, personalScope: scope });
    await home.seal();
  });
  after(() => world.close());

  const tasks = async () => [...(await home.opened())].filter(([, fields]) => fields['origin'] !== undefined);

  test('[SEAL-114] becomes a task that only its devices can read, sent twice or not', async () => {
    const message = plainMail({
      subject: 'Secret dinner',
      text: 'At the pier',
      id: '<one@example.net>',
    });
    assert.equal((await world.send(to, message)).code, 250);
    assert.equal((await world.send(to, message)).code, 250);
    const kept = JSON.stringify([...(await home.rows()).values()] satisfies Row[]);
    for (const word of ['Secret dinner', 'pier', 'one@example.net']) assert.ok(!kept.includes(word), word);
    const found = (await tasks()).filter(([, { title }]) => title === 'Secret dinner');
    assert.equal(found.length, 1);
    const [id, { notes }] = found[0] as [Id, Record<string, unknown>];
    assert.equal(notes, 'At the pier');
    assert.deepEqual(world.mailIn.queue.waiting(), { messages: 0, bytes: 0 });
    const { done } = await home.reencode(home.itemsOf([(await home.rows()).get(id) as Row]));
    assert.equal(done, 3);
    assert.equal((await home.opened()).get(id)?.['title'], 'Secret dinner');
  });

  test('[SEAL-115] what nobody could seal is refused while its sender listens, and leaves nothing', async () => {
    const before_ = (await tasks()).length;
    const refused = await world.send(to, WITH_FILE);
    assert.deepEqual([refused.code, /without files/.test(refused.text)], [554, true]);
    const long = plainMail({
      subject: 'Long',
      text: 'word '.repeat(60_000).replaceAll(/(.{900})/g, '$1\r\n'),
    });
    assert.equal((await world.send(to, long)).code, 554);
    // More than is held in memory: it is not even read.
    const large = plainMail({
      subject: 'Large',
      headers: [`X-Filler: ${`${'y'.repeat(900)}\r\n `.repeat(5_000)}`],
    });
    assert.equal((await world.send(to, large)).code, 554);
    assert.equal((await tasks()).length, before_);
    const blobs = await world.server.database.db.selectFrom('blob').selectAll().execute();
    assert.deepEqual(blobs, []);
  });

  test('[SEAL-116] a failing database is no reason to lose it: its sender comes again', async () => {
    const { store } = world.server.database;
    const write = store.write.bind(store);
    store.write = () => Promise.reject(new Error('The disk is gone'));
    try {
      assert.equal((await world.send(to, plainMail({ subject: 'Again' }))).code, 451);
    } finally {
      store.write = write;
    }
    assert.equal((await world.send(to, plainMail({ subject: 'Again' }))).code, 250);
    assert.equal((await tasks()).filter(([, { title }]) => title === 'Again').length, 1);
  });
});
