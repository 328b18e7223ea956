// What rings, as it is shown and told: one banner at a time in the app, a notice outside while the app cannot be seen, and
// the number on the icon. What the person does about it is acts.ts.
import type { Id } from '#core/ids.ts';
import type { Ring } from '#core/reminders.ts';
import type { When } from '#core/when.ts';
import type { RowChange } from '#sync/replica-types.ts';
import { isDone, isTrashed } from '#sync/row-reading.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { ReminderBannerView } from '../view.ts';
import { ReminderBook } from './book.ts';
import { iconNumber } from '../settings/badge.ts';
import { reminderContext } from './context.ts';

/** A ring found later than this was missed: whoever was to be told outside the app has been, or never will be. */
const FRESH_MS = 90_000;

/** Where it is remembered, on this device, what the person wants to hear no more of: being asked, or being blocked. */
export const NOT_NOW = 'reminderNotices';

const BUTTONS: ReminderBannerView['actions'] = [
  { title: 'Open', command: 'reminder.open' },
  { title: 'Complete', command: 'reminder.complete' },
  { title: 'Snooze 10 min', command: 'reminder.snooze' },
  { title: 'Dismiss', command: 'reminder.dismiss' },
];

const ASKS =
  'Your browser will ask whether Posthaste may show notifications. Only reminders you set are shown.';

/** Why reminders show in the app alone. */
export const BLOCKED =
  'Notifications are blocked for this site. Reminders show while Posthaste is open; allow notifications in the browser’s settings for this site to get them when it is closed.';

const BLOCKED_OFFER: ReminderBannerView = {
  kind: 'offer',
  id: 'blocked',
  title: 'Reminders show here only',
  text: BLOCKED,
  more: 0,
  actions: [{ title: 'Understood', command: 'reminder.notNow' }],
};

/** Without an account nobody but an open app can tell. */
function offerOf(hasAccount: boolean): ReminderBannerView {
  return {
    kind: 'offer',
    id: 'offer',
    title: hasAccount ? 'Remind you when Posthaste is closed?' : 'Remind you outside of Posthaste, too?',
    text: hasAccount ? ASKS : `${ASKS} It must stay open in a tab; with an account it may be closed.`,
    more: 0,
    actions: [
      { title: 'Turn on notifications', command: 'reminder.notify' },
      { title: 'Not now', command: 'reminder.notNow' },
    ],
  };
}

export class Bell {
  readonly #program: Program;
  readonly #book: ReminderBook;
  /** Rings that were told, by task and moment. */
  readonly #told = new Set<string>();
  /** Tasks that ring, and are not hidden with something above them. */
  #shown: readonly (readonly [Id, Ring])[] = [];
  #isOffering = false;
  #badge: number | null = null;

  constructor(program: Program) {
    this.#program = program;
    const { replica, clock, engine, platform } = program;
    this.#book = new ReminderBook({
      replica,
      context: () => reminderContext(program),
      wakeAt: (at) => clock.wakeAt(at),
    });
    // Not before all rows are here is anything known to be over.
    void engine.loaded().then(() => this.#sweep());
    if (this.#book.size > 0 && platform.notifications.permission() === 'granted') this.#subscribe();
  }

  /** What the banner is about; null: nothing rings. */
  get first(): Id | null {
    return this.#shown[0]?.[0] ?? null;
  }

  get all(): readonly Id[] {
    return this.#shown.map(([id]) => id);
  }

  apply(changes: readonly RowChange[]): void {
    this.#book.apply(changes);
  }

  tick(): void {
    this.#book.tick();
  }

  /** The person set a reminder: now is the time to offer notices outside the app. */
  offer(): void {
    const { platform } = this.#program;
    const permission = platform.notifications.permission();
    if (permission === 'granted') this.#subscribe();
    else if (permission !== 'unsupported')
      this.#isOffering = platform.preferences.get(NOT_NOW) !== permission;
  }

  endOffer(): void {
    this.#isOffering = false;
  }

  /** What is drawn now; tells what is new. */
  settle(): ReminderBannerView | null {
    const { workspace, platform } = this.#program;
    const before = this.#shown;
    const { ringing } = this.#book;
    if (ringing.length > 0 || before.length > 0) {
      this.#shown = ringing.filter(([id]) => !workspace.facts.isHidden(id));
      const still = new Set(this.all);
      for (const [id] of before) if (!still.has(id)) platform.notifications.close(id);
      for (const [id, ring] of this.#shown) this.#tell(id, ring);
    }
    const count = this.#numberNow();
    if (count !== null && count !== this.#badge) {
      this.#badge = count;
      platform.notifications.badge(count);
    }
    const [shown] = this.#shown;
    if (shown) return this.#banner(shown[0], shown[1]);
    if (!this.#isOffering) return null;
    const isBlocked = platform.notifications.permission() === 'denied';
    return isBlocked ? BLOCKED_OFFER : offerOf(platform.account.email !== null);
  }

  /** Null while it is not known. */
  #numberNow(): number | null {
    const { settings, smart, counts, workspace } = this.#program;
    const what = settings.get(iconNumber);
    if (what === 'off') return 0;
    return what === 'inbox' ? counts.of(workspace.inbox) : smart.dueCount();
  }

  #banner(id: Id, ring: Ring): ReminderBannerView {
    return {
      kind: 'ring',
      id,
      title: this.#titleOf(id),
      text: this.#textOf(id, ring),
      more: this.#shown.length - 1,
      actions: BUTTONS,
    };
  }

  #titleOf(id: Id): string {
    return nameOf(this.#program.replica.row(id)) || 'Untitled';
  }

  /** "Due today, 17:00"; what it was to ring for where it has no due date. */
  #textOf(id: Id, ring: Ring): string {
    const context = this.#program.moment();
    const due = (this.#program.replica.row(id)?.fields.due ?? null) as When | null;
    if (due === null) {
      const at = { at: ring.moment, zone: context.zone };
      return `Reminder for ${sayWhen(at, context).text}`;
    }
    const { text, distance, isPast } = sayWhen(due, context);
    return `${isPast ? 'Was due' : 'Due'} ${text} (${distance})`;
  }

  #tell(id: Id, ring: Ring): void {
    const key = `${id} ${ring.moment} ${ring.at}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const { messages, platform, replica } = this.#program;
    const title = this.#titleOf(id);
    const body = this.#textOf(id, ring);
    messages.announce(`Reminder: ${title}. ${body}.`);
    if (replica.now() - ring.at < FRESH_MS) platform.notifications.show({ task: id, title, body });
  }

  /** Takes away notices of what was dealt with elsewhere while the app was closed. */
  async #sweep(): Promise<void> {
    const { platform, replica } = this.#program;
    for (const id of await platform.notifications.shown()) {
      const row = replica.row(id);
      const isOver = row !== undefined && (isDone(row) || isTrashed(row) || this.#book.has(id));
      if (isOver && !this.all.includes(id)) platform.notifications.close(id);
    }
  }

  #subscribe(): void {
    // Where it fails the app still rings; it is tried again at the next start.
    void this.#program.platform.notifications.subscribe();
  }
}
