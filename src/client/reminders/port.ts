// The platform's port for reminders: notifications outside the app, and the number on its icon.
import type { Id } from '#core/ids.ts';

/** `unsupported`: this browser has none, or not here (on a phone: only for the installed app). */
export type NotificationPermission = 'unsupported' | 'ask' | 'granted' | 'denied';

/** Notifications outside the app. Implemented by the platform. */
export interface NotificationPort {
  permission(): NotificationPermission;
  /** Asks the person; must be called while a key or press is handled. */
  ask(): Promise<NotificationPermission>;
  /**
   * Registers with the server, so that it can notify this device while the app is closed. Null: done, or not needed;
   * else why not.
   */
  subscribe(): Promise<string | null>;
  /** Whether titles may be shown outside the app, on this device. */
  readonly showsTitles: boolean;
  showTitles(shows: boolean): void;
  /** Shows a notification if the app is hidden. */
  show(notice: { readonly task: Id; readonly title: string; readonly body: string }): void;
  /** Tasks with a visible notification, from the app or the server. */
  shown(): Promise<readonly Id[]>;
  close(task: Id): void;
  /** The number on the app's icon; 0: none. */
  badge(count: number): void;
}

/** For platforms without notifications. */
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
