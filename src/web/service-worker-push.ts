// The part of the service worker that is about reminders and notices: shows what the server sends while the app is closed, and hands
// what the person does about a notice to an open app, or opens one. It imports nothing that a page also loads: the worker has
// to be one file.
import type { AnswerMessage, NoticeMessage, PushMessage, ReminderAnswer } from '#wire/push.ts';

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null;
}

interface NotificationEvent extends ExtendableEvent {
  readonly action: string;
  readonly notification: Notification & { readonly data: unknown };
}

interface PageClient {
  readonly url: string;
  readonly focused: boolean;
  readonly visibilityState: string;
  focus(): Promise<PageClient>;
  postMessage(message: AnswerMessage): void;
}

export interface PushScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(
    type: 'notificationclick' | 'notificationclose',
    listener: (event: NotificationEvent) => void,
  ): void;
}

interface NoticeOptions extends NotificationOptions {
  readonly actions: readonly { readonly action: ReminderAnswer; readonly title: string }[];
}

const ICON = '/app/icons/icon-192.png';
/** One notice per task: a later one takes its place. */
const tagOf = (task: string) => `reminder:${task}`;

function noticeOptions(task: string, at: number, body: string): NoticeOptions {
  return {
    body,
    tag: tagOf(task),
    icon: ICON,
    badge: ICON,
    data: { task, at },
    actions: [
      { action: 'complete', title: 'Complete' },
      { action: 'snooze', title: 'Snooze 10 min' },
    ],
  };
}

/** Nothing rings: it can be opened, and waving it away is no answer. */
function toldOptions(task: string, body: string): NotificationOptions {
  return { body, tag: `told:${task}`, icon: ICON, badge: ICON, data: { told: task } };
}

/** The address that opens the app with an answer to a reminder. */
function answerAddress(task: string, answer: ReminderAnswer): string {
  return `/app/?reminder=${answer}&task=${encodeURIComponent(task)}`;
}

const ANSWERS: ReadonlySet<string> = new Set<ReminderAnswer>(['open', 'complete', 'snooze', 'dismiss']);
const SAFARI = /^((?!chrome|chromium|android).)*safari/i;

function isMessage(value: unknown): value is PushMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { type, task } = value as Readonly<Record<string, unknown>>;
  return (type === 'ring' || type === 'close' || type === 'told') && typeof task === 'string';
}

function isAsked(value: unknown): value is NoticeMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { type, task } = value as Readonly<Record<string, unknown>>;
  return (type === 'notice' || type === 'close') && typeof task === 'string';
}

function readMessage({ data }: PushEvent): PushMessage | null {
  try {
    const value = data?.json();
    return isMessage(value) ? value : null;
  } catch {
    // Not JSON: not from a server of this version.
    return null;
  }
}

function aboutOf({ notification }: NotificationEvent) {
  const { task, told } = (notification.data ?? {}) as Readonly<Record<string, unknown>>;
  const about = task ?? told;
  return typeof about === 'string' ? { task: about, isTold: about === told } : null;
}

class Notices {
  readonly #worker: PushScope;

  constructor(worker: PushScope) {
    this.#worker = worker;
  }

  async pushed(event: PushEvent): Promise<void> {
    const message = readMessage(event);
    if (message?.type === 'close') return this.#close(message.task);
    // A browser that was woken must have something to show.
    if (message === null)
      return this.#worker.registration.showNotification('Posthaste', { body: 'You have a reminder.' });
    // Who looks at the app sees it there. Safari takes the permission away when a push shows nothing.
    const isLooking = (await this.#pages()).some(
      ({ focused, visibilityState }) => focused && visibilityState === 'visible',
    );
    if (isLooking && !SAFARI.test(navigator.userAgent)) return;
    const { title, body } = message.notification;
    const options =
      message.type === 'told'
        ? toldOptions(message.task, body)
        : noticeOptions(message.task, message.at, body);
    await this.#worker.registration.showNotification(title, options);
  }

  /** An open app that cannot be seen has something to show, or something to take away. */
  async asked(message: NoticeMessage): Promise<void> {
    if (message.type === 'close') return this.#close(message.task);
    const { task, title, body } = message;
    await this.#worker.registration.showNotification(title, noticeOptions(task, Date.now(), body));
  }

  /** Pressed: an open app does it, else one is opened for it. */
  async answered(task: string, answer: ReminderAnswer): Promise<void> {
    const [page] = await this.#pages();
    if (!page) {
      await this.#worker.clients.openWindow(answerAddress(task, answer));
      return;
    }
    page.postMessage({ type: 'reminder', answer, task });
    if (answer === 'open') await page.focus();
  }

  /** Waved away: with an app open it does it, else the server is told. */
  async waved(task: string): Promise<void> {
    const [page] = await this.#pages();
    if (page) {
      page.postMessage({ type: 'reminder', answer: 'dismiss', task });
      return;
    }
    await fetch('/app/api/push/dismiss', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ task }),
    });
  }

  async #pages(): Promise<readonly PageClient[]> {
    const all = await this.#worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
    return all.filter(({ url }) => /^\/app\/?$/.test(new URL(url).pathname));
  }

  async #close(task: string): Promise<void> {
    const shown = await this.#worker.registration.getNotifications({ tag: tagOf(task) });
    for (const notice of shown) notice.close();
  }
}

/** Starts listening. */
export function listenToPush(worker: PushScope): void {
  const notices = new Notices(worker);
  const complain = (error: unknown) => console.warn('A notice failed.', error);
  worker.addEventListener('message', ({ data }) => {
    if (isAsked(data)) notices.asked(data).catch(complain);
  });
  worker.addEventListener('push', (event) => event.waitUntil(notices.pushed(event)));
  worker.addEventListener('notificationclick', (event) => {
    const about = aboutOf(event);
    const answer = ANSWERS.has(event.action) ? (event.action as ReminderAnswer) : 'open';
    event.notification.close();
    if (about) event.waitUntil(notices.answered(about.task, answer));
  });
  worker.addEventListener('notificationclose', (event) => {
    const about = aboutOf(event);
    // Without a network the notice is gone here; the others stay.
    if (about && !about.isTold) event.waitUntil(notices.waved(about.task).catch(complain));
  });
}
