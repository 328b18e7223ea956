// Reminders outside the app: what a browser tells the server so that it can be reached (`/app/api/push`), and what the
// server then sends to its service worker. JSON.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

export const pushLimits = {
  /** The server reads no more of a request. */
  requestBytes: 8 * 1024,
  endpointCharacters: 1_024,
  /** Push services need not take more than 4,096 bytes, of which encryption takes some. */
  messageBytes: 3_000,
  titleCharacters: 200,
} as const;

const base64Schema = (bytes: number) =>
  z.string().check(
    z.regex(/^[A-Za-z0-9_-]+={0,2}$/, 'is not base64url'),
    z.refine(
      (text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) === bytes,
      `is not ${bytes} bytes`,
    ),
  );

/** `POST /app/api/push`: makes the subscription of this endpoint, or renews it. */
export const subscribeSchema = z.object({
  endpoint: z.string().check(z.minLength(1), z.maxLength(pushLimits.endpointCharacters)),
  /** The browser's public key, and the secret of the subscription, as `PushSubscription.toJSON()` gives them. */
  p256dh: base64Schema(65),
  auth: base64Schema(16),
  /** IANA zone of the device: days and times without a zone are meant there. */
  zone: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Whether what is sent may name tasks. */
  titles: z.boolean(),
});
export type Subscribe = z.infer<typeof subscribeSchema>;

/** Answer of `GET /app/api/push`. */
export const pushKeySchema = z.object({
  success: z.literal(true),
  /** The application server key, base64url. */
  publicKey: z.string(),
});

export type PushKeyAnswer = z.infer<typeof pushKeySchema>;

/** Answer of `POST /app/api/push`; `DELETE /app/api/push/:push` ends it. */
const subscribedSchema = z.object({ success: z.literal(true), id: idSchema });
export type Subscribed = z.infer<typeof subscribedSchema>;

/** `POST /app/api/push/dismiss`: the reminders of a task are dealt with, said by a notice while no app is open. */
export const dismissSchema = z.object({ task: idSchema });

/**
 * What arrives in the service worker. `ring` is also a declarative message (`web_push: 8030`), which browsers that know it
 * show by themselves.
 */
export interface RingMessage {
  readonly web_push: 8030;
  readonly notification: {
    readonly title: string;
    readonly body: string;
    /** Opens the task. */
    readonly navigate: string;
    /** One notice per task: a later one takes its place. */
    readonly tag: string;
  };
  readonly type: 'ring';
  readonly task: string;
  /** The moment it was to ring. */
  readonly at: number;
}

/** The reminders of a task were dealt with elsewhere. */
export interface CloseMessage {
  readonly type: 'close';
  readonly task: string;
}

export type PushMessage = RingMessage | CloseMessage;

/** What a notice asks of an open app, and the query of the address that opens one. */
export const answers = ['open', 'complete', 'snooze', 'dismiss'] as const;
export type ReminderAnswer = (typeof answers)[number];

/** What the service worker asks of an open app. */
export interface AnswerMessage {
  readonly type: 'reminder';
  readonly answer: ReminderAnswer;
  readonly task: string;
}

/** What an app asks of the service worker, which shows all notices. */
export type NoticeMessage =
  | { readonly type: 'notice'; readonly task: string; readonly title: string; readonly body: string }
  | CloseMessage;
