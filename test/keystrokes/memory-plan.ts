// The plan of an account as a server would have it, in memory: it keeps what was chosen, and a payment is made by hand.
import { failed, ok, type Result } from '#core/result.ts';
import { DAY_MS } from '#core/time.ts';
import type { Outcome, PlanPort } from '#client/plan/port.ts';
import type { Interval, Invoice, Plan } from '#wire/billing.ts';
import { START } from './desk-engine.ts';

/** A trial that began when the desk did. */
export const trialPlan: Plan = {
  state: 'trial',
  interval: null,
  mayAdd: true,
  trialEndsAt: START + 14 * DAY_MS,
  periodEndsAt: null,
  cancelAt: null,
  graceUntil: START + 28 * DAY_MS,
  hasCustomer: false,
  promo: null,
  prices: { month: 600, year: 4_800, currency: 'usd' },
  at: START,
};

/** The port, and what a server does behind it. */
export interface MemoryPlan extends PlanPort {
  plan: Plan;
  /** The server can’t be asked. */
  isOffline: boolean;
  /** How often the plan was read. */
  reads: number;
  paying: Outcome['checkout'];
  bills: readonly Invoice[];
  /** What another device did, told live. */
  become(change: Partial<Plan>): void;
}

/** `start`: how it begins. */
export function createMemoryPlan(start: Partial<Plan> = {}): MemoryPlan {
  const listeners = new Set<() => void>();
  const answer = <T>(value: () => T): Promise<Result<T, string>> =>
    Promise.resolve(
      memory.isOffline ? failed('Can’t reach the server. Try again when you’re online.') : ok(value()),
    );
  const memory: MemoryPlan = {
    plan: { ...trialPlan, ...start },
    isOffline: false,
    reads: 0,
    paying: 'open',
    bills: [],
    become(change) {
      memory.plan = { ...memory.plan, ...change };
      for (const listener of listeners) listener();
    },
    read() {
      memory.reads += 1;
      return answer(() => memory.plan);
    },
    isOffered: () => Promise.resolve(memory.isOffline ? null : true),
    checkout: (interval) => answer(() => `https://pay.example.org/${interval}`),
    outcome: () => answer(() => ({ checkout: memory.paying, plan: memory.plan })),
    portal: () => answer(() => 'https://pay.example.org/portal'),
    preview: (interval) =>
      answer(() => ({
        dueCents: interval === 'year' ? 4_500 : 0,
        creditCents: interval === 'year' ? 0 : 4_200,
        currency: 'usd',
      })),
    change(interval: Interval) {
      memory.plan = { ...memory.plan, interval };
      return answer(() => memory.plan);
    },
    invoices: () => answer(() => memory.bills),
    listen(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    tell: () => undefined,
  };
  return memory;
}
