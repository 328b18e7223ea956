// Alerts: one banner at a time in the app, a notification outside while the app is hidden, and the number on the icon.
// Actions on them are in acts.ts.
import type { Id } from '#core/ids.ts';
import { whenOf } from '#core/calendar/blocks.ts';
import type { Ring } from '#core/reminders.ts';
import type { When } from '#core/when.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { isDone, isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { sayBlock } from '../blocks/words.ts';
import { nameOf } from '../outline/row-facts.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { ReminderBannerView } from '../app/view.ts';
import { ReminderBook } from './book.ts';
import { iconNumber } from '../settings/badge.ts';
import { reminderContext } from './context.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { smartLists } from '../search/smart-lists.ts';
import { Waking } from './waking.ts';

/** An alert found later than this was missed: a notification outside the app was sent already, or never will be. */
const FRESH_MS = 90_000;

/** Device preference for dismissed offers: asking for permission, or the note that it is blocked. */
export const NOT_NOW = 'reminderNotices';

const BUTTONS: ReminderBannerView['actions'] = [
  { title: 'Open', command: 'reminder.open' },
  { title: 'Complete', command: 'reminder.complete' },
  { title: 'Snooze 10 min', command: 'reminder.snooze' },
  { title: 'Dismiss', command: 'reminder.dismiss' },
];

const ASKS =
  'Your browser will ask to allow notifications. You’ll get the reminders you set, the start of time you plan, and word of mentions and tasks in shared lists.';

/** Explains why reminders show in the app only. */
export const BLOCKED =
  'Notifications are blocked for this site. Reminders show while Posthaste is open. To get them when it’s closed, allow notifications in your browser’s settings.';

const BLOCKED_OFFER: ReminderBannerView = {
  kind: 'offer',
  id: 'blocked',
  title: 'Reminders only show here',
  text: BLOCKED,
  more: 0,
  actions: [{ title: 'Understood', command: 'reminder.notNow' }],
};

/** Without an account, only an open app can notify. */
function offerOf(hasAccount: boolean): ReminderBannerView {
  return {
    kind: 'offer',
    id: 'offer',
    title: hasAccount ? 'Remind you when Posthaste is closed?' : 'Remind you outside Posthaste?',
    text: hasAccount ? ASKS : `${ASKS} Keep a tab open. With an account, you can close it.`,
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
  readonly #waking: Waking;
  /** Alerts that were announced, by task and moment. */
  readonly #told = new Set<string>();
  /** Ringing tasks whose ancestors are not hidden. */
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
    this.#waking = new Waking(program);
    // Before all rows are loaded, no alert is known to be over.
    void engine.loaded().then(() => this.#sweep());
    if (this.#book.size > 0 && platform.notifications.permission() === 'granted') this.#subscribe();
  }

  /** The task of the banner; null: nothing rings. */
  get first(): Id | null {
    return this.#shown[0]?.[0] ?? null;
  }

  get all(): readonly Id[] {
    return this.#shown.map(([id]) => id);
  }

  apply(changes: readonly RowChange[]): void {
    this.#book.apply(changes);
    this.#waking.apply(changes);
  }

  tick(): void {
    this.#book.tick();
    this.#waking.tick();
  }

  /** The person set a reminder: a good moment to offer notifications outside the app. */
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

  /** The current banner; announces new alerts. */
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

  /** Null until known. */
  #numberNow(): number | null {
    const { settings, counts, workspace } = this.#program;
    const what = settings.get(iconNumber);
    if (what === 'off') return 0;
    return what === 'inbox' ? counts.of(workspace.inbox) : this.#program.part(smartLists).dueCount();
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

  /** "Due today, 17:00"; without a due date, the time of the reminder. Of a time block, when it is and how long it takes. */
  #textOf(id: Id, ring: Ring): string {
    const context = this.#program.moment();
    if (ring.block !== undefined)
      return `Planned for ${sayBlock(ring.block, context)} (${sayWhen(whenOf(ring.block), context).distance})`;
    const due = (fieldOf(this.#program.replica.row(id), 'due') ?? null) as When | null;
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

  /** Closes notifications of reminders that were handled elsewhere while the app was closed. */
  async #sweep(): Promise<void> {
    const { platform, replica } = this.#program;
    for (const id of await platform.notifications.shown()) {
      const row = replica.row(id);
      const isOver = row !== undefined && (isDone(row) || isTrashed(row) || this.#book.has(id));
      if (isOver && !this.all.includes(id)) platform.notifications.close(id);
    }
  }

  #subscribe(): void {
    // Without it the app itself still rings; the next start tries again.
    void this.#program.platform.notifications.subscribe();
  }
}
