// A server that stands in for Stripe: what the official SDK asks of it here, its hosted pages as plain HTML in which a browser can
// press "Pay", and signed events that are delivered when, how often and in which order the test says. It is not Stripe: taxes,
// bank checks and Stripe's own rules of proration are as simple as they can be.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { FakeBooks, type Fields, StripeRefusal } from './stripe-books.ts';
import { invoicePage, payPage, portalPage } from './stripe-pages.ts';

/** What every test server is configured with. */
export const STRIPE_TEST_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
export const STRIPE_TEST_SECRET = 'whsec_test_of_the_fake';

export interface StripeServer {
  readonly origin: string;
  /** Everything at Stripe, and what happens there. */
  readonly books: FakeBooks;
  /** Calls of the API, in order: `POST /v1/customers`. */
  readonly asked: string[];
  /** While true, every call fails as if Stripe were broken. */
  isDown: boolean;
  /** Called with each call before its answer is sent, which was decided already; null: nothing waits. */
  hold: ((call: string) => Promise<void>) | null;
  /** An event as it is sent: body and `Stripe-Signature`. `atSeconds`: when it was signed. */
  signed(
    event: Fields,
    secret?: string,
    atSeconds?: number,
  ): { readonly body: string; readonly signature: string };
  /** From now on every event is delivered there at once, as Stripe does, until it is taken. */
  deliverTo(webhook: string): void;
  /** Resolves when everything that happened was delivered. */
  delivered(): Promise<void>;
  /** Environment of a server that uses it. */
  environment(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** `a[b][0]=c` as objects; lists are objects with numbers. */
function nested(form: URLSearchParams): Fields {
  const root: Fields = {};
  for (const [name, value] of form) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    let at = root;
    for (const [index, key] of path.entries()) {
      if (index === path.length - 1) at[key] = value;
      else at = (at[key] ??= {}) as Fields;
    }
  }
  return root;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function show(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}

/** A page of Stripe's that a browser opens; false: there is none at this address. */
async function hosted(books: FakeBooks, url: URL, request: IncomingMessage, response: ServerResponse) {
  const [, kind, id = ''] = url.pathname.split('/');
  if (kind !== 'pay' && kind !== 'portal' && kind !== 'invoice') return false;
  const form = request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : null;
  const back = (to: string) => void response.writeHead(303, { location: to }).end();
  if (kind === 'invoice') show(response, invoicePage(books.get(id)));
  else if (kind === 'pay' && form !== null) {
    const isPaid = books.pay(id, { isDeclined: form.get('card') === 'declined' });
    if (isPaid) back(books.returnOf(id));
    else show(response, payPage(books, id, 'Your card was declined.'));
  } else if (kind === 'pay') show(response, payPage(books, id));
  else {
    if (form !== null) books.cancelAtPeriodEnd(String(form.get('subscription')), form.get('do') === 'cancel');
    show(response, portalPage(books, id));
  }
  return true;
}

/** Starts it on a free port. `now`: its clock, milliseconds; absent: the real one. */
export async function startStripeServer(now: () => number = Date.now): Promise<StripeServer> {
  const asked: string[] = [];
  const replies = new Map<
    string,
    { readonly request: string; readonly status: number; readonly body: unknown }
  >();
  const stripe = new Stripe(STRIPE_TEST_KEY);
  let delivering = Promise.resolve();
  let webhook: string | null = null;
  const state: { isDown: boolean; hold: StripeServer['hold'] } = { isDown: false, hold: null };

  const signed = (event: Fields, secret = STRIPE_TEST_SECRET, atSeconds = Math.floor(Date.now() / 1_000)) => {
    const payload = JSON.stringify(event);
    const header = { payload, secret, timestamp: atSeconds };
    return { body: payload, signature: stripe.webhooks.generateTestHeaderString(header) };
  };

  async function deliver(event: Fields): Promise<void> {
    for (let attempt = 0; webhook !== null && attempt < 20; attempt += 1) {
      const { body, signature } = signed(event);
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      const answer = await fetch(webhook, { method: 'POST', body, headers }).catch(() => null);
      if (answer?.ok === true) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const books = new FakeBooks(now, (event) => {
    if (webhook !== null) delivering = delivering.then(() => deliver(event));
  });

  function called(request: IncomingMessage, url: URL, text: string): { status: number; body: unknown } {
    if (request.headers.authorization !== `Bearer ${STRIPE_TEST_KEY}`)
      return {
        status: 401,
        body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
      };
    const fields = nested(request.method === 'GET' ? url.searchParams : new URLSearchParams(text));
    try {
      return {
        status: 200,
        body: books.call(String(request.method), url.pathname.replace('/v1/', ''), fields),
      };
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const { status, type, code, message } = error;
      return { status, body: { error: { type, code, message } } };
    }
  }

  const server = createServer((request, response) => {
    const answer = async () => {
      const url = new URL(request.url ?? '/', books.origin);
      if (await hosted(books, url, request, response)) return;
      const text = await bodyOf(request);
      asked.push(`${request.method} ${url.pathname}`);
      if (state.isDown) return send(response, 500, { error: { type: 'api_error', message: 'Down.' } });
      const key = request.headers['idempotency-key'];
      const said = `${request.method} ${url.pathname} ${text}`;
      const before = typeof key === 'string' ? replies.get(key) : undefined;
      if (before !== undefined && before.request !== said)
        return send(response, 400, { error: { type: 'idempotency_error', message: 'Another request.' } });
      const reply = before ?? called(request, url, text);
      if (typeof key === 'string') replies.set(key, { ...reply, request: said });
      await state.hold?.(`${request.method} ${url.pathname}`);
      send(response, reply.status, reply.body);
    };
    answer().catch((error: unknown) =>
      send(response, 500, { error: { type: 'api_error', message: String(error) } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  books.origin = origin;
  return {
    origin,
    books,
    asked,
    get isDown() {
      return state.isDown;
    },
    set isDown(isDown) {
      state.isDown = isDown;
    },
    get hold() {
      return state.hold;
    },
    set hold(hold) {
      state.hold = hold;
    },
    signed,
    deliverTo(to) {
      webhook = to;
    },
    async delivered() {
      let before: Promise<void> | null = null;
      while (before !== delivering) {
        before = delivering;
        await before;
      }
    },
    environment: () => ({
      BILLING: 'on',
      STRIPE_SECRET_KEY: STRIPE_TEST_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_TEST_SECRET,
      STRIPE_URL: origin,
    }),
    async close() {
      webhook = null;
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
