// What a person is told of what happened to this device's disk. Loaded when something has.
import { counted } from '#core/counted.ts';
import type { Notice } from '#client/device.ts';
import type { StorageEvent } from './indexeddb.ts';

/** What the person is told of an event; null: nothing. */
export function noticeOf(event: StorageEvent, hasAccount: boolean): Omit<Notice, 'id'> | null {
  switch (event.type) {
    case 'rewritten':
      return {
        tone: 'warn',
        text: 'Posthaste’s copy on this device was deleted while the app was open. Everything was written again; nothing is lost.',
      };
    case 'damaged': {
      if (event.changes > 0)
        return {
          tone: 'danger',
          isDamage: true,
          text: `${counted(event.changes, 'change')} that had not been sent could not be read from this device. What is left of them is kept aside for a week.`,
        };
      if (hasAccount)
        return {
          tone: 'warn',
          isDamage: true,
          text: 'A part of Posthaste’s copy on this device was damaged. It is read from the server again; changes not sent yet were not touched.',
        };
      const items = counted(event.rows, 'task or list', 'tasks or lists');
      return {
        tone: 'danger',
        isDamage: true,
        text: `A part of Posthaste’s copy on this device was damaged: ${items} could not be read. What is left of them is kept aside for a week.`,
      };
    }
    case 'forgot':
      return {
        tone: 'warn',
        isDamage: true,
        text: 'A part of what this device remembers of your own changes was damaged: undo and its history may not reach as far back. No task was touched.',
      };
    case 'taken':
      return null;
  }
}
