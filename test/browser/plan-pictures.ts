// Pictures of the dialog of the plan, for the walk through all dialogs: a server without billing never shows it.
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import type { PlanView } from '#client/plan/plan-view.ts';

const choices: PlanView['choices'] = [
  {
    interval: 'year',
    name: 'Yearly',
    price: '$48 a year',
    note: '$36 for the first year with HARBOUR',
    isNow: false,
  },
  { interval: 'month', name: 'Monthly', price: '$6 a month', note: '', isNow: false },
];

/** Where a plan stands, with these differences. */
const paidOf = (more: Partial<PlanView>): DialogView => ({
  type: 'plan',
  plan: {
    step: 'plan',
    title: 'Plan and payment',
    lines: [
      'Your trial runs until December 14, 2026: 14 days left. Nothing is restricted.',
      'We don’t have your card, so we can’t charge it.',
    ],
    choices,
    promo: 'Promo code HARBOUR, from The Harbour: 25% off your first 12 months.',
    can: { manage: false, invoices: false, promo: true, again: false },
    isEnding: false,
    invoices: null,
    action: '',
    busy: null,
    said: null,
    ...more,
  },
});

/** What the dialog of the plan looks like, by what is on. */
export const planPictures: Readonly<Record<string, DialogView>> = {
  trial: paidOf({}),
  paying: paidOf({
    choices: choices.map((choice) => ({ ...choice, isNow: choice.interval === 'year', note: '' })),
    lines: ['You’re subscribed for $48 a year. It renews on December 1, 2027.'],
    can: { manage: true, invoices: true, promo: false, again: false },
  }),
  leaving: paidOf({
    step: 'leaving',
    title: 'Continue in your browser',
    choices: [],
    action: 'Open the payment page',
  }),
  change: paidOf({ step: 'change', title: 'Change your plan?', choices: [], action: 'Change plan' }),
  returned: paidOf({
    step: 'returned',
    title: 'Your payment',
    choices: [],
    can: { manage: false, invoices: false, promo: false, again: true },
  }),
  invoices: paidOf({
    step: 'invoices',
    title: 'Invoices',
    choices: [],
    invoices: [
      {
        number: 'A-2',
        on: 'December 1, 2026',
        amount: '$36',
        state: 'Partly refunded: $10',
        url: 'https://pay.example.org/i/2',
      },
      { number: 'A-1', on: 'November 1, 2026', amount: '$4.50', state: 'Failed', url: null },
    ],
  }),
};
