// Which copy of the data this browser works on. A profile has a random id that names its database; it works without an
// account and is bound to one by signing up or in. Kept in localStorage, apart from the database it names.
import { DAY_MS } from '#core/time.ts';
import { isRecord, type JsonRecord, readJson, readRecord } from '#core/json.ts';
import { isId, type Id } from '#core/ids.ts';

/** The account a profile belongs to. `email` is only shown, and empty when unknown. */
export interface AccountBinding {
  readonly account: number;
  readonly scope: Id;
  readonly email: string;
}

/** One copy of the data on this device, with or without an account. */
export interface Profile {
  /** Names the database. */
  readonly id: Id;
  /** Scope of the data while there is no account. */
  readonly localScope: Id;
  readonly binding: AccountBinding | null;
  /** A profile whose data is being carried into this one; it goes when that is done. */
  readonly adopts: Adopted | null;
  /** The account that this copy belonged to, which was asked to be erased; `binding` is null then. */
  readonly former: FormerAccount | null;
}

export interface FormerAccount {
  readonly account: number;
  /** Until then signing in keeps the account; it is gone afterwards. */
  readonly until: number;
}

interface Adopted extends Pick<Profile, 'id' | 'localScope'> {
  /** Everything gets new ids: the old ones still belong to another account. */
  readonly isAnew: boolean;
}

/** How long after its account is gone a copy stays as it was: the clock of a device may be wrong. */
const FORMER_SLACK_MS = 30 * DAY_MS;

/** A profile of another account that stays on this device, with how many of its changes had not been sent. */
export interface KeptProfile {
  readonly profile: Profile;
  readonly waiting: number;
}

const KEY = 'posthaste.profile';
const KEPT_KEY = 'posthaste.kept';
/** Set while it is not certain that the session of this browser belongs to the profile. */
const DOUBT_KEY = 'posthaste.session-in-doubt';

/** Name of the IndexedDB database that holds the profile's data. */
export function databaseName(id: Id): string {
  return `posthaste-${id}`;
}

/** A new profile without an account. It is not saved yet. */
export function localProfile(newId: () => Id): Profile {
  return { id: newId(), localScope: newId(), binding: null, adopts: null, former: null };
}

/** A profile for an account that has none here yet and takes nothing in. */
export function accountProfile(binding: AccountBinding, newId: () => Id): Profile {
  return { id: newId(), localScope: newId(), binding, adopts: null, former: null };
}

/** The account's profile on this device, which takes in what `local` holds. */
export function boundProfile(local: Profile, binding: AccountBinding, newId: () => Id): Profile {
  return { ...accountProfile(binding, newId), adopts: adoptedBy(local) };
}

/** What an account takes in of a profile without one. */
export function adoptedBy({ id, localScope, former }: Profile): Adopted {
  return { id, localScope, isAnew: former !== null };
}

/** The same copy without its account, which is going to be erased: it works on as the device's own. */
export function formerProfile(profile: Profile, until: number): Profile {
  const { binding } = profile;
  if (!binding) return profile;
  const { account, scope } = binding;
  return { ...profile, binding: null, localScope: scope, former: { account, until } };
}

/** A profile of the device's own that takes in the copy of an account that is long gone; the profile itself where it is not. */
export function settledProfile(profile: Profile, now: number, newId: () => Id): Profile {
  const { id, localScope, former } = profile;
  if (former === null || now < former.until + FORMER_SLACK_MS) return profile;
  return { ...localProfile(newId), adopts: { id, localScope, isAnew: false } };
}

function readFormer(value: unknown): FormerAccount | null {
  if (!isRecord(value)) return null;
  const { account, until } = value;
  return typeof account === 'number' && typeof until === 'number' ? { account, until } : null;
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
    adopts: from
      ? { id: from['id'] as Id, localScope: from['localScope'] as Id, isAnew: from['isAnew'] === true }
      : null,
    former: readFormer(json['former']),
  };
}

function readKept(value: unknown): KeptProfile[] {
  if (!isRecord(value) || !isRecord(value['profile'])) return [];
  const profile = readProfile(value['profile']);
  const { waiting } = value;
  return profile ? [{ profile, waiting: typeof waiting === 'number' ? waiting : 0 }] : [];
}

/** The profiles of this browser: the current one, and those kept for other accounts. All tabs share it. */
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

/** Reads the storage on every call, because other tabs write it too. Throws where the storage does. */
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
