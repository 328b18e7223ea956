// The plan of an account as a pure function of what Stripe said last, the trial, and the time. All of it holds in UTC
// milliseconds: two weeks are 14 times 24 hours, wherever somebody lives.
import { DAY_MS } from '#core/time.ts';
import { planDays, type Interval, type Plan, type PlanState } from '#wire/billing.ts';

const GRACE_MS = planDays.grace * DAY_MS;

/** What Stripe said of the subscription that counts. Times are milliseconds. */
export interface SubscriptionFacts {
  /** `none`: there never was one, or its first payment is missing. `ended`: it is over for good. */
  readonly status: 'none' | 'active' | 'past-due' | 'ended';
  readonly interval: Interval | null;
  /** End of the time that is paid; null: none ever was. */
  readonly paidUntil: number | null;
  /** Canceled for then; null: it goes on. */
  readonly cancelAt: number | null;
}

/** Where an account stands, and until when. */
export type Standing = Pick<
  Plan,
  'state' | 'mayAdd' | 'interval' | 'trialEndsAt' | 'periodEndsAt' | 'cancelAt' | 'graceUntil'
>;

/** An account that never paid anything. */
export const nothingPaid: SubscriptionFacts = {
  status: 'none',
  interval: null,
  paidUntil: null,
  cancelAt: null,
};

/** End of the trial: two weeks from signing up, or from the day billing began here, if that was later. */
export const trialEnd = (createdAt: number, billingSince: number): number =>
  Math.max(createdAt, billingSince) + planDays.trial * DAY_MS;

/** The state once nothing more is paid after `end`. */
function afterwards(end: number, now: number): PlanState {
  return now < end + GRACE_MS ? 'grace' : 'lapsed';
}

function stateOf(facts: SubscriptionFacts, trialEndsAt: number, now: number): [PlanState, number | null] {
  const { status, paidUntil, cancelAt } = facts;
  if (status === 'active' && cancelAt === null) return ['active', null];
  if (status === 'active' && cancelAt !== null && now < cancelAt) return ['ending', cancelAt + GRACE_MS];
  if (status === 'past-due') {
    const end = Math.max(paidUntil ?? trialEndsAt, trialEndsAt);
    return [now < end + GRACE_MS ? 'past-due' : 'lapsed', end + GRACE_MS];
  }
  // Stripe has not said yet that what was canceled is over: the clock says it.
  const paidEnd = status === 'active' ? (cancelAt ?? 0) : (paidUntil ?? 0);
  const end = Math.max(paidEnd, trialEndsAt);
  if (now < trialEndsAt) return ['trial', trialEndsAt + GRACE_MS];
  return [afterwards(end, now), end + GRACE_MS];
}

/** Where an account stands at `now`. At the very end of a time that time is over. */
export function standingOf(facts: SubscriptionFacts, trialEndsAt: number, now: number): Standing {
  const [state, graceUntil] = stateOf(facts, trialEndsAt, now);
  return {
    state,
    mayAdd: state !== 'lapsed',
    interval: facts.interval,
    trialEndsAt,
    periodEndsAt: facts.paidUntil,
    cancelAt: state === 'ending' ? facts.cancelAt : null,
    graceUntil,
  };
}
