// What the operator does for partners and for people who ask for a discount, and what partners are shown.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSystemIds } from '#server/clock.ts';
import { siteCommand } from '#server/site/admin.ts';
import { type BillingWorld, type Buyer, createBillingWorld, DAY } from './world.ts';
import { testConfig } from '../api/harness.ts';

describe('partners and the operator, against a server that stands in for Stripe', () => {
  let world: BillingWorld;
  const people: Buyer[] = [];
  before(async () => {
    world = await createBillingWorld();
    await world.promo('PAT', 'Pat Example');
    await world.promo('PAT2', 'Pat Example', { percent: 10, commission: 20 });
    await world.promo('OTTO', 'Otto');
    for (const [name, code, interval] of [
      ['ada', 'PAT', 'year'],
      ['ben', 'PAT2', 'month'],
      ['cy', 'OTTO', 'month'],
    ] as const) {
      const person = await world.signUp(name);
      people.push(person);
      await world.redeem(person, code);
      world.stripe.books.pay(await world.checkout(person, interval));
    }
    await world.tell();
  });
  after(() => world.close());

  /** A command of `npm run admin`: its lines, or the problem. */
  async function admin(line: string, environment = world.stripe.environment()) {
    const lines: string[] = [];
    const { database, clock } = world.server;
    const found = siteCommand(line.split(' '));
    assert.ok(found, `no command: ${line}`);
    const problem = await found.run(
      {
        config: testConfig(environment),
        db: database.db,
        clock,
        newId: createSystemIds(clock),
        print: (printed) => void lines.push(printed),
      },
      found.rest,
    );
    return { lines, problem };
  }

  test('[MONEY-31] the address of a partner is secret, kept as a digest, made anew and ended', async () => {
    const { billing } = world.server.services;
    const secretOf = async () => {
      const [address = ''] = (await admin('partner link Pat Example')).lines;
      return /^http:\/\/localhost:\d+\/partner\/([\w-]{43})$/.exec(address)?.[1] ?? '';
    };
    const first = await secretOf();
    const kept = await world.server.database.db.selectFrom('partner_link').selectAll().execute();
    assert.equal(kept.length, 1);
    assert.equal(Buffer.from(kept[0]!.digest).toString('base64url').includes(first), false);
    assert.equal((await billing!.statement(first))?.partner, 'Pat Example');
    const second = await secretOf();
    assert.equal(await billing!.statement(first), null);
    assert.equal((await billing!.statement(second))?.partner, 'Pat Example');
    for (const wrong of ['', 'x', second.slice(1), `${second}x`, second.toLowerCase()])
      assert.equal(await billing!.statement(wrong), null, wrong);
    assert.equal((await admin('partner unlink Pat Example')).problem, null);
    assert.equal(await billing!.statement(second), null);
    assert.equal(
      (await admin('partner link Nobody')).problem,
      "There's no code of Nobody. Make one first: promo add",
    );
  });

  test('[MONEY-31] a statement has all codes of the partner, no names, and nobody else’s money', async () => {
    const statement = await world.statement('Pat Example');
    assert.deepEqual(
      statement.codes.map(({ code, commissionPercent, redeemed }) => [code, commissionPercent, redeemed]),
      [
        ['PAT', 30, 1],
        ['PAT2', 20, 1],
      ],
    );
    // 30 % of $36.00 and 20 % of $5.40.
    assert.equal(statement.balanceCents, 1_080 + 108);
    assert.deepEqual(
      statement.referrals.map(({ number, isPaying, payments, earnedCents }) => [
        number,
        isPaying,
        payments,
        earnedCents,
      ]),
      [
        [1, true, 1, 1_080],
        [2, true, 1, 108],
      ],
    );
    const text = JSON.stringify(statement);
    for (const { account } of people) assert.equal(text.includes(String(account)), false);
    assert.doesNotMatch(text, /ada|ben|@|cus_|in_/);
  });

  test('[MONEY-32] payouts hold every row once, wait while nothing is due, and carry over what was reversed', async () => {
    const period = '2026-11';
    assert.equal((await admin(`payout make ${period}`)).problem, "2026-11 isn't over yet.");
    assert.equal((await admin('payout make 2026-13')).problem, 'Write the month like 2026-11.');
    world.server.clock.pass(12 * DAY);
    const { lines } = await admin(`payout make ${period}`);
    assert.deepEqual(lines.map((line) => line.replace(/^[\w-]{36},/, '')).toSorted(), [
      'Otto,2026-11,1.35,usd,',
      'Pat Example,2026-11,11.88,usd,',
      'id,partner,period,amount,currency,paid',
    ]);
    assert.deepEqual((await admin(`payout make ${period}`)).lines, [
      'id,partner,period,amount,currency,paid',
    ]);
    const id = lines.find((line) => line.includes('Pat'))?.split(',')[0] ?? '';
    assert.equal((await world.statement('Pat Example')).balanceCents, 1_188, 'made is not paid');
    assert.equal((await admin(`payout paid ${id}`)).problem, null);
    assert.equal(
      (await admin(`payout paid ${id}`)).problem,
      `There's no unpaid payout ${id}. Nothing was changed.`,
    );
    const paid = await world.statement('Pat Example');
    assert.deepEqual([paid.balanceCents, paid.payouts[0]?.cents], [0, 1_188]);
    assert.equal(
      (await admin(`payout list ${period}`)).lines.filter((line) => line.endsWith('2026-12-02')).length,
      1,
    );

    // Money goes back after its payout: it is taken off the next one.
    const year = world.stripe.books.list('invoice').find(({ total }) => total === 3_600);
    world.stripe.books.refund(String(year?.['id']), 1_000);
    await world.tell();
    assert.equal((await world.statement('Pat Example')).balanceCents, -300);
    world.server.clock.pass(35 * DAY);
    assert.deepEqual((await admin('payout make 2026-12')).lines.length, 1, 'nobody is due less than nothing');
    const monthly = world.stripe.books.list('subscription').map(({ id: of }) => String(of));
    for (let month = 0; month < 4; month += 1) world.stripe.books.renew(monthly[1]!);
    await world.tell();
    const due = (await world.statement('Pat Example')).balanceCents;
    assert.equal(due, 4 * 108 - 300);
    const next = (await admin('payout make 2027-01')).problem;
    assert.equal(next, "2027-01 isn't over yet.");
    world.server.clock.pass(40 * DAY);
    const { lines: later } = await admin('payout make 2027-01');
    assert.equal(
      later.some((line) => line.includes(',Pat Example,2027-01,1.32,usd,')),
      true,
      later.join('\n'),
    );
  });

  test('[MONEY-32] what went back by now is not paid out for the month before, and a name is no formula', async () => {
    await world.promo('SUM', '=SUM(A1)');
    const [kept, back] = [await world.signUp('kept'), await world.signUp('back')];
    for (const person of [kept, back]) {
      await world.redeem(person, 'SUM');
      world.stripe.books.pay(await world.checkout(person, 'year'));
    }
    await world.tell();
    const period = new Date(world.server.clock.now()).toISOString().slice(0, 7);
    world.server.clock.pass(40 * DAY);
    world.stripe.books.refund(world.invoice());
    await world.tell();
    const { lines } = await admin(`payout make ${period}`);
    assert.equal(
      lines.some((line) => line.includes(`,'=SUM(A1),${period},10.80,usd,`)),
      true,
      lines.join('\n'),
    );
    assert.equal((await world.statement('=SUM(A1)')).balanceCents, 1_080);
  });

  test('[MONEY-33] a discount on request has a percent, months and a last day, and no commission', async () => {
    assert.equal((await admin('discount add STUDENT 50 12 2027-03-31')).problem, null);
    assert.equal((await admin('discount add STUDENT 50 12')).problem, 'STUDENT is already taken.');
    for (const wrong of [
      'A 50 12',
      'GOOD 0 12',
      'GOOD 101 12',
      'GOOD 50 0',
      'GOOD 50 12 2027-02-30',
      'GOOD 50 12 soon',
    ])
      assert.notEqual((await admin(`discount add ${wrong}`)).problem, null, wrong);
    const person = await world.signUp('student');
    assert.equal((await world.redeem(person, 'student')).status, 200);
    world.stripe.books.pay(await world.checkout(person, 'year'));
    await world.tell();
    assert.equal((await world.invoices(person))[0]?.cents, 2_400);
    const { db } = world.server.database;
    assert.deepEqual(
      await db.selectFrom('commission').selectAll().where('payer', '=', person.account).execute(),
      [],
    );
    const before = world.server.clock.now();
    world.server.clock.setWall(Date.UTC(2027, 2, 31, 23, 59));
    assert.notEqual(await world.server.services.desk.promoCodes.find('STUDENT'), undefined);
    world.server.clock.setWall(Date.UTC(2027, 3, 1));
    assert.equal(await world.server.services.desk.promoCodes.find('STUDENT'), undefined);
    world.server.clock.setWall(before);
  });

  test('[MONEY-22] the operator says whose own code it is', async () => {
    assert.equal((await admin('partner email OTTO otto@example.org')).problem, null);
    const otto = await world.signUp('otto');
    assert.equal((await world.redeem(otto, 'OTTO')).status, 422);
    assert.equal((await admin('partner email OTTO none')).problem, null);
    assert.equal((await world.redeem(otto, 'OTTO')).status, 200);
    assert.equal((await admin('partner email OTTO nobody')).problem, "nobody isn't an email address.");
    assert.equal((await admin('partner email NONE a@b.example')).problem, "There's no code NONE.");
  });

  test('[MONEY-37] the operator sees how everybody stands, and asks Stripe about one account', async () => {
    const { lines } = await admin('billing status');
    assert.match(lines[0] ?? '', /^Billing is on since 2026-11-20, with a test key\.$/);
    assert.equal(
      lines.some((line) => /^\s+6 {2}active$/.test(line)),
      true,
      lines.join('\n'),
    );
    world.stripe.books.cancelAtPeriodEnd(
      (await world.server.services.billing!.records.row(people[2]!.account))!.subscription!,
      true,
    );
    const asked = await admin('billing ask cy@example.org');
    assert.match(
      asked.lines[0] ?? '',
      /^cy@example\.org is in state (ending|grace|lapsed) \(month\), paid until /,
    );
    assert.equal(
      (await admin('billing ask nobody@example.org')).problem,
      "There's no account nobody@example.org.",
    );
    world.stripe.isDown = true;
    assert.match((await admin('billing ask cy@example.org')).problem ?? '', /can’t be reached/);
    world.stripe.isDown = false;
    assert.equal((await admin('partner list')).lines.length, 4);
    assert.match((await admin('billing status', {})).problem ?? '', /^Billing is off/);
  });

  test('[MONEY-35] that the plan changed is told to the devices of its account, once', async () => {
    const told: number[] = [];
    const stop = world.server.bus.subscribe(
      (message) => void (message.type === 'plan' && told.push(message.account)),
    );
    const person = await world.signUp('live');
    world.stripe.books.pay(await world.checkout(person, 'month'));
    await world.tell();
    await world.tell();
    stop();
    assert.deepEqual([...new Set(told)], [person.account]);
    assert.ok(told.length <= 2, String(told.length));
  });
});
