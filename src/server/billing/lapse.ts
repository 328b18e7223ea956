// THE question about a lapsed plan: may an account make new things? Asked beside the authorization function, never instead of it,
// by what makes tasks and lists for programs, mail and visitors. Never asked by sync: what a device wrote is taken.
import type { Id } from '#core/ids.ts';
import { refusal } from '../http/answer.ts';

/** Who may make new things. A server without billing asks nobody. */
export interface Lapse {
  /** False: the plan of this account has lapsed. */
  mayAdd(account: number): Promise<boolean>;
  /** Likewise for the account whose scope it is. */
  mayAddIn(scope: Id): Promise<boolean>;
}

/** What an account is told that may not. */
const LAPSED =
  'This account’s trial or plan has ended, so nothing new can be added. Everything that is there can still be read, changed, completed and exported. Subscribe in the app to add again.';

/** What a visitor of somebody’s public list is told. */
const LIST_LAPSED = 'This list doesn’t take new tasks right now. Ask the person who shares it.';

/** What a mail server is told: it reports back to the sender. */
export const MAIL_LAPSED = 'This list does not take new mail right now';

/** The refusal for an account that may not make new things; null: it may, or this server has no billing. */
export async function refuseNew(lapse: Lapse | null, account: number): Promise<Response | null> {
  if (lapse === null || (await lapse.mayAdd(account))) return null;
  return refusal('payment_required', LAPSED);
}

/** The refusal for a visitor who would add to a list; null: it takes new tasks. */
export async function refuseNewIn(lapse: Lapse | null, scope: Id): Promise<Response | null> {
  if (lapse === null || (await lapse.mayAddIn(scope))) return null;
  return refusal('payment_required', LIST_LAPSED);
}
