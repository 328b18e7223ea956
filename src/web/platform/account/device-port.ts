// What the app may know of this device's disk (the DevicePort): where the copy lies, whether the browser promised to keep
// it, what happened to it, and copies of other accounts. Notices outlive the page until somebody has seen them.
import { readJson } from '#core/json.ts';
import type { Id } from '#core/ids.ts';
import type { DeviceFacts, DevicePort, KeptCopy, Notice } from '#client/app/device.ts';
import { createSignal, type WritableSignal } from '#client/app/signal.ts';
import type { SmallStorage } from '../storage/local-storage.ts';
import type { ProfileStore } from './profile.ts';
import { newId } from '../world.ts';

const NOTICES_KEY = 'posthaste.notices';
const ASKED_KEY = 'posthaste.persist-asked';

/** The DevicePort, with what only the session uses: it sets the facts and adds notices. */
export interface DeviceState extends DevicePort {
  readonly facts: WritableSignal<DeviceFacts>;
  /** Asks the browser to keep the data, once; again at every start until it promises. */
  askToPersist(): void;
}

function readNotices(storage: SmallStorage): readonly Notice[] {
  const json = readJson(storage.getItem(NOTICES_KEY));
  return Array.isArray(json)
    ? (json as (Partial<Notice> | null)[]).filter(
        (one): one is Notice => Boolean(one?.id) && typeof one?.text === 'string',
      )
    : [];
}

/** Restores unseen notices from the storage, and asks the browser whether it already keeps the data. */
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
    damaged: async () => (await import('../storage/quarantine.ts')).quarantineText(),
    safetyCopies: async () =>
      (await import('../storage/safety-copies.ts')).safetyCopiesOf(profiles.load().id),
    async keptChanges(id) {
      const found = profiles.kept().find(({ profile }) => profile.id === id);
      return found ? (await import('../storage/kept-copy.ts')).keptText(found) : null;
    },
    async dropKept(id: Id) {
      const found = profiles.kept().find(({ profile }) => profile.id === id);
      profiles.release(id);
      await (await import('../storage/adoption.ts')).forget(found?.profile ?? { id });
    },
    askToPersist() {
      if (hasAsked || !manager || facts.get().persisted === 'granted') return;
      hasAsked = true;
      storage.setItem(ASKED_KEY, '1');
      void manager.persist().then((isKept) => setPersisted(isKept ? 'granted' : 'refused'));
    },
  };
}
