// Which copy of the data this browser works on. A profile has a random id that names its database; it works without an
// account and is bound to one by signing up or in. Kept in localStorage, apart from the database it names.
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

const KEY = 'posthaste.profile';

export function databaseName(id: Id): string {
  return `posthaste-${id}`;
}

export function localProfile(newId: () => Id): Profile {
  return { id: newId(), localScope: newId(), binding: null, adopts: null };
}

/** The account's profile on this device, which takes in what `local` holds. */
export function boundProfile(local: Profile, binding: AccountBinding, newId: () => Id): Profile {
  const { id, localScope } = local;
  return { id: newId(), localScope: newId(), binding, adopts: { id, localScope } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
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
export function parseProfile(text: string | null): Profile | null {
  if (text === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Not ours any more: as good as nothing.
    return null;
  }
  if (!isRecord(json) || !isId(json['id']) || !isId(json['localScope'])) return null;
  const { adopts } = json;
  const from = isRecord(adopts) && isId(adopts['id']) && isId(adopts['localScope']) ? adopts : null;
  return {
    id: json['id'],
    localScope: json['localScope'],
    binding: readBinding(json['binding']),
    adopts: from ? { id: from['id'] as Id, localScope: from['localScope'] as Id } : null,
  };
}

export interface ProfileStore {
  /** The current profile; a new one without an account on a new device. */
  load(): Profile;
  save(profile: Profile): void;
}

export function createProfileStore(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  newId: () => Id,
): ProfileStore {
  return {
    load() {
      const known = parseProfile(storage.getItem(KEY));
      if (known) return known;
      const fresh = localProfile(newId);
      storage.setItem(KEY, JSON.stringify(fresh));
      return fresh;
    },
    save: (profile) => storage.setItem(KEY, JSON.stringify(profile)),
  };
}
