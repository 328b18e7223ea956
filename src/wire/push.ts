// Reminders outside the app: how a browser subscribes with the server (`/app/api/push`), and what the server then sends
// to its service worker. JSON.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

/** Limits of push subscriptions and messages. */
export const pushLimits = {
  /** The server reads only this much of a request. */
  requestBytes: 8 * 1024,
  endpointCharacters: 1_024,
  /** Push services must accept only 4,096 bytes, and encryption takes some of them. */
  messageBytes: 3_000,
  titleCharacters: 200,
} as const;

const base64Schema = (bytes: number) =>
  z.string().check(
    z.regex(/^[A-Za-z0-9_-]+={0,2}$/, "isn't base64url"),
    z.refine(
      (text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) === bytes,
      `isn't ${bytes} bytes`,
    ),
  );

/** Body of `POST /app/api/push`: creates the subscription of this endpoint, or renews it. */
export const subscribeSchema = z.object({
  endpoint: z.string().check(z.minLength(1), z.maxLength(pushLimits.endpointCharacters)),
  /** The browser's public key, and the secret of the subscription, as `PushSubscription.toJSON()` gives them. */
  p256dh: base64Schema(65),
  auth: base64Schema(16),
  /** IANA zone of the device, for days and times without a zone. */
  zone: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Whether messages may name tasks. */
  titles: z.boolean(),
});
/** A browser's push subscription, as it is registered with the server. */
export type Subscribe = z.infer<typeof subscribeSchema>;

/** Answer of `GET /app/api/push`. */
export const pushKeySchema = z.object({
  success: z.literal(true),
  /** The application server key, base64url. */
  publicKey: z.string(),
});

/** The key that a browser needs to subscribe. */
export type PushKeyAnswer = z.infer<typeof pushKeySchema>;

/** Answer of `POST /app/api/push`; `DELETE /app/api/push/:push` ends it. */
const subscribedSchema = z.object({ success: z.literal(true), id: idSchema });
/** The subscription as the server knows it; `id` ends it. */
export type Subscribed = z.infer<typeof subscribedSchema>;

/** Body of `POST /app/api/push/dismiss`: a notice dismissed the reminders of a task while no app was open. */
export const dismissSchema = z.object({ task: idSchema });

/**
 * A reminder for the service worker. It is also a declarative message (`web_push: 8030`), which browsers that know it
 * show by themselves.
 */
export interface RingMessage {
  readonly web_push: 8030;
  readonly notification: {
    readonly title: string;
    readonly body: string;
    /** Opens the task. */
    readonly navigate: string;
    /** One notice per task: a later one replaces it. */
    readonly tag: string;
  };
  readonly type: 'ring';
  readonly task: string;
  /** The moment it was due to ring. */
  readonly at: number;
}

/** The reminders of a task were dealt with elsewhere. */
export interface CloseMessage {
  readonly type: 'close';
  readonly task: string;
}

/** Somebody has mentioned the person in a comment, or given them the task. Declarative, too. */
export interface ToldMessage extends Pick<RingMessage, 'web_push' | 'notification' | 'task'> {
  readonly type: 'told';
}

/** Any message of the server to the service worker. */
export type PushMessage = RingMessage | CloseMessage | ToldMessage;

/** Answers of a notice to an open app, and the query of the address that opens one. */
export const answers = ['open', 'complete', 'snooze', 'dismiss'] as const;
/** A person's choice on a notice. */
export type ReminderAnswer = (typeof answers)[number];

/** An answer that the service worker passes to an open app. */
export interface AnswerMessage {
  readonly type: 'reminder';
  readonly answer: ReminderAnswer;
  readonly task: string;
}

/** Requests of an app to the service worker, which shows all notices. */
export type NoticeMessage =
  | { readonly type: 'notice'; readonly task: string; readonly title: string; readonly body: string }
  | CloseMessage;
