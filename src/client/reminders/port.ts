// What reminders ask of the platform: notices outside the app, and the number on its icon.
import type { Id } from '#core/ids.ts';

/** `unsupported`: this browser has none, or not here (on a phone: only for the installed app). */
export type NotificationPermission = 'unsupported' | 'ask' | 'granted' | 'denied';

export interface NotificationPort {
  permission(): NotificationPermission;
  /** Asks the person; must be called while a key or press is being answered. */
  ask(): Promise<NotificationPermission>;
  /** Tells the server where this device can be reached while the app is closed. Null: done, or nothing to do; else why not. */
  subscribe(): Promise<string | null>;
  /** Whether titles may be shown outside the app, on this device. */
  readonly showsTitles: boolean;
  showTitles(shows: boolean): void;
  /** Shows a notice outside the app while the app cannot be seen. */
  show(notice: { readonly task: Id; readonly title: string; readonly body: string }): void;
  /** Tasks a notice of which is shown now, whoever showed it. */
  shown(): Promise<readonly Id[]>;
  close(task: Id): void;
  /** The number on the app's icon; 0: none. */
  badge(count: number): void;
}

/** Where there is nothing outside the app. */
export const noNotifications: NotificationPort = {
  permission: () => 'unsupported',
  ask: () => Promise.resolve('unsupported'),
  subscribe: () => Promise.resolve(null),
  showsTitles: true,
  showTitles: () => undefined,
  show: () => undefined,
  shown: () => Promise.resolve([]),
  close: () => undefined,
  badge: () => undefined,
};
