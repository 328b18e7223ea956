// What is said of a plan: where it stands, its prices, and the calm lines before and after it ends. Pure; amounts are in cents.
import { counted } from '#core/counted.ts';
import { DAY_MS } from '#core/time.ts';
import type { Interval, Invoice, Plan } from '#wire/billing.ts';
import type { PlanChoice } from './plan-view.ts';
import type { ChangeCost } from './port.ts';

/** How a person reads days and amounts. */
export interface Reader {
  readonly locale: string;
  readonly zone: string;
}

/** "$48", "$4.50". */
export function money(cents: number, currency: string, { locale }: Pick<Reader, 'locale'>): string {
  const digits = cents % 100 === 0 ? { minimumFractionDigits: 0 } : {};
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(cents / 100);
}

/** "December 14, 2026". */
export function day(at: number, { locale, zone }: Reader): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone }).format(at);
}

/** "Dec 14, 2026", where there is little room. */
export const shortDay = (at: number, { locale, zone }: Reader): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone }).format(at);

/** Days that have begun until then; 1 on the last one. */
export const daysLeft = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / DAY_MS));

const EVERYTHING_STAYS =
  'Everything you have keeps working for good: reading, searching, editing, completing, syncing, and exporting.';

const each: Readonly<Record<Interval, string>> = { year: 'a year', month: 'a month' };

/** What is over, by what was paid before; null: nothing ever was. */
export const endedWords = (interval: Interval | null): string =>
  interval === null ? 'Your trial is over' : 'Your plan has ended';

function trialLines({ trialEndsAt, graceUntil }: Plan, now: number, reader: Reader): readonly string[] {
  const left = counted(daysLeft(trialEndsAt, now), 'day');
  const after = graceUntil === null ? '' : ` Everything works until ${day(graceUntil, reader)}.`;
  return [
    `Your trial runs until ${day(trialEndsAt, reader)}: ${left} left. Nothing is restricted.`,
    `We don’t have your card, so we can’t charge it.${after}`,
  ];
}

/** Where the plan stands, a sentence or two for each paragraph. */
export function standing(plan: Plan, now: number, reader: Reader): readonly string[] {
  const { state, interval, periodEndsAt, cancelAt, graceUntil, prices } = plan;
  const price =
    interval === null ? '' : `${money(prices[interval], prices.currency, reader)} ${each[interval]}`;
  const until = graceUntil === null ? '' : day(graceUntil, reader);
  switch (state) {
    case 'trial':
      return trialLines(plan, now, reader);
    case 'active':
      return [
        `You’re subscribed for ${price}.${periodEndsAt === null ? '' : ` It renews on ${day(periodEndsAt, reader)}.`}`,
      ];
    case 'ending':
      return [
        `You canceled. Your plan runs until ${day(cancelAt ?? periodEndsAt ?? now, reader)}, and nothing is charged after that.`,
        'Changed your mind? “Keep my plan” leads to the page where you take it back.',
        EVERYTHING_STAYS,
      ];
    case 'past-due':
      return [
        'Your last payment didn’t go through. It’s tried again over the next days. To fix it, choose “Card, receipts, canceling.”',
        ...(until === '' ? [] : [`Everything works until ${until}.`]),
      ];
    case 'grace':
      return [
        `${endedWords(interval)}. Nothing changes until ${until}. After that you can’t add tasks and lists until you subscribe.`,
        EVERYTHING_STAYS,
      ];
    case 'lapsed':
      return [
        `${endedWords(interval)}. You can’t add tasks and lists until you subscribe.`,
        EVERYTHING_STAYS,
      ];
  }
}

/** What is paid of a price with a discount. Half a cent is rounded up, as Stripe does. */
export const discounted = (cents: number, percent: number): number =>
  cents - Math.floor((cents * percent) / 100);

const names: Readonly<Record<Interval, string>> = { year: 'Yearly', month: 'Monthly' };

function noteOf(plan: Plan, interval: Interval, reader: Reader): string {
  const { promo, prices } = plan;
  const { currency } = prices;
  if (promo !== null) {
    const { code, months, percent, isApplied } = promo;
    const less = money(discounted(prices[interval], percent), currency, reader);
    const first = months === 1 ? 'your first month' : `your first ${months} months`;
    if (isApplied) return `${less} in ${first} with ${code}`;
    return interval === 'year'
      ? `${less} for the first year with ${code}`
      : `${less} a month in ${first} with ${code}`;
  }
  return interval === 'year' ? `That’s ${money(Math.round(prices.year / 12), currency, reader)} a month` : '';
}

