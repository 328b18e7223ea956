// The operator's commands for plans and payments: partners with their secret pages, payouts, discounts, and looking at one account.
// Words in, lines out. They do nothing on a server without billing.
import { createBus } from '../live/bus.ts';
import { counted } from '#core/counted.ts';
import { parseEmail } from '#core/email.ts';
import { createLogger } from '../observe/log.ts';
import type { Command, Entry, SiteAdmin } from '../site/admin.ts';
import { createPromoCodes, parsePromoCode } from '../site/promo-codes.ts';
import { createSecret, digestOf } from '../site/secret-link.ts';
import { Billing } from './billing.ts';
import { endOfMonth, makePayouts, type Payout, statementOf } from './ledger.ts';
import { troubleOf } from './stripe-gate.ts';

/** Help for these commands, a part of the usage of `npm run admin`. */
export const billingUsage = `  billing status                 how many accounts are in which state
  billing ask <email>            ask Stripe about an account now
  discount add <code> <percent> <months> [last day]
                                 a code without commission, for discounts on request
  partner list                   partners with what they are due
  partner link <partner…>        a new secret address of their page; the one before ends
  partner unlink <partner…>      end that address
  partner email <code> <email>   whose own account can't use this code; "none" for nobody
  payout make <month>            payouts of everything due up to the end of a month, YYYY-MM, as CSV
  payout list [month]            payouts as CSV
  payout paid <id…>              write down that these were paid`;

type Outcome = ReturnType<Command>;

