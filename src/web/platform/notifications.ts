// Reminders outside the page: the push subscription of this device, notices, and what the person does about them.
// A lazy chunk; notices-port.ts is its door.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import { parseId } from '#core/ids.ts';
import type { NotificationPort } from '#client/reminders/port.ts';
import {
  answers,
  type AnswerMessage,
  type NoticeMessage,
  pushKeySchema,
  type ReminderAnswer,
  type Subscribe,
} from '#wire/push.ts';
import { callServer } from './account/http.ts';

const SCOPE = '/app';
const TIMEOUT_MS = 20_000;
const NOT_REACHED = 'Notifications are on. Couldn’t reach the server yet. We’ll try again at the next start.';
const NOT_HERE =
  'You get notifications while Posthaste is open in a tab. This browser doesn’t accept any from a server.';

async function registered(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  return (await navigator.serviceWorker.getRegistration(SCOPE)) ?? null;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function sameBytes(a: ArrayBuffer | null | undefined, b: Uint8Array): boolean {
  if (!a || a.byteLength !== b.length) return false;
  const bytes = new Uint8Array(a);
  return b.every((byte, index) => bytes[index] === byte);
}

/** The subscription with this server's key; one made with another key is of no use and is replaced. */
async function subscribeTo(
  registration: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const key = bytesOf(publicKey);
  const known = await registration.pushManager.getSubscription();
  if (known && sameBytes(known.options.applicationServerKey, key)) return known;
  await known?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function publicKeyOf(): Promise<string | null> {
  const reply = await callServer({ method: 'GET', path: '/app/api/push', timeoutMs: TIMEOUT_MS });
  if (reply.type === 'none') return null;
  const read = pushKeySchema.safeParse(reply.body);
  return read.success ? read.data.publicKey : null;
}

async function tell(subscription: PushSubscription, titles: boolean): Promise<boolean> {
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const body: Subscribe = { endpoint: endpoint ?? '', p256dh, auth, zone, titles };
  const reply = await callServer({ method: 'POST', path: '/app/api/push', body, timeoutMs: TIMEOUT_MS });
  return reply.type === 'answer' && reply.status === 200;
}

/** Tells the server where this device can be reached. Null: done; else why not. */
export async function subscribe(titles: boolean): Promise<string | null> {
  const registration = await registered();
  if (!registration || !('pushManager' in registration)) return NOT_HERE;
  const key = await publicKeyOf();
  if (key === null) return NOT_REACHED;
  try {
    const subscription = await subscribeTo(registration, key);
    return (await tell(subscription, titles)) ? null : NOT_REACHED;
  } catch (error) {
    // The browser's own push service refused or cannot be reached.
    console.warn('This browser couldn’t subscribe to reminders.', error);
    return NOT_HERE;
  }
}

async function askWorker(message: NoticeMessage): Promise<void> {
  (await registered())?.active?.postMessage(message);
}

export async function showNotice(
  { task, title, body }: Parameters<NotificationPort['show']>[0],
  titles: boolean,
): Promise<void> {
  const words = titles ? { title, body } : { title: 'Reminder', body: '' };
  await askWorker({ type: 'notice', task, ...words });
}

export async function closeNotice(task: Id): Promise<void> {
  await askWorker({ type: 'close', task });
}

/** Tasks a notice of which is shown. */
export async function shownNotices(): Promise<readonly Id[]> {
  const shown = (await (await registered())?.getNotifications()) ?? [];
  return shown.flatMap(({ data }) => {
    const { task } = (data ?? {}) as Readonly<Record<string, unknown>>;
    return (typeof task === 'string' ? parseId(task) : null) ?? [];
  });
}

function isAnswer(text: unknown): text is ReminderAnswer {
  return answers.some((known) => known === text);
}

/** What the person does about notices reaches the app. The returned function stops it. */
export function followNotices(app: App): () => void {
  const answer = (task: Id, what: ReminderAnswer) => {
    // Its row may be read later than the first ones.
    void app.engine.loaded().then(() => app.run('reminder.answer', { task, answer: what }));
  };
  const listen = ({ data }: MessageEvent<Partial<AnswerMessage> | null>) => {
    const task = typeof data?.task === 'string' ? parseId(data.task) : null;
    if (data?.type === 'reminder' && task && isAnswer(data.answer)) answer(task, data.answer);
  };
  navigator.serviceWorker?.addEventListener('message', listen);
  const query = new URLSearchParams(location.search);
  const [what, task] = [query.get('reminder'), parseId(query.get('task') ?? '')];
  if (task && isAnswer(what)) {
    // Once: a reload must not complete the next occurrence.
    history.replaceState(history.state, '', location.pathname);
    answer(task, what);
  }
  return () => navigator.serviceWorker?.removeEventListener('message', listen);
}
