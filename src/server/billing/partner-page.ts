// The page of a partner, by its secret address: what was earned each month, who stays (without names), what was paid out. Markup alone, so that
// it works without scripts. What stands on it is ledger.ts; around it is the site's own page `partner`.
import { counted } from '#core/counted.ts';
import { billingPaths, type PartnerStatement } from '#wire/billing.ts';
import { refusal } from '../http/answer.ts';
import { expectedOrigin } from '../http/origin.ts';
import type { Answer, Route, RouteCall } from '../http/route.ts';
import { escaped } from '../public-links/html.ts';
import { pageAnswer, type SitePagePorts } from '../site/page-routes.ts';

/** What the page needs. */
export interface PartnerPagePorts extends Pick<SitePagePorts, 'config' | 'siteFiles'> {
  /** Null: this server has no billing. */
  readonly billing: { statement(secret: string): Promise<PartnerStatement | null> } | null;
}

/** "$10.80", "-$10.80". */
function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

/** "November 2026", of `2026-11`. */
function month(period: string): string {
  const at = Date.parse(`${period}-01T00:00:00Z`);
  if (Number.isNaN(at)) return period;
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
}

const day = (at: number) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at);

interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What is said instead of an empty table. */
  readonly empty: string;
}

/** Every cell is text. */
function tableOf({ title, head, rows, empty }: Table): string {
  const name = escaped(title);
  if (rows.length === 0) return `<h2>${name}</h2><p>${escaped(empty)}</p>`;
  const heads = head.map((text) => `<th scope="col">${escaped(text)}</th>`).join('');
  const lines = rows
    .map((row) => `<tr>${row.map((text) => `<td>${escaped(text)}</td>`).join('')}</tr>`)
    .join('');
  return [
    `<h2>${name}</h2><div class="table" tabindex="0" role="group" aria-label="${name}">`,
    `<table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`,
  ].join('');
}

function balanceWords({ balanceCents, currency }: PartnerStatement): string {
  const amount = money(Math.abs(balanceCents), currency);
  if (balanceCents < 0)
    return `${amount} more was paid to you than you earned, because of refunds. It’s taken off what you earn next.`;
  return balanceCents === 0 ? 'Nothing is waiting to be paid out.' : `${amount} is waiting to be paid out.`;
}

function codeRow({
  code,
  discountPercent,
  discountMonths,
  commissionPercent,
  isActive,
  redeemed,
}: PartnerStatement['codes'][number]) {
  const months = discountMonths === 1 ? 'the first month' : `the first ${discountMonths} months`;
  return [
    code,
    isActive ? 'Works' : 'Has ended',
    `${discountPercent}% off ${months}`,
    `${commissionPercent}%`,
    counted(redeemed, 'account'),
  ];
}

/** The statement as HTML. Pure; nothing in it is markup but what stands here. */
export function statementHtml(statement: PartnerStatement): string {
  const { partner, currency, codes, months, referrals, payouts } = statement;
  const as = (cents: number) => money(cents, currency);
  return [
    `<p class="lead"><bdi>${escaped(partner)}</bdi>: ${escaped(balanceWords(statement))}</p>`,
    tableOf({
      title: 'By month',
      head: ['Month', 'Payments', 'Earned', 'Taken back', 'Total'],
      rows: months.map(({ month: period, payments, earnedCents, reversedCents }) => [
        month(period),
        String(payments),
        as(earnedCents),
        as(reversedCents),
        as(earnedCents + reversedCents),
      ]),
      empty: 'Nobody who came by your code has paid yet.',
    }),
    tableOf({
      title: 'People you referred',
      head: ['Person', 'First paid', 'Now', 'Payments', 'You earned'],
      rows: referrals.map(({ number, since, isPaying, payments, earnedCents }) => [
        `Number ${number}`,
        month(since),
        isPaying ? 'Subscribed' : 'Not subscribed',
        String(payments),
        as(earnedCents),
      ]),
      empty: 'Nobody yet. People appear here with their first payment, without their names.',
    }),
    tableOf({
      title: 'Paid to you',
      head: ['For', 'Amount', 'On'],
      rows: payouts.map(({ period, cents, paidAt }) => [month(period), as(cents), day(paidAt)]),
      empty: 'Nothing has been paid out yet.',
    }),
    tableOf({
      title: 'Your codes',
      head: ['Code', 'State', 'They get', 'You get', 'Redeemed by'],
      rows: codes.map(codeRow),
      empty: 'You have no code.',
    }),
    '<p>You earn your percentage of what was paid, after discounts, for as long as a person stays subscribed. When a payment is refunded or disputed, its ',
    'commission is taken back in the same proportion, in the month in which that happens. Months are in UTC.</p>',
    '<p>This address is a secret. Anyone who has it sees this page. <a href="/contact">Write to us</a> for a new one.</p>',
  ].join('');
}

async function show(ports: PartnerPagePorts, call: RouteCall): Promise<Response | Answer> {
  const { billing, siteFiles, config } = ports;
  const nothing = () => refusal('not_found', "There's nothing at this address.");
  const statement = (await billing?.statement(call.params['secret'] ?? '')) ?? null;
  const table = await siteFiles.table();
  if (table === null) return nothing();
  const origin = expectedOrigin(config.publicUrl, call.url);
  const headers = {
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  };
  const page =
    statement === null
      ? await siteFiles.answer('pages/404.html', { request: call.request, origin, status: 404, headers })
      : await siteFiles.answer('pages/partner.html', {
          request: call.request,
          origin,
          headers,
          fills: { statement: statementHtml(statement) },
        });
  return page === null ? nothing() : pageAnswer(page, table);
}

/** The page of a partner; none where there is no billing. */
export function partnerRoutes(ports: PartnerPagePorts): readonly Route[] {
  if (ports.billing === null) return [];
  return [
    {
      method: 'GET',
      path: billingPaths.partner,
      access: { carrier: 'none', rule: { type: 'anybody' } },
      site: 'public',
      limit: 'site_lookup_ip',
      body: { type: 'none' },
      compress: false,
      handle: (call) => show(ports, call),
    },
  ];
}
