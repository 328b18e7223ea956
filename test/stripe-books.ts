// What the server that stands in for Stripe has: customers, prices, coupons, checkouts, subscriptions, invoices, charges, refunds
// and disputes, and what happens to them. Every change is an event with a copy of the object.
/** An object as it is sent. */
export type Fields = Record<string, unknown>;

/** An error as Stripe answers it. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;

  constructor(status: number, type: string, code: string) {
    super(code);
    this.status = status;
    this.type = type;
    this.code = code;
  }
}

const bad = (code: string) =>
  new StripeRefusal(code === 'resource_missing' ? 404 : 400, 'invalid_request_error', code);
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const isTrue = (value: unknown) => value === 'true' || value === true;
const items = (value: unknown): Fields[] =>
  typeof value === 'object' && value !== null ? (Object.values(value) as Fields[]) : [];

interface Discount {
  readonly percent: number;
  /** Seconds; null: for the next invoice alone. */
  readonly until: number | null;
  readonly coupon: string;
}

function addMonths(seconds: number, months: number): number {
  const date = new Date(seconds * 1_000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1_000;
}

const after = (seconds: number, interval: unknown) => addMonths(seconds, interval === 'year' ? 12 : 1);

/** The books of the fake. */
export class FakeBooks {
  origin = 'http://127.0.0.1';
  /** Every event so far, as it is sent. */
  readonly events: Fields[] = [];
  /** While true, cards are declined. */
  declines = false;
  readonly #now: () => number;
  readonly #happened: (event: Fields) => void;
  readonly #objects = new Map<string, Fields>();
  readonly #discounts = new Map<string, Discount>();
  readonly #balances = new Map<string, number>();
  #count = 0;

  constructor(now: () => number, happened: (event: Fields) => void) {
    this.#now = now;
    this.#happened = happened;
  }

  get(id: string): Fields {
    const found = this.#objects.get(id);
    if (found === undefined) throw bad('resource_missing');
    return found;
  }

  /** Newest first, as Stripe lists. */
  list(kind: string, where: Readonly<Record<string, string>> = {}): Fields[] {
    const all = [...this.#objects.values()].filter((of) => of['object'] === kind);
    return all.filter((of) => Object.entries(where).every(([key, value]) => of[key] === value)).toReversed();
  }

  /** Answers a call of the API: `path` without `/v1/`. */
  call(method: string, path: string, fields: Fields): unknown {
    const [kind = '', a, b] = path.split('/');
    if (kind === 'checkout') return this.#checkout(method, path.split('/').slice(2), fields);
    if (kind === 'billing_portal') return this.#portal(b === undefined ? text(a) : (a ?? ''), fields);
    if (method === 'GET') return a === undefined ? this.#listed(kind, fields) : this.#shown(a);
    if (kind === 'customers')
      return a === undefined ? this.#newCustomer(fields) : this.#change(a, fields, 'customer');
    if (kind === 'prices') return this.#newPrice(fields);
    if (kind === 'coupons') return this.#newCoupon(fields);
    if (kind === 'invoices' && a === 'create_preview') return this.#preview(fields);
    if (kind === 'refunds') return this.#refunded(text(fields['charge']), Number(fields['amount'] ?? 0));
    if (kind === 'subscriptions' && a !== undefined)
      return method === 'DELETE' ? this.end(a) : this.#changeSubscription(a, fields);
    throw bad('url_invalid');
  }

  /** The operator deletes a customer, with the subscriptions. */
  deleteCustomer(id: string): void {
    for (const of of this.list('subscription', { customer: id }))
      if (of['status'] !== 'canceled') this.end(text(of['id']));
    this.#objects.delete(id);
  }

  #listed(kind: string, fields: Fields): Fields {
    if (text(fields['customer']) !== '') this.get(text(fields['customer']));
    const where = Object.fromEntries(
      (['customer', 'charge'] as const).flatMap((key) =>
        text(fields[key]) === '' ? [] : [[key, text(fields[key])]],
      ),
    );
    const keys = items(fields['lookup_keys']).map(String);
    const all = this.list(kind.replace(/s$/, ''), where).filter(
      (of) => keys.length === 0 || keys.includes(text(of['lookup_key'])),
    );
    const start = all.findIndex(({ id }) => id === fields['starting_after']) + 1;
    const limit = Number(fields['limit'] ?? 10);
    return {
      object: 'list',
      url: `/v1/${kind}`,
      data: structuredClone(all.slice(start, start + limit)),
      has_more: start + limit < all.length,
    };
  }

  #shown = (id: string) => structuredClone(this.get(id));

  #seconds = () => Math.floor(this.#now() / 1_000);

  #add(prefix: string, object: string, fields: Fields): Fields {
    this.#count += 1;
    const id = text(fields['id']) || `${prefix}_${String(this.#count).padStart(6, '0')}`;
    const made = { object, created: this.#seconds(), livemode: false, ...fields, id };
    this.#objects.set(id, made);
    return made;
  }

  /** Says that something happened to an object. */
  say(type: string, object: Fields): void {
    this.#count += 1;
    const event = {
      id: `evt_${String(this.#count).padStart(6, '0')}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      type,
      created: this.#seconds(),
      livemode: false,
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    this.#happened(event);
  }

  #newCustomer(fields: Fields): Fields {
    const made = this.#add('cus', 'customer', { metadata: {}, ...fields });
    this.say('customer.created', made);
    return structuredClone(made);
  }

  #change(id: string, fields: Fields, kind: string): Fields {
    Object.assign(this.get(id), fields);
    this.say(`${kind}.updated`, this.get(id));
    return this.#shown(id);
  }

  #newPrice(fields: Fields): Fields {
    const recurring = fields['recurring'] as Fields;
    return this.#add('price', 'price', {
      ...fields,
      unit_amount: Number(fields['unit_amount']),
      recurring,
      active: true,
    });
  }

  #newCoupon(fields: Fields): Fields {
    if (this.#objects.has(text(fields['id']))) throw bad('resource_already_exists');
    const percent = Number(fields['percent_off']);
    const months = fields['duration'] === 'once' ? null : Number(fields['duration_in_months']);
    return this.#add('coupon', 'coupon', { ...fields, percent_off: percent, duration_in_months: months });
  }

  #portal(kind: string, fields: Fields): Fields {
    if (kind === 'configurations') return this.#add('bpc', 'billing_portal.configuration', fields);
    const made = this.#add('bps', 'billing_portal.session', fields);
    made['url'] = `${this.origin}/portal/${text(made['id'])}`;
    return made;
  }

  #checkout(method: string, [id, action]: readonly string[], fields: Fields): Fields {
    if (id === undefined) {
      const price = this.get(text(items(fields['line_items'])[0]?.['price']));
      const coupon = text(items(fields['discounts'])[0]?.['coupon']);
      const percent = coupon === '' ? 0 : Number(this.get(coupon)['percent_off']);
      const made = this.#add('cs_test', 'checkout.session', {
        ...fields,
        status: 'open',
        payment_status: 'unpaid',
        subscription: null,
        amount_total: Math.round((Number(price['unit_amount']) * (100 - percent)) / 100),
      });
      made['url'] = `${this.origin}/pay/${text(made['id'])}`;
      return structuredClone(made);
    }
    const session = this.get(id);
    if (method === 'POST' && action === 'expire') {
      if (session['status'] !== 'open') throw bad('checkout_session_not_open');
      Object.assign(session, { status: 'expired', url: null });
      this.say('checkout.session.expired', session);
    }
    return this.#shown(id);
  }

  /** The address that a person goes back to after paying. */
  returnOf(session: string): string {
    return text(this.get(session)['success_url']).replace('{CHECKOUT_SESSION_ID}', session);
  }

  /** A person presses "Pay". False: the card was declined, or the page has expired. */
  pay(id: string, { isDeclined = this.declines }: { readonly isDeclined?: boolean } = {}): boolean {
    const session = this.get(id);
    if (session['status'] !== 'open' || isDeclined) return false;
    const data = session['subscription_data'] as Fields | undefined;
    const subscription = this.#newSubscription(session, (data?.['metadata'] as Fields | undefined) ?? {});
    const isFree = session['amount_total'] === 0;
    Object.assign(session, {
      status: 'complete',
      url: null,
      payment_status: isFree ? 'no_payment_required' : 'paid',
      subscription: subscription['id'],
    });
    this.say('checkout.session.completed', session);
    return true;
  }

  #newSubscription(session: Fields, metadata: Fields): Fields {
    const price = this.get(text(items(session['line_items'])[0]?.['price']));
    const interval = (price['recurring'] as Fields)['interval'];
    const start = this.#seconds();
    const item = {
      id: `si_${this.#count}`,
      object: 'subscription_item',
      price: structuredClone(price),
      current_period_start: start,
      current_period_end: after(start, interval),
    };
    const made = this.#add('sub', 'subscription', {
      customer: session['customer'],
      status: 'active',
      metadata,
      items: { object: 'list', data: [item], has_more: false },
      cancel_at: null,
      cancel_at_period_end: false,
      ended_at: null,
    });
    const coupon = text(items(session['discounts'])[0]?.['coupon']);
    if (coupon !== '') this.#discount(text(made['id']), coupon);
    this.say('customer.subscription.created', made);
    this.#invoice(made, [this.#line(price, item)]);
    return made;
  }

  #discount(subscription: string, id: string): void {
    const coupon = this.get(id);
    const months = coupon['duration_in_months'];
    this.#discounts.set(subscription, {
      percent: Number(coupon['percent_off']),
      until: typeof months === 'number' ? addMonths(this.#seconds(), months) : null,
      coupon: id,
    });
  }

  /** The coupon that the next invoice of a subscription is made with; null: none. */
  couponOf(subscription: string): string | null {
    const discount = this.#discounts.get(subscription);
    const isOver = discount?.until !== null && (discount?.until ?? 0) <= this.#seconds();
    return discount === undefined || isOver ? null : discount.coupon;
  }

  #line(price: Fields, item: Fields): Fields {
    const period = { start: item['current_period_start'], end: item['current_period_end'] };
    return { object: 'line_item', amount: price['unit_amount'], period };
  }

  #itemOf = (subscription: Fields) => ((subscription['items'] as Fields)['data'] as Fields[])[0] as Fields;

  /** Makes an invoice and tries to pay it. `credit`: cents that are taken off after the discount. */
  #invoice(subscription: Fields, lines: readonly Fields[], credit = 0): Fields {
    const id = text(subscription['id']);
    const customer = text(subscription['customer']);
    const percent = this.couponOf(id) === null ? 0 : (this.#discounts.get(id)?.percent ?? 0);
    if (this.#discounts.get(id)?.until === null) this.#discounts.delete(id);
    const full = lines.reduce((sum, { amount }) => sum + Number(amount), 0);
    const total = Math.round((full * (100 - percent)) / 100) - credit;
    const balance = this.#balances.get(customer) ?? 0;
    const due = Math.max(0, total - balance);
    this.#balances.set(customer, Math.max(0, balance - total));
    const invoice = this.#add('in', 'invoice', {
      customer,
      number: `TEST-${String(this.list('invoice').length + 1).padStart(4, '0')}`,
      parent: { type: 'subscription_details', subscription_details: { subscription: id } },
      lines: { object: 'list', data: lines, has_more: false },
      status: 'open',
      total,
      total_excluding_tax: total,
      amount_due: due,
      amount_paid: 0,
      attempt_count: 0,
      currency: 'usd',
      status_transitions: { paid_at: null },
      payments: { object: 'list', data: [], has_more: false },
    });
    invoice['hosted_invoice_url'] = `${this.origin}/invoice/${text(invoice['id'])}`;
    this.say('invoice.finalized', invoice);
    this.attempt(text(invoice['id']));
    return invoice;
  }

  /** Tries to take the money of an open invoice, as Stripe does again and again. */
  attempt(id: string): void {
    const invoice = this.get(id);
    const due = Number(invoice['amount_due']);
    const { subscription } = (invoice['parent'] as { subscription_details: { subscription: string } })
      .subscription_details;
    const of = this.get(subscription);
    invoice['attempt_count'] = Number(invoice['attempt_count']) + 1;
    if (this.declines && due > 0) {
      of['status'] = 'past_due';
      this.say('invoice.payment_failed', invoice);
      this.say('customer.subscription.updated', of);
      return;
    }
    if (due > 0) this.#charge(invoice, due);
    Object.assign(invoice, {
      status: 'paid',
      amount_paid: due,
      status_transitions: { paid_at: this.#seconds() },
    });
    this.say('invoice.paid', invoice);
    if (of['status'] !== 'past_due') return;
    of['status'] = 'active';
    this.say('customer.subscription.updated', of);
  }

  #charge(invoice: Fields, cents: number): void {
    const intent = `pi_${text(invoice['id'])}`;
    const charge = this.#add('ch', 'charge', {
      customer: invoice['customer'],
      status: 'succeeded',
      payment_intent: intent,
      amount: cents,
      amount_captured: cents,
      amount_refunded: 0,
      disputed: false,
    });
    const payment = { type: 'payment_intent', payment_intent: intent };
    (invoice['payments'] as { data: Fields[] }).data.push({
      object: 'invoice_payment',
      status: 'paid',
      payment,
    });
    this.say('charge.succeeded', charge);
  }

  /** The charge of a paid invoice. */
  chargeOf(invoice: string): string {
    const charge = this.list('charge', { payment_intent: `pi_${invoice}` })[0];
    if (charge === undefined) throw bad('resource_missing');
    return text(charge['id']);
  }

  /** The period is over: the next one begins and is paid, or a canceled plan ends. */
  renew(id: string): void {
    const subscription = this.get(id);
    const item = this.#itemOf(subscription);
    if (subscription['cancel_at_period_end'] === true) return void this.end(id);
    item['current_period_start'] = item['current_period_end'];
    const price = item['price'] as Fields;
    item['current_period_end'] = after(
      Number(item['current_period_start']),
      (price['recurring'] as Fields)['interval'],
    );
    this.say('customer.subscription.updated', subscription);
    this.#invoice(subscription, [this.#line(price, item)]);
  }

  /** Ends a subscription now. */
  end(id: string): Fields {
    const subscription = this.get(id);
    if (subscription['status'] === 'canceled') throw bad('resource_missing');
    Object.assign(subscription, { status: 'canceled', ended_at: this.#seconds() });
    this.say('customer.subscription.deleted', subscription);
    return this.#shown(id);
  }

  cancelAtPeriodEnd(id: string, isCanceled: boolean): void {
    this.get(id)['cancel_at_period_end'] = isCanceled;
    this.say('customer.subscription.updated', this.get(id));
  }

  #changeSubscription(id: string, fields: Fields): Fields {
    const subscription = this.get(id);
    const price = text(items(fields['items'])[0]?.['price']);
    if (price !== '' && this.declines) throw new StripeRefusal(402, 'card_error', 'card_declined');
    if (fields['cancel_at_period_end'] !== undefined)
      subscription['cancel_at_period_end'] = isTrue(fields['cancel_at_period_end']);
    Object.assign(subscription['metadata'] as Fields, fields['metadata']);
    if (fields['discounts'] !== undefined) this.#discounts.delete(id);
    const coupon = text(items(fields['discounts'])[0]?.['coupon']);
    if (coupon !== '') this.#discount(id, coupon);
    if (price !== '') this.#changePrice(subscription, this.get(price));
    this.say('customer.subscription.updated', subscription);
    return this.#shown(id);
  }

  /** The part of what was paid last that is not used. */
  #unused(subscription: Fields): number {
    const item = this.#itemOf(subscription);
    const [start, end] = [Number(item['current_period_start']), Number(item['current_period_end'])];
    const before = this.list('invoice', { customer: text(subscription['customer']) })[0];
    return Math.round((Number(before?.['total'] ?? 0) * (end - this.#seconds())) / (end - start));
  }

  /** What a change of the price would come to. */
  #preview(fields: Fields): Fields {
    const subscription = this.get(text(fields['subscription']));
    const details = fields['subscription_details'] as Fields;
    const price = this.get(text(items(details['items'])[0]?.['price']));
    const coupon = text(items(fields['discounts'])[0]?.['coupon']);
    const percent = coupon === '' ? 0 : Number(this.get(coupon)['percent_off']);
    const full = Math.round((Number(price['unit_amount']) * (100 - percent)) / 100);
    const total = full - this.#unused(subscription);
    const balance = this.#balances.get(text(subscription['customer'])) ?? 0;
    return { object: 'invoice', total, amount_due: Math.max(0, total - balance), currency: 'usd' };
  }

  /** The unused part is taken off the first invoice of the new plan, and what is left of it later ones. */
  #changePrice(subscription: Fields, price: Fields): void {
    const unused = this.#unused(subscription);
    const item = this.#itemOf(subscription);
    const now = this.#seconds();
    const interval = (price['recurring'] as Fields)['interval'];
    Object.assign(item, {
      price: structuredClone(price),
      current_period_start: now,
      current_period_end: after(now, interval),
    });
    this.#invoice(subscription, [this.#line(price, item)], unused);
  }

  /** Gives money of a paid invoice back. `cents` 0: all that is left. */
  refund(invoice: string, cents = 0): void {
    this.#refunded(this.chargeOf(invoice), cents);
  }

  #refunded(id: string, cents: number): Fields {
    const charge = this.get(id);
    const left = Number(charge['amount_captured']) - Number(charge['amount_refunded']);
    if (left <= 0) throw bad('charge_already_refunded');
    const amount = cents === 0 ? left : cents;
    charge['amount_refunded'] = Number(charge['amount_refunded']) + amount;
    const made = this.#add('re', 'refund', { charge: id, amount, status: 'succeeded' });
    this.say('charge.refunded', charge);
    this.say('refund.created', made);
    return structuredClone(made);
  }

  /** A person tells their bank that they did not pay. */
  dispute(invoice: string): string {
    const charge = this.get(this.chargeOf(invoice));
    charge['disputed'] = true;
    const made = this.#add('du', 'dispute', {
      charge: charge['id'],
      amount: charge['amount_captured'],
      status: 'needs_response',
    });
    this.say('charge.dispute.created', made);
    return text(made['id']);
  }

  /** The bank decides. */
  decide(dispute: string, status: 'won' | 'lost'): void {
    this.get(dispute)['status'] = status;
    this.say('charge.dispute.closed', this.get(dispute));
  }
}