/** The ways to pay. */
export function choicesOf(plan: Plan, reader: Reader): readonly PlanChoice[] {
  const { prices, state, interval: paid } = plan;
  const isPaid = state === 'active' || state === 'past-due' || state === 'ending';
  return (['year', 'month'] as const).map((interval) => ({
    interval,
    name: names[interval],
    price: `${money(prices[interval], prices.currency, reader)} ${each[interval]}`,
    note: noteOf(plan, interval, reader),
    isNow: isPaid && paid === interval,
  }));
}

/** The promo code as it holds; null: there is none. */
export function promoWords({ promo }: Plan): string | null {
  if (promo === null) return null;
  const months = promo.months === 1 ? 'month' : `${promo.months} months`;
  const worth = `${promo.code}, from ${promo.partner}: ${promo.percent}% off your first ${months}.`;
  return promo.isApplied
    ? `Promo code ${worth} It’s applied.`
    : `Promo code ${worth} It’s applied automatically when you pay.`;
}

/** What a change of the plan means, before it is made. */
export function changeWords(plan: Plan, to: Interval, cost: ChangeCost, reader: Reader): readonly string[] {
  const { prices, promo } = plan;
  const { dueCents, creditCents, currency } = cost;
  const price = `${money(prices[to], prices.currency, reader)} ${each[to]}`;
  const credit = money(creditCents, currency, reader);
  return [
    dueCents > 0
      ? `You’ll pay ${price}. Your card is charged ${money(dueCents, currency, reader)} right away.`
      : `You’ll pay ${price}. Nothing is charged today.`,
    ...(creditCents > 0 ? [`The ${credit} that you’ve paid and not used pays for what comes next.`] : []),
    ...(promo?.isApplied === true
      ? [`Your discount with ${promo.code} stays for as long as it was promised.`]
      : []),
  ];
}

const states: Readonly<Record<Invoice['state'], string>> = {
  paid: 'Paid',
  open: 'Open',
  refunded: 'Refunded',
  'partly-refunded': 'Partly refunded',
  failed: 'Failed',
  void: 'Void',
};

/** State of an invoice in words: "Partly refunded: $10". */
export function invoiceState({ state, cents, refundedCents, currency }: Invoice, reader: Reader): string {
  // What was paid and not used, when the plan changed.
  if (cents < 0 && state === 'paid') return 'Credited to you';
  return state === 'partly-refunded'
    ? `${states[state]}: ${money(refundedCents, currency, reader)}`
    : states[state];
}

/** Something to be said once, on all devices. */
export interface PlanNews {
  /** Another one as soon as something else is to be said. */
  readonly key: string;
  readonly text: string;
}

/** So many days before its end the trial is spoken of: on its day 11. */
const SOON_DAYS = 3;

/** The calm line for this moment; null: nothing needs to be said. */
export function newsOf(plan: Plan, now: number, reader: Reader): PlanNews | null {
  const { state, trialEndsAt, periodEndsAt, graceUntil } = plan;
  const until = graceUntil === null ? '' : day(graceUntil, reader);
  if (state === 'trial') {
    const left = daysLeft(trialEndsAt, now);
    if (left < 1 || left > SOON_DAYS) return null;
    if (left === 1)
      return {
        key: `last ${trialEndsAt}`,
        text: `This is the last day of your trial. Everything keeps working until ${until}, and nothing is charged.`,
      };
    return {
      key: `soon ${trialEndsAt}`,
      text: `Your trial runs until ${day(trialEndsAt, reader)}. Nothing is charged when it ends.`,
    };
  }
  if (state === 'past-due')
    return {
      key: `due ${periodEndsAt}`,
      text: 'Your last payment didn’t go through. It’s tried again soon.',
    };
  if (state === 'grace')
    return {
      key: `grace ${graceUntil}`,
      text: `${endedWords(plan.interval)}. You can add tasks and lists until ${until}.`,
    };
  if (state === 'lapsed')
    return {
      key: `lapsed ${graceUntil}`,
      text: 'You can’t add tasks and lists until you subscribe. Everything you have keeps working.',
    };
  return null;
}