const OFF = 'Billing is off on this server. BILLING turns it on.';
/** A cell of a CSV file. What a spreadsheet would reckon with is marked as text. */
function cell(text: string): string {
  const marked = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
const money = (cents: number) => (cents / 100).toFixed(2);
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Refuses a command where there is no billing. */
const billed =
  (run: Command): Command =>
  (admin, words) =>
    admin.config.billing === null ? Promise.resolve(OFF) : run(admin, words);

function billingOf(admin: SiteAdmin): Billing | null {
  const { config, db, clock } = admin;
  const log = createLogger({ level: 'off', clock, write: () => undefined });
  return config.billing && new Billing({ config, db, clock, bus: createBus(), log }, config.billing);
}

async function status(admin: SiteAdmin): Outcome {
  const billing = billingOf(admin);
  if (billing === null) return OFF;
  const accounts = await admin.db.selectFrom('account').select('id').execute();
  const counts = new Map<string, number>();
  for (const { id } of accounts) {
    const state = (await billing.planOf(id))?.state ?? 'gone';
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  admin.print(`Billing is on since ${day(await billing.since())}, with a ${admin.config.billing?.mode} key.`);
  for (const [state, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    admin.print(`  ${String(count).padStart(8)}  ${state}`);
  const failed = await admin.db
    .selectFrom('stripe_event')
    .select('id')
    .where('handled_at', 'is', null)
    .execute();
  if (failed.length > 0)
    admin.print(
      `${counted(failed.length, 'message')} of Stripe failed; it repeats them, and every night all is asked anew.`,
    );
  return null;
}

async function ask(admin: SiteAdmin, [text = '']: readonly string[]): Outcome {
  const { db, print } = admin;
  const billing = billingOf(admin);
  const email = parseEmail(text);
  const found =
    email === null
      ? undefined
      : await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst();
  if (billing === null || found === undefined) return `There's no account ${text}.`;
  const row = await billing.records.row(found.id);
  try {
    if (row !== null) await billing.settling.settle(row.customer);
  } catch (error) {
    if (troubleOf(error) === null) throw error;
    return 'Stripe can’t be reached right now. Nothing was changed.';
  }
  const plan = await billing.planOf(found.id);
  if (plan === null) return `There's no account ${text}.`;
  const until = plan.graceUntil === null ? '' : `, new things until ${day(plan.graceUntil)}`;
  const paid = plan.periodEndsAt === null ? 'never paid' : `paid until ${day(plan.periodEndsAt)}`;
  print(`${text} is in state ${plan.state} (${plan.interval ?? 'no plan'}), ${paid}${until}.`);
  return null;
}

async function addDiscount({ db, clock, print }: SiteAdmin, words: readonly string[]): Outcome {
  const [text = '', percentText = '', monthsText = '', last] = words;
  const code = parsePromoCode(text);
  if (code === null) return 'A code has 2 to 40 letters, digits, - and _.';
  const [percent, months] = [percentText, monthsText].map((word) =>
    /^\d{1,4}$/.test(word) ? Number(word) : 0,
  );
  if (percent === undefined || percent < 1 || percent > 100)
    return 'The percentage must be a whole number from 1 to 100.';
  if (months === undefined || months < 1 || months > 1_200)
    return 'The months must be a whole number from 1 to 1200.';
  const end = last === undefined ? null : Date.parse(`${last}T00:00:00Z`) + 86_400_000;
  if (end !== null && (Number.isNaN(end) || day(end - 86_400_000) !== last))
    return 'Write the day like 2027-01-31.';
  const terms = { discountPercentage: percent, discountMonths: months, commissionPercentage: 0 };
  if (!(await createPromoCodes(db, clock).create(code, 'Posthaste', terms)))
    return `${code} is already taken.`;
  await db.updateTable('promo_code').set({ ends_at: end }).where('code', '=', code).execute();
  const until = last === undefined ? '' : `, accepted until ${last}`;
  print(
    `Created ${code}: ${percent}% off for ${counted(months, 'month')}, no commission${until}: /app/open/enter-promo-code/${code}`,
  );
  return null;
}

async function isPartner({ db }: SiteAdmin, partner: string): Promise<boolean> {
  const code = await db
    .selectFrom('promo_code')
    .select('code')
    .where('partner', '=', partner)
    .executeTakeFirst();
  return code !== undefined;
}

async function linkPartner(admin: SiteAdmin, words: readonly string[]): Outcome {
  const { db, clock, config, print } = admin;
  const partner = words.join(' ').trim();
  if (!(await isPartner(admin, partner))) return `There's no code of ${partner}. Make one first: promo add`;
  const secret = createSecret();
  const created = { digest: digestOf(secret), partner, created_at: Math.round(clock.now()) };
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('partner_link').where('partner', '=', partner).execute();
    await tx.insertInto('partner_link').values(created).execute();
  });
  print(`${config.publicUrl ?? `http://localhost:${config.port}`}/partner/${secret}`);
  print('Give it to nobody but the partner. It is shown here once; partner link makes another one.');
  return null;
}

async function unlinkPartner({ db, print }: SiteAdmin, words: readonly string[]): Outcome {
  const partner = words.join(' ').trim();
  const { numDeletedRows } = await db
    .deleteFrom('partner_link')
    .where('partner', '=', partner)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return `${partner} has no address.`;
  print(`Ended the address of ${partner}.`);
  return null;
}

async function emailOfPartner(
  { db, print }: SiteAdmin,
  [text = '', address = '']: readonly string[],
): Outcome {
  const code = parsePromoCode(text) ?? '';
  const email = address === 'none' ? null : parseEmail(address);
  if (email === null && address !== 'none') return `${address} isn't an email address.`;
  const { numUpdatedRows } = await db
    .updateTable('promo_code')
    .set({ partner_email: email })
    .where('code', '=', code)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return `There's no code ${text}.`;
  print(email === null ? `${code} works for everybody.` : `${code} doesn't work for ${email}.`);
  return null;
}

async function listPartners(admin: SiteAdmin): Outcome {
  const { db, clock, print } = admin;
  const currency = (await billingOf(admin)?.prices())?.currency ?? 'usd';
  const known = await db.selectFrom('promo_code').select('partner').distinct().orderBy('partner').execute();
  const paid = await db.selectFrom('commission').select('partner').distinct().execute();
  for (const partner of new Set([...known, ...paid].map((row) => row.partner))) {
    const { balanceCents, referrals } = await statementOf(db, partner, { currency, now: clock.now() });
    print(
      `${money(balanceCents).padStart(10)} ${currency}  ${counted(referrals.length, 'referral')} who paid  ${partner}`,
    );
  }
  return null;
}

function printPayouts(print: SiteAdmin['print'], payouts: readonly Payout[]): void {
  print('id,partner,period,amount,currency,paid');
  for (const { id, partner, period, cents, currency, paid_at: at } of payouts)
    print([id, cell(partner), period, money(cents), currency, at === null ? '' : day(at)].join(','));
}

async function newPayouts({ db, clock, newId, print }: SiteAdmin, [period = '']: readonly string[]): Outcome {
  const end = endOfMonth(period);
  if (end === null) return 'Write the month like 2026-11.';
  if (end > clock.now()) return `${period} isn't over yet.`;
  printPayouts(print, await makePayouts(db, period, { now: Math.round(clock.now()), id: newId }));
  return null;
}

async function listPayouts({ db, print }: SiteAdmin, [period]: readonly string[]): Outcome {
  if (period !== undefined && endOfMonth(period) === null) return 'Write the month like 2026-11.';
  const all = await db.selectFrom('payout').selectAll().orderBy('period').orderBy('partner').execute();
  printPayouts(
    print,
    all.filter((payout) => period === undefined || payout.period === period),
  );
  return null;
}

async function markPaid({ db, clock, print }: SiteAdmin, ids: readonly string[]): Outcome {
  const open = await db
    .selectFrom('payout')
    .select('id')
    .where('id', 'in', ids)
    .where('paid_at', 'is', null)
    .execute();
  const unknown = ids.filter((id) => !open.some((payout) => payout.id === id));
  if (unknown.length > 0) return `There's no unpaid payout ${unknown.join(', ')}. Nothing was changed.`;
  const at = Math.round(clock.now());
  await db.updateTable('payout').set({ paid_at: at }).where('id', 'in', ids).execute();
  print(`Marked ${counted(ids.length, 'payout')} as paid.`);
  return null;
}

/** The commands by their names. */
export const billingCommands: Readonly<Record<string, Entry>> = {
  'billing status': { run: billed(status), least: 0, most: 0 },
  'billing ask': { run: billed(ask), least: 1, most: 1 },
  'discount add': { run: billed(addDiscount), least: 3, most: 4 },
  'partner list': { run: billed(listPartners), least: 0, most: 0 },
  'partner link': { run: billed(linkPartner), least: 1, most: Infinity },
  'partner unlink': { run: billed(unlinkPartner), least: 1, most: Infinity },
  'partner email': { run: billed(emailOfPartner), least: 2, most: 2 },
  'payout make': { run: billed(newPayouts), least: 1, most: 1 },
  'payout list': { run: billed(listPayouts), least: 0, most: 1 },
  'payout paid': { run: billed(markPaid), least: 1, most: Infinity },
};
