// Random lives of people who pay: whatever they, their banks and the operator do, and however Stripe tells of it, the partner has the
// percent of what was paid and kept of each invoice, nobody has two plans, and what is kept is what Stripe would say now.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../stripe-books.ts';
import { type BillingWorld, type Buyer, createBillingWorld, DAY } from './world.ts';

const steps = [
  'buy a month',
  'buy a year',
  'to a month',
  'to a year',
  'renew',
  'renew without money',
  'try again',
  'cancel',
  'keep',
  'end',
  'refund a part',
  'refund',
  'dispute',
  'win',
  'lose',
  'days',
] as const;
type Step = (typeof steps)[number];

/** A person with everything that can happen to them. What isn't possible now does nothing. */
class Life {
  readonly #world: BillingWorld;
  readonly #person: Buyer;

  constructor(world: BillingWorld, person: Buyer) {
    this.#world = world;
    this.#person = person;
  }

  get #books() {
    return this.#world.stripe.books;
  }

  #last(kind: string, fits: (of: Fields) => boolean = () => true): string | null {
    const found = this.#books.list(kind).find(fits);
    return found === undefined ? null : String(found['id']);
  }

  #running = () => this.#last('subscription', ({ status }) => status !== 'canceled');
  #paid = () =>
    this.#last('invoice', ({ status, amount_paid: paid }) => status === 'paid' && Number(paid) > 0);

  async #buy(interval: 'month' | 'year'): Promise<void> {
    const answer = await this.#world.post(this.#person, '/app/api/plan/checkout', { interval });
    if (answer.status !== 200) return;
    const { url } = (await answer.json()) as { url: string };
    const id = url.split('/').at(-1) ?? '';
    if (id.startsWith('cs_')) this.#books.pay(id);
  }

  #attempt(): void {
    const open = this.#last('invoice', ({ status }) => status === 'open');
    if (open !== null) this.#books.attempt(open);
  }

  #refund(cents: number): void {
    const paid = this.#paid();
    if (paid === null) return;
    const charge = this.#books.get(this.#books.chargeOf(paid));
    const left = Number(charge['amount_captured']) - Number(charge['amount_refunded']);
    if (left >= cents && left > 0) this.#books.refund(paid, cents);
  }

  #dispute(): void {
    const paid = this.#paid();
    if (paid === null || this.#books.get(this.#books.chargeOf(paid))['disputed'] === true) return;
    this.#books.dispute(paid);
  }

  #decide(as: 'won' | 'lost'): void {
    const open = this.#last('dispute', ({ status }) => status === 'needs_response');
    if (open !== null) this.#books.decide(open, as);
  }

  async do(step: Step): Promise<void> {
    const running = this.#running();
    const onRunning: Partial<Record<Step, (id: string) => void>> = {
      renew: (id) => this.#books.renew(id),
      'renew without money': (id) => {
        this.#books.declines = true;
        this.#books.renew(id);
        this.#books.declines = false;
      },
      cancel: (id) => this.#books.cancelAtPeriodEnd(id, true),
      keep: (id) => this.#books.cancelAtPeriodEnd(id, false),
      end: (id) => void this.#books.end(id),
    };
    const others: Partial<Record<Step, () => void | Promise<unknown>>> = {
      'buy a month': () => this.#buy('month'),
      'buy a year': () => this.#buy('year'),
      'to a month': () => this.#world.post(this.#person, '/app/api/plan/change', { interval: 'month' }),
      'to a year': () => this.#world.post(this.#person, '/app/api/plan/change', { interval: 'year' }),
      'try again': () => this.#attempt(),
      'refund a part': () => this.#refund(101),
      refund: () => this.#refund(0),
      dispute: () => this.#dispute(),
      win: () => this.#decide('won'),
      lose: () => this.#decide('lost'),
      days: () => this.#world.server.clock.pass(DAY),
    };
    if (running !== null) onRunning[step]?.(running);
    await others[step]?.();
  }

  /** What the partner has to have, in cents, reckoned from Stripe's own books. */
  due(): number {
    let sum = 0;
    for (const invoice of this.#books.list('invoice', { status: 'paid' })) {
      const paid = Number(invoice['amount_paid']);
      if (paid === 0) continue;
      const charge = this.#books.get(this.#books.chargeOf(String(invoice['id'])));
      const disputed = this.#books
        .list('dispute', { charge: String(charge['id']) })
        .some(({ status }) => status !== 'won');
      const kept = disputed ? 0 : paid - Number(charge['amount_refunded']);
      sum += Math.floor((kept * 30 + 50) / 100);
    }
    return sum;
  }
}

describe('random lives', () => {
  test('[MONEY-11] every life, told in any way, leaves the partner what is due, and one plan at most', async () => {
    const step = fc.record({ do: fc.constantFrom(...steps), tells: fc.nat({ max: 3 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 14 }),
        fc.infiniteStream(fc.nat()),
        async (life, random) => {
          const world = await createBillingWorld();
          try {
            await world.promo('LIFE', 'Lou');
            const person = await world.signUp('life');
            await world.redeem(person, 'LIFE');
            const one = new Life(world, person);
            const { events } = world.stripe.books;
            await one.do('buy a month');
            for (const each of life) {
              await one.do(each.do);
              // Some of what happened so far is told, old and new, some of it at once.
              const told = Array.from(
                { length: each.tells },
                () => Number(random.next().value) % events.length,
              );
              await Promise.all(told.map((index) => world.tellOne(events[index] as Fields)));
            }
            assert.deepEqual([...new Set(await world.tell())], [200]);
            assert.equal((await world.statement('Lou')).balanceCents, one.due());
            const running = world.stripe.books
              .list('subscription')
              .filter(({ status }) => status !== 'canceled');
            assert.ok(running.length <= 1);
            const row = (await world.server.services.billing!.records.row(person.account))!;
            const status =
              { active: 'active', past_due: 'past-due' }[String(running[0]?.['status'])] ?? 'ended';
            assert.equal(row.status, status);
            const before = row;
            await world.server.services.billing!.settling.settle(row.customer);
            const after = (await world.server.services.billing!.records.row(person.account))!;
            assert.deepEqual(
              { ...after, revision: 0, settled_at: 0 },
              { ...before, revision: 0, settled_at: 0 },
            );
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: Number(process.env['LIVES'] ?? 15), seed: 39 },
    );
  });
});
