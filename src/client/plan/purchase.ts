// What a link to the purchase comes to: the plan where this server has plans, what the account has redeemed where it has none. Loaded with links.
import type { Program } from '../app/program.ts';
import { openSafety } from '../safety/lazy.ts';
import { openPlan } from './lazy.ts';
import { hasPlans } from './offered.ts';
import { plansWhereOffered, WAITING_PURCHASE } from './part.ts';
import type { PlanPort } from './port.ts';

const NOTHING_TO_PAY = 'There’s nothing to pay on this server. Everything works without a subscription.';
const NEEDS_ACCOUNT = 'Plans belong to accounts. Sign up or sign in, and you can subscribe.';

async function isOffered(program: Program): Promise<boolean> {
  const { account } = program.platform;
  if (account.email !== null && hasPlans(program)) return true;
  const port: PlanPort | null = await account.live().then(
    (live) => live.plan(),
    () => null,
  );
  return (await port?.isOffered()) === true;
}

/** `checkout`: what a payment page led back with; null: the link doesn’t come from one. */
export async function purchase(program: Program, checkout: string | null): Promise<void> {
  const isSignedIn = program.platform.account.email !== null;
  const hasThem = await isOffered(program);
  // Plans are known once the rest of the app is.
  program.inputQueue.hold(() => {
    if (hasThem && isSignedIn) {
      program.part(plansWhereOffered).add();
      openPlan(program, checkout === null ? 'plan' : { checkout });
    } else if (hasThem) {
      program.platform.preferences.set(WAITING_PURCHASE, 'yes');
      program.run('account.signUp');
      program.say(NEEDS_ACCOUNT);
    } else if (isSignedIn) openSafety(program, 'promo');
    else program.say(NOTHING_TO_PAY);
  });
}
