// The plan of the account over the web routes of our server, and the news of it: from the live socket, and from other tabs of this browser.
import type * as z from 'zod/mini';
import { failed, ok, type Result } from '#core/result.ts';
import type { PlanPort } from '#client/plan/port.ts';
import {
  addressAnswerSchema,
  billingPaths,
  changePreviewSchema,
  checkoutAnswerSchema,
  invoicesAnswerSchema,
  planAnswerSchema,
  planMessageSchema,
} from '#wire/billing.ts';
import { askServer, NOT_UNDERSTOOD, OFFLINE } from '../account/asking.ts';
import { callServer, type Call } from '../account/http.ts';
import { liveLine } from '../account/live-line.ts';

/** The server asks the payment service meanwhile. */
const TIMEOUT_MS = 30_000;
const CHANNEL = 'posthaste-plan';
const NOT_FOUND = 404;
const UNSURE =
  'No answer came in time. Your plan may have changed all the same: look at what it says here before you try again.';

const ask = <T>(schema: z.ZodMiniType<T>, method: Call['method'], path: string, body?: unknown) =>
  askServer(schema, { method, path, timeoutMs: TIMEOUT_MS, body });

/** Only what is an address of the web is opened. */
function pageOf(answer: Result<{ readonly url: string }, string>): Result<string, string> {
  if (!answer.ok) return answer;
  const url = URL.parse(answer.value.url);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? ok(url.href) : failed(NOT_UNDERSTOOD);
}

function listen(changed: () => void): () => void {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
  channel?.addEventListener('message', changed);
  const hangUp = liveLine.listen({
    heard(message) {
      if (!planMessageSchema.safeParse(message).success) return;
      changed();
      // One tab has the socket.
      channel?.postMessage('changed');
    },
    // What was said while nobody listened.
    opened: changed,
  });
  return () => {
    hangUp();
    channel?.close();
  };
}

function tell(): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

/** Asks the server that this app is of. */
export const createPlanPort = (): PlanPort => ({
  async read() {
    const answer = await ask(planAnswerSchema, 'GET', billingPaths.plan);
    return answer.ok ? ok(answer.value.plan) : answer;
  },
  async isOffered() {
    const reply = await callServer({ method: 'GET', path: billingPaths.plan, timeoutMs: TIMEOUT_MS });
    return reply.type === 'none' ? null : reply.status !== NOT_FOUND;
  },
  checkout: async (interval) =>
    pageOf(await ask(addressAnswerSchema, 'POST', billingPaths.checkout, { interval })),
  outcome: (session) =>
    ask(checkoutAnswerSchema, 'GET', billingPaths.session.replace(':session', encodeURIComponent(session))),
  portal: async () => pageOf(await ask(addressAnswerSchema, 'POST', billingPaths.portal)),
  preview: (interval) => ask(changePreviewSchema, 'POST', billingPaths.preview, { interval }),
  async change(interval) {
    const answer = await ask(planAnswerSchema, 'POST', billingPaths.change, { interval });
    if (!answer.ok && answer.problem === OFFLINE) return failed(UNSURE);
    return answer.ok ? ok(answer.value.plan) : answer;
  },
  async invoices() {
    const answer = await ask(invoicesAnswerSchema, 'GET', billingPaths.invoices);
    return answer.ok ? ok(answer.value.invoices) : answer;
  },
  listen,
  tell,
});
