// Which copy of the data this browser works on. A profile has a random id that names its database; it works without an
// account and is bound to one by signing up or in. Kept in localStorage, apart from the database it names.
import { isRecord, type JsonRecord, readJson, readRecord } from '#core/json.ts';
import { isId, type Id } from '#core/ids.ts';

export interface AccountBinding {
  readonly account: number;
  readonly scope: Id;
  readonly email: string;
}

export interface Profile {
  /** Names the database. */
  readonly id: Id;
  /** Scope of the data while there is no account. */
  readonly localScope: Id;
  readonly binding: AccountBinding | null;
  /** A profile whose data is being carried into this one; it goes when that is done. */
  readonly adopts: Pick<Profile, 'id' | 'localScope'> | null;
}

/** A profile of another account that stays on this device, with how many of its changes had not been sent. */
export interface KeptProfile {
  readonly profile: Profile;
  readonly waiting: number;
}

const KEY = 'posthaste.profile';
const KEPT_KEY = 'posthaste.kept';
/** Set while it is not certain that the session of this browser belongs to the profile. */
const DOUBT_KEY = 'posthaste.session-in-doubt';

export function databaseName(id: Id): string {
  return `posthaste-${id}`;
}

export function localProfile(newId: () => Id): Profile {
  return { id: newId(), localScope: newId(), binding: null, adopts: null };
}

/** A profile for an account that has none here yet and takes nothing in. */
export function accountProfile(binding: AccountBinding, newId: () => Id): Profile {
  return { id: newId(), localScope: newId(), binding, adopts: null };
}

/** The account's profile on this device, which takes in what `local` holds. */
export function boundProfile(local: Profile, binding: AccountBinding, newId: () => Id): Profile {
  const { id, localScope } = local;
  return { id: newId(), localScope: newId(), binding, adopts: { id, localScope } };
}

function readBinding(value: unknown): AccountBinding | null {
  if (!isRecord(value) || typeof value['account'] !== 'number' || !isId(value['scope'])) return null;
  return {
    account: value['account'],
    scope: value['scope'],
    email: typeof value['email'] === 'string' ? value['email'] : '',
  };
}

/** Null when nothing readable was kept. */
function parseProfile(text: string | null): Profile | null {
  return readProfile(readRecord(text));
}

function readProfile(json: JsonRecord): Profile | null {
  if (!isId(json['id']) || !isId(json['localScope'])) return null;
  const { adopts } = json;
  const from = isRecord(adopts) && isId(adopts['id']) && isId(adopts['localScope']) ? adopts : null;
  return {
    id: json['id'],
    localScope: json['localScope'],
    binding: readBinding(json['binding']),
    adopts: from ? { id: from['id'] as Id, localScope: from['localScope'] as Id } : null,
  };
}

function readKept(value: unknown): KeptProfile[] {
  if (!isRecord(value) || !isRecord(value['profile'])) return [];
  const profile = readProfile(value['profile']);
  const { waiting } = value;
  return profile ? [{ profile, waiting: typeof waiting === 'number' ? waiting : 0 }] : [];
}

export interface ProfileStore {
  /** The current profile; a new one without an account on a new device. */
  load(): Profile;
  /** False when another tab has made another profile the current one. */
  isCurrent(id: Id): boolean;
  /** Another tab has saved a profile. Returns the unsubscription. */
  onOther(listener: () => void): () => void;
  save(profile: Profile): void;
  /** Profiles of other accounts whose data stays here. */
  kept(): readonly KeptProfile[];
  keep(profile: Profile, waiting: number): void;
  /** Takes a kept profile out of the list. Its data is untouched. */
  release(id: Id): void;
  /** Whether the browser's session may belong to somebody else than the profile: nothing may be sent then. */
  isSessionInDoubt(): boolean;
  doubtSession(isInDoubt: boolean): void;
}

export function createProfileStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  newId: () => Id,
): ProfileStore {
  const kept = (): readonly KeptProfile[] => {
    const json = readJson(storage.getItem(KEPT_KEY));
    return Array.isArray(json) ? json.flatMap(readKept) : [];
  };
  const saveKept = (list: readonly KeptProfile[]) => storage.setItem(KEPT_KEY, JSON.stringify(list));
  return {
    load() {
      const known = parseProfile(storage.getItem(KEY));
      if (known) return known;
      const fresh = localProfile(newId);
      storage.setItem(KEY, JSON.stringify(fresh));
      return fresh;
    },
    isCurrent: (id) => (parseProfile(storage.getItem(KEY))?.id ?? id) === id,
    onOther(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.key === KEY && event.newValue !== null) listener();
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
    save: (profile) => storage.setItem(KEY, JSON.stringify(profile)),
    kept,
    keep: (profile, waiting) =>
      saveKept([...kept().filter((other) => other.profile.id !== profile.id), { profile, waiting }]),
    release: (id) => saveKept(kept().filter(({ profile }) => profile.id !== id)),
    isSessionInDoubt: () => storage.getItem(DOUBT_KEY) !== null,
    doubtSession(isInDoubt) {
      if (isInDoubt) storage.setItem(DOUBT_KEY, '1');
      else storage.removeItem(DOUBT_KEY);
    },
  };
}
