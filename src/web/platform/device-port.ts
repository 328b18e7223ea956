// What the app may know of this device's disk (the DevicePort): where the copy lies, whether the browser promised to keep
// it, what happened to it, and copies of other accounts. Notices outlive the page until somebody has seen them.
import type { Id } from '#core/ids.ts';
import type { DeviceFacts, DevicePort, KeptCopy, Notice } from '#client/device.ts';
import { createSignal, type WritableSignal } from '#client/signal.ts';
import { writeUnsent } from '#client/unsent-file.ts';
import { createDeviceDatabase } from './device-database.ts';
import type { StorageEvent } from './indexeddb.ts';
import type { SmallStorage } from './local-storage.ts';
import { databaseName, type KeptProfile, type ProfileStore } from './profile.ts';
import { isOperation, isRecoveredItem, readStore } from './salvage.ts';
import { newId } from './world.ts';

const NOTICES_KEY = 'posthaste.notices';
const ASKED_KEY = 'posthaste.persist-asked';

const changes = (count: number) => (count === 1 ? '1 change' : `${count} changes`);

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
          text: `${changes(event.changes)} that had not been sent could not be read from this device. What is left of them is kept aside for a week.`,
        };
      if (hasAccount)
        return {
          tone: 'warn',
          isDamage: true,
          text: 'A part of Posthaste’s copy on this device was damaged. It is read from the server again; changes not sent yet were not touched.',
        };
      const items = event.rows === 1 ? '1 task or list' : `${event.rows} tasks or lists`;
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

export interface DeviceState extends DevicePort {
  readonly facts: WritableSignal<DeviceFacts>;
  tell(notice: Omit<Notice, 'id'>): void;
  /** Asks the browser to keep the data, once; again at every start until it promises. */
  askToPersist(): void;
}

function readNotices(storage: SmallStorage): readonly Notice[] {
  try {
    const json: unknown = JSON.parse(storage.getItem(NOTICES_KEY) ?? '[]');
    return Array.isArray(json)
      ? (json as Notice[]).filter(({ id, text }) => id && typeof text === 'string')
      : [];
  } catch {
    // Not ours any more: as good as none.
    return [];
  }
}

async function keptText({ profile }: KeptProfile): Promise<string | null> {
  const database = createDeviceDatabase(databaseName(profile.id));
  try {
    return await database.use(async (db) => {
      const outbox = await readStore(db, 'outbox', isOperation);
      const recovered = await readStore(db, 'recovered', isRecoveredItem);
      const operations = outbox.entries.map(([, operation]) => operation);
      const items = recovered.entries.map(([, item]) => item);
      const scope = profile.binding?.scope ?? profile.localScope;
      const about = { email: profile.binding?.email ?? null, at: Date.now() };
      return writeUnsent({ scope, operations, recovered: items }, about);
    });
  } catch (error) {
    console.warn('A kept copy could not be read.', error);
    return null;
  } finally {
    database.close();
  }
}

export function createDeviceState(storage: SmallStorage, profiles: ProfileStore): DeviceState {
  const notices = createSignal<readonly Notice[]>(readNotices(storage));
  const facts = createSignal<DeviceFacts>({ storage: 'disk', persisted: 'unknown' });
  const setNotices = (next: readonly Notice[]) => {
    storage.setItem(NOTICES_KEY, JSON.stringify(next));
    notices.set(next);
  };
  const setPersisted = (persisted: DeviceFacts['persisted']) => facts.set({ ...facts.get(), persisted });
  const manager = 'storage' in navigator && 'persist' in navigator.storage ? navigator.storage : null;
  void manager?.persisted().then((isKept) => {
    if (isKept) setPersisted('granted');
    else setPersisted(storage.getItem(ASKED_KEY) === null ? 'unasked' : 'refused');
  });
  let hasAsked = false;
  return {
    facts,
    notices,
    get kept(): readonly KeptCopy[] {
      return profiles
        .kept()
        .map(({ profile, waiting }) => ({ id: profile.id, email: profile.binding?.email ?? '', waiting }));
    },
    tell(notice) {
      // The same thing again is said once.
      const others = notices.get().filter(({ text }) => text !== notice.text);
      setNotices([...others, { ...notice, id: newId() }]);
    },
    dismiss: (id) => setNotices(notices.get().filter((notice) => notice.id !== id)),
    damaged: async () => (await import('./quarantine.ts')).quarantineText(),
    safetyCopies: async () => (await import('./safety-copies.ts')).safetyCopiesOf(profiles.load().id),
    async keptChanges(id) {
      const found = profiles.kept().find(({ profile }) => profile.id === id);
      return found ? keptText(found) : null;
    },
    async dropKept(id: Id) {
      profiles.release(id);
      await (await import('./adoption.ts')).forget({ id });
    },
    askToPersist() {
      if (hasAsked || !manager || facts.get().persisted === 'granted') return;
      hasAsked = true;
      storage.setItem(ASKED_KEY, '1');
      void manager.persist().then((isKept) => setPersisted(isKept ? 'granted' : 'refused'));
    },
  };
}
