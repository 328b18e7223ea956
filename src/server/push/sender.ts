// Sends one message to one push service and reports the outcome. Follows no redirect, has a timeout, and reads only the
// status of an answer.
import { Agent, request } from 'node:https';
import webPush from 'web-push';
import { pushLimits } from '#wire/push.ts';
import { AddressRefused, type EndpointGuard } from './guard.ts';
import type { PushKeys } from './keys.ts';

const TIMEOUT_MS = 15_000;

export interface Destination {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface Outgoing {
  /** JSON. */
  readonly payload: string;
  /** How long the service keeps it for an offline browser, seconds. */
  readonly ttl: number;
  /** A later message with the same topic replaces one not delivered yet. */
  readonly topic: string;
}

/** `gone`: the subscription is permanently invalid. `later`: a retry may work, at the earliest after so long. */
export type Sent =
  | { readonly type: 'sent' }
  | { readonly type: 'gone'; readonly status: number }
  | { readonly type: 'later'; readonly status: number; readonly afterMs: number }
  | { readonly type: 'refused'; readonly status: number };

export interface PushSender {
  send(to: Destination, message: Outgoing): Promise<Sent>;
  close(): void;
}

export interface SenderPorts {
  readonly guard: EndpointGuard;
  readonly keys: () => Promise<PushKeys>;
  /** Contact for problems with this server: a `mailto:` or `https:` URL. */
  readonly contact: string;
  /** Additionally trusted certificates; tests run their own push service. */
  readonly ca?: string;
}

function readStatus(status: number, retryAfter: string | undefined): Sent {
  if (status >= 200 && status < 300) return { type: 'sent' };
  if (status === 404 || status === 410) return { type: 'gone', status };
  if (status === 429 || status >= 500) {
    const seconds = Number(retryAfter ?? '');
    return { type: 'later', status, afterMs: Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0 };
  }
  return { type: 'refused', status };
}

export function createPushSender({ guard, keys, contact, ca }: SenderPorts): PushSender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, lookup: guard.lookup, ...(ca ? { ca } : {}) });

  function transfer(to: Destination, details: ReturnType<typeof webPush.generateRequestDetails>) {
    return new Promise<Sent>((resolve) => {
      const headers = details.headers as Record<string, string | number>;
      const call = request(to.endpoint, { method: 'POST', headers, agent, timeout: TIMEOUT_MS }, (answer) => {
        answer.resume();
        resolve(readStatus(answer.statusCode ?? 0, answer.headers['retry-after']));
      });
      const deadline = setTimeout(() => call.destroy(new Error('No answer in time.')), TIMEOUT_MS);
      call.on('close', () => clearTimeout(deadline));
      call.on('timeout', () => call.destroy(new Error('No answer in time.')));
      call.on('error', (error) =>
        resolve(
          error instanceof AddressRefused
            ? { type: 'gone', status: 0 }
            : { type: 'later', status: 0, afterMs: 0 },
        ),
      );
      call.end(details.body);
    });
  }

  return {
    async send(to, { payload, ttl, topic }) {
      if (guard.problem(to.endpoint) !== null) return { type: 'gone', status: 0 };
      if (Buffer.byteLength(payload) > pushLimits.messageBytes) return { type: 'refused', status: 413 };
      const vapidDetails = { subject: contact, ...(await keys()) };
      const details = webPush.generateRequestDetails(
        { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
        payload,
        { vapidDetails, TTL: ttl, urgency: 'high', topic, contentEncoding: 'aes128gcm' },
      );
      return transfer(to, details);
    },
    close: () => agent.destroy(),
  };
}
