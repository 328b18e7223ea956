// Where an account stands, over what Stripe said and the time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/time.ts';
import { nothingPaid, standingOf, type SubscriptionFacts, trialEnd } from './state.ts';

const START = Date.UTC(2026, 10, 20, 12);
const day = (days: number) => START + days * DAY_MS;
const TRIAL_ENDS = day(14);

/** State, whether new things may be made, and the day until which, for a day after signing up. */
function on(days: number, facts: Partial<SubscriptionFacts> = {}): string {
  const { state, mayAdd, graceUntil } = standingOf({ ...nothingPaid, ...facts }, TRIAL_ENDS, day(days));
  const until = graceUntil === null ? 'on' : String((graceUntil - START) / DAY_MS);
  return `${state} ${mayAdd ? 'may' : 'may not'} ${until}`;
}

test('[MONEY-2] the trial is 14 times 24 hours, then two weeks more, and ends at the moment itself', () => {
  assert.equal(on(0), 'trial may 28');
  assert.equal(on(14 - 1e-7), 'trial may 28');
  assert.equal(on(14), 'grace may 28');
  assert.equal(on(28 - 1e-7), 'grace may 28');
  assert.equal(on(28), 'lapsed may not 28');
  assert.equal(on(10_000), 'lapsed may not 28');
});

test('[MONEY-3] an account from before billing has the two weeks from the day it began', () => {
  assert.equal(trialEnd(day(-500), day(0)), TRIAL_ENDS);
  assert.equal(trialEnd(day(0), day(-500)), TRIAL_ENDS);
});

test('[MONEY-4] what is paid goes on by itself, whatever the calendar says before Stripe does', () => {
  const paid = { status: 'active', interval: 'month', paidUntil: day(33) } as const;
  assert.equal(on(3, paid), 'active may on');
  assert.equal(on(33, paid), 'active may on');
  assert.equal(on(60, paid), 'active may on');
});

test('[MONEY-17] a canceled plan runs to its end, has two weeks more, and lapses', () => {
  const canceled = { status: 'active', interval: 'month', paidUntil: day(33), cancelAt: day(33) } as const;
  assert.equal(on(20, canceled), 'ending may 47');
  // Stripe has not said yet that it is over.
  assert.equal(on(33, canceled), 'grace may 47');
  assert.equal(on(47, canceled), 'lapsed may not 47');
  const over = { status: 'ended', interval: 'month', paidUntil: day(33) } as const;
  assert.equal(on(40, over), 'grace may 47');
  assert.equal(on(47, over), 'lapsed may not 47');
});

test('[MONEY-18] a failed payment leaves two weeks after the time that was paid', () => {
  const failed = { status: 'past-due', interval: 'year', paidUntil: day(365) } as const;
  assert.equal(on(366, failed), 'past-due may 379');
  assert.equal(on(379, failed), 'lapsed may not 379');
  // The first payment failed: the trial counts.
  assert.equal(on(2, { status: 'past-due' }), 'past-due may 28');
});

test('[MONEY-5] whoever ends early keeps the trial, and nobody has less than the trial and two weeks', () => {
  const early = { status: 'ended', interval: 'month', paidUntil: day(3) } as const;
  assert.equal(on(5, early), 'trial may 28');
  assert.equal(on(20, early), 'grace may 28');
  assert.equal(on(28, early), 'lapsed may not 28');
});
