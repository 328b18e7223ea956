// The hosted pages of the server that stands in for Stripe: plain forms, so that a browser can press "Pay" and "Cancel plan".
import type { FakeBooks, Fields } from './stripe-books.ts';

const escape = (text: unknown) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const dollars = (cents: unknown) => `$${(Number(cents) / 100).toFixed(2)}`;
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`;

/** Where a person pays. */
export function payPage(books: FakeBooks, id: string, problem = ''): string {
  const session = books.get(id);
  if (session['status'] !== 'open') return page('This page has expired', '');
  return page(
    'Test checkout',
    `<p role="alert">${escape(problem)}</p><p>To pay now: <strong>${dollars(session['amount_total'])}</strong></p>
<form method="post"><button name="card" value="good">Pay</button>
<button name="card" value="declined">Pay with a card that is declined</button></form>
<p><a href="${escape(session['cancel_url'])}">Back</a></p>`,
  );
}

/** Where a person cancels. */
export function portalPage(books: FakeBooks, id: string): string {
  const session = books.get(id);
  const subscriptions = books.list('subscription', { customer: String(session['customer']) });
  const rows = subscriptions.map((of: Fields) => {
    const action = of['cancel_at_period_end'] === true ? 'keep' : 'cancel';
    return `<form method="post"><input type="hidden" name="subscription" value="${escape(of['id'])}">
<p>${escape(of['status'])}</p><button name="do" value="${action}">${action === 'keep' ? 'Keep plan' : 'Cancel plan'}</button></form>`;
  });
  return page('Test portal', `${rows.join('')}<p><a href="${escape(session['return_url'])}">Back</a></p>`);
}

/** An invoice. */
export const invoicePage = (invoice: Fields): string =>
  page(
    `Invoice ${escape(invoice['number'])}`,
    `<p>${dollars(invoice['total'])} ${escape(invoice['status'])}</p>`,
  );
