// What the person is told about what happened to this device's disk. Loaded when something happened.
import { counted } from '#core/counted.ts';
import type { Notice } from '#client/app/device.ts';
import type { StorageEvent } from './storage/indexeddb.ts';

/** What the person is told of an event; null: nothing. */
export function noticeOf(event: StorageEvent, hasAccount: boolean): Omit<Notice, 'id'> | null {
  switch (event.type) {
    case 'rewritten':
      return {
        tone: 'warn',
        text: 'Posthaste’s copy on this device was deleted while the app was open. We saved everything again, so nothing is lost.',
      };
    case 'damaged': {
      if (event.changes > 0)
        return {
          tone: 'danger',
          isDamage: true,
          text: `${counted(event.changes, 'change')} that hadn’t synced couldn’t be read from this device. We keep what’s left for a week.`,
        };
      if (hasAccount)
        return {
          tone: 'warn',
          isDamage: true,
          text: 'Part of Posthaste’s copy on this device was damaged. We’re reading it from the server again. Unsynced changes are safe.',
        };
      const items = counted(event.rows, 'task or list', 'tasks or lists');
      return {
        tone: 'danger',
        isDamage: true,
        text: `Part of Posthaste’s copy on this device was damaged, and ${items} couldn’t be read. We keep what’s left for a week.`,
      };
    }
    case 'forgot':
      return {
        tone: 'warn',
        isDamage: true,
        text: 'Part of this device’s undo history was damaged, so undo may not go as far back. Your tasks are fine.',
      };
    case 'taken':
      return null;
  }
}
