// A plan that has lapsed: what makes new things for programs, mail, invitations and visitors waits, and everything else goes on for
// ever; sync takes all.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { createMailWorld, type MailPerson, type MailWorld } from '../api/mail-world.ts';
import { plainMail } from '../api/smtp-client.ts';
import { callLinks, everything, makeLink, Visitor } from '../public-links.ts';
import { Person } from '../sharing.ts';
import { startStripeServer, type StripeServer } from '../stripe-server.ts';
import { DAY } from './world.ts';

const LAPSED =
  'This account’s trial or plan has ended, so nothing new can be added. Everything that is there can still be read, changed, completed and exported. Subscribe in the app to add again.';

describe('a plan that has lapsed, against a server that stands in for Stripe', () => {
  let stripe: StripeServer;
  let world: MailWorld;
  let api: MailPerson;
  let person: Person;
  let list: Id;
  let task: Id;
  let visitor: Visitor;
  before(async () => {
    stripe = await startStripeServer();
    world = await createMailWorld({ environment: stripe.environment() });
    api = await world.person('lapse@example.org');
    person = new Person(world.server, { ...api, personalScope: api.scope }, 'lapse@example.org');
    list = await person.list('Garden');
    task = await person.task('Water the roses', list);
    visitor = new Visitor(world.server, await makeLink(person, list, { may: everything }));
    await move(-28 * DAY);
  });
  after(async () => {
    await world.close();
    await stripe.close();
  });

  /** As if the account, and billing, had begun that much earlier or later. */
  async function move(ms: number): Promise<void> {
    const { db } = world.server.database;
    await db
      .updateTable('account')
      .set((of) => ({ created_at: of('created_at', '+', ms) }))
      .where('id', '=', api.account)
      .execute();
  }

  const add = () =>
    visitor.ask('/changes', {
      method: 'POST',
      body: { do: 'add', key: crypto.randomUUID(), title: 'Weeds' },
    });

  test('[MONEY-29] before that day nothing is restricted', async () => {
    // Billing began today here, so that the account still has its two weeks.
    assert.equal((await api.call('POST', '/tasks', { title: 'New', list_id: list })).status, 200);
    assert.equal((await add()).status, 200);
    assert.equal((await world.send(await api.address(), plainMail({ subject: 'In time' }))).code, 250);
    const { db } = world.server.database;
    await db
      .updateTable('billing_setting')
      .set({ value: String(world.server.clock.now() - 29 * DAY) })
      .where('name', '=', 'since')
      .execute();
  });

  test('[MONEY-29] what programs would make is answered 402 with words', async () => {
    // A process reads once since when billing is on.
    world.server.clock.pass(28 * DAY);
    await person.signIn();
    for (const [path, body] of [
      ['/tasks', { title: 'New' }],
      ['/todo_items/bulk_create', { bodies: [{ title: 'New' }] }],
      ['/lists', { name: 'New' }],
      [`/lists/${list}/duplicate`, {}],
      [`/lists/${list}/public_links`, {}],
    ] as const) {
      const { status, body: said } = await api.call('POST', path, body);
      assert.deepEqual([status, said['code'], said['message']], [402, 'payment_required', LAPSED], path);
    }
  });

  test('[MONEY-29] invitations, links, mail and what visitors would add wait, in words', async () => {
    for (const path of [`sharing/lists/${list}/link`, `sharing/lists/${list}/links`]) {
      const answer = await person.call(`POST ${path}`, {});
      assert.deepEqual(
        [answer.status, ((await answer.json()) as { message: string }).message],
        [402, LAPSED],
      );
    }
    const added = await add();
    assert.deepEqual(
      [added.status, ((await added.json()) as { message: string }).message],
      [402, 'This list doesn’t take new tasks right now. Ask the person who shares it.'],
    );
    const mail = await world.send(await api.address(), plainMail({ subject: 'Late' }));
    assert.deepEqual([mail.code, mail.text.includes('does not take new mail right now')], [550, true]);
    assert.equal(
      (await api.arrived()).some(({ title }) => title === 'Late'),
      false,
    );
  });

  test('[MONEY-29] reading, searching, changing, completing, deleting, bringing back and exporting go on', async () => {
    assert.equal((await api.call('GET', '/tasks')).status, 200);
    assert.equal((await api.call('GET', '/export')).status, 200);
    assert.equal((await api.change(task, { title: 'Water the tulips' })).title, 'Water the tulips');
    assert.equal((await api.call('PATCH', `/tasks/${task}`, { is_completed: true })).status, 200);
    assert.equal((await api.call('DELETE', `/tasks/${task}`)).status, 200);
    assert.equal((await api.call('POST', '/todo_items/bulk_restore', { item_ids: [task] })).status, 200);
    assert.equal((await api.call('PATCH', `/lists/${list}`, { name: 'Yard' })).status, 200);
    const shown = await visitor.shown();
    assert.equal(shown.tasks.length > 0, true);
    const { links } = await callLinks(person, list, 'GET');
    assert.equal(links.length, 1);
    const id = shown.tasks[0]?.id ?? '';
    const completed = await visitor.ask('/changes', {
      method: 'POST',
      body: { do: 'complete', id },
    });
    assert.equal(completed.status, 200);
  });

  test('[MONEY-30] what a device wrote is taken: sync never refuses for money', async () => {
    const made = await person.list('Made on a train');
    await person.task('And its task', made);
    assert.equal((await person.rows()).has(made), true);
  });

  test('[MONEY-29] paid, everything is as before at once', async () => {
    const answer = await person.call('POST plan/checkout', { interval: 'month' });
    const { url } = (await answer.json()) as { url: string };
    stripe.books.pay(url.split('/').at(-1) ?? '');
    const event = stripe.signed(stripe.books.events.at(-1) as Record<string, unknown>);
    const told = await world.server.ask('/stripe/webhook', {
      method: 'POST',
      raw: event.body,
      headers: { 'stripe-signature': event.signature },
    });
    assert.equal(told.status, 200);
    assert.equal((await api.call('POST', '/tasks', { title: 'New again', list_id: list })).status, 200);
    assert.equal((await world.send(await api.address(), plainMail({ subject: 'Again' }))).code, 250);
    assert.equal((await add()).status, 200);
  });
});
