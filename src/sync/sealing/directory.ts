// The directory of an account's keys, as the server keeps it without being able to write it: state and generations of the sealed
// scope under a MAC of the account key, numbered. A device follows the directory, never what the server says of it, and remembers
// the latest that it has seen.
import type { Id } from '#core/ids.ts';
import { parseId } from '#core/ids.ts';
import { isRecord } from '#core/json.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { authenticate } from '#core/sealing/algorithms.ts';
import { framed, fromText, isEqual, toText } from '#core/sealing/bytes.ts';
import {
  accountPurposeKey,
  FORMAT,
  inboxPair,
  MOST_GENERATIONS,
  type AccountKey,
} from '#core/sealing/keys.ts';
import { peopleIn, type ListPeople } from './lists/list-people.ts';
import {
  listWays,
  positionOf,
  scopePhases,
  sealsIn,
  type ListWay,
  type ScopePhase,
  type ScopeSealing,
} from './scope-state.ts';

/** What the devices of an account tell each other by way of the server. */
export interface Directory {
  /** Grows by one with each directory of the account. */
  readonly n: number;
  readonly account: number;
  readonly scope: Id;
  readonly state: ScopeSealing;
  /** The wraps of the keys of generations, by number. */
  readonly generations: Readonly<Record<string, string>>;
  /** Account keys that others have taken the place of, oldest first, each under the present one. */
  readonly earlier?: readonly EarlierWrap[];
  /** What opens the account key, by name. They are here, too, so that a server that was put back to before gets them again. */
  readonly wraps?: Wraps;
  /** Devices that said that they have the key, by an id of their own. */
  readonly devices?: Readonly<Record<string, KeyHolder>>;
  /** The keys of lists that stay encrypted, by their scopes: by them each device of the account knows the right ones. */
  readonly listKeys?: Readonly<Record<string, ListWrap>>;
  /** Of a list: who belongs to it and by which links one comes in (list-people.ts). */
  readonly people?: ListPeople;
}

/** Wraps of the account key: `code`, `passphrase` and those of passkeys. */
export type Wraps = Readonly<Record<string, string>>;

/** The key of a list under the account key, as of a generation of the list. */
export interface ListWrap {
  readonly generation: number;
  readonly wrap: string;
}

/** An account key of before under the present one. */
export interface EarlierWrap {
  /** The latest generation whose key is under it. */
  readonly until: number;
  readonly wrap: string;
}

/** How a device came to the key: it made it, or was given it by what is named; `unknown` for those of earlier builds. */
export const keyWays = ['made', 'code', 'passphrase', 'passkey', 'pairing', 'unknown'] as const;
/** One of `keyWays`. */
export type KeyWay = (typeof keyWays)[number];

/** A device that has the key, by its own word. */
export interface KeyHolder {
  readonly name: string;
  readonly how: KeyWay;
  /** Milliseconds since 1970, by its clock. */
  readonly at: number;
}

/** A directory as it is written: with the public key of the scope's inbox, to which the server seals what programs and mail write. */
interface WrittenDirectory extends Directory {
  /** Of the state's generation, as text; absent in a plain scope. */
  readonly inbox?: string;
}

/** A directory as it is kept. */
export interface SealedDirectory {
  /** JSON. */
  readonly body: string;
  readonly mac: string;
}

/** What a device remembers of the directories it has seen. */
export interface DirectoryPin {
  readonly n: number;
  /** Of that directory: no other one has its number. */
  readonly mac: string;
  readonly state: ScopeSealing;
}

/** Why a directory isn't followed: `altered` nobody with the account key has written it; `rolled-back` the device has seen a later one. */
export interface DirectoryProblem {
  readonly type: 'malformed' | 'altered' | 'rolled-back';
}

/** Longer ones are not read: a generation takes some 200 characters. */
const LONGEST_BODY = 1024 * 1024;

const macOf = (key: AccountKey, account: number, body: string) =>
  authenticate(accountPurposeKey(key, 'directory'), framed(FORMAT, 'directory', String(account), body));

/** A body under the MAC of the account key: what only a device with the key can write. */
export const signDirectory = (key: AccountKey, account: number, body: string): SealedDirectory => ({
  body,
  mac: toText(macOf(key, account, body)),
});

/** Writes a directory. */
export function writeDirectory(key: AccountKey, directory: Directory): SealedDirectory {
  const { account, state } = directory;
  // Programs write nothing into lists that stay encrypted.
  const inbox =
    sealsIn(state) && account > 0
      ? { inbox: toText(inboxPair(key, directory, state.generation).publicKey) }
      : {};
  const written: WrittenDirectory = { ...directory, ...inbox };
  return signDirectory(key, account, JSON.stringify(written));
}

const isCount = (value: unknown, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;

const isPhase = (value: unknown): value is ScopePhase => scopePhases.some((phase) => phase === value);

/** The lists of a state as it was read; null: these are none. */
export function listsIn(state: Readonly<Record<string, unknown>>): Readonly<Record<string, ListWay>> | null {
  const lists = state['lists'] ?? {};
  if (!isRecord(lists)) return null;
  const read: [string, ListWay][] = [];
  for (const [id, value] of Object.entries(lists)) {
    const way = listWays.find((each) => each === value);
    if (way === undefined || parseId(id) !== id) return null;
    read.push([id, way]);
  }
  return Object.fromEntries(read);
}

/** A state with lists, as it is kept: without any they are absent. */
export const withLists = (
  { phase, generation }: ScopeSealing,
  lists: Readonly<Record<string, ListWay>>,
): ScopeSealing => ({ phase, generation, ...(Object.keys(lists).length === 0 ? {} : { lists }) });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

/** Longer ones are no names of devices. */
const LONGEST_NAME = 200;

function textsOf(value: unknown): Wraps | null {
  if (!isRecord(value)) return null;
  const texts = Object.entries(value).filter((each): each is [string, string] => typeof each[1] === 'string');
  return Object.fromEntries(texts);
}

function earlierOf(value: unknown): readonly EarlierWrap[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly unknown[]).flatMap((each) =>
    isRecord(each) && isCount(each['until'], MOST_GENERATIONS) && typeof each['wrap'] === 'string'
      ? [{ until: each['until'], wrap: each['wrap'] }]
      : [],
  );
}

function holderOf(value: unknown): KeyHolder | null {
  if (!isRecord(value)) return null;
  const { name, at } = value;
  const how = keyWays.find((way) => way === value['how']);
  const isNamed = typeof name === 'string' && name.length <= LONGEST_NAME;
  return isNamed && how !== undefined && isCount(at) ? { name, how, at } : null;
}

function holdersOf(value: unknown): Readonly<Record<string, KeyHolder>> | null {
  if (!isRecord(value)) return null;
  const holders = Object.entries(value).flatMap(([id, each]) => {
    const holder = parseId(id) === id ? holderOf(each) : null;
    return holder === null ? [] : [[id, holder] as const];
  });
  return Object.fromEntries(holders);
}

function listKeysOf(value: unknown): Readonly<Record<string, ListWrap>> | null {
  if (!isRecord(value)) return null;
  const wraps = Object.entries(value).flatMap(([id, each]) => {
    if (parseId(id) !== id || !isRecord(each) || typeof each['wrap'] !== 'string') return [];
    const { generation, wrap } = each;
    return isCount(generation, MOST_GENERATIONS) ? [[id, { generation, wrap }] as const] : [];
  });
  return Object.fromEntries(wraps);
}

/** What a directory says besides the state and its keys. Those of earlier builds say nothing of it. */
function furtherIn(
  read: Readonly<Record<string, unknown>>,
): Pick<Directory, 'earlier' | 'wraps' | 'devices' | 'people' | 'listKeys'> {
  const earlier = earlierOf(read['earlier']);
  const wraps = textsOf(read['wraps']);
  const devices = holdersOf(read['devices']);
  const people = peopleIn(read['people']);
  const listKeys = listKeysOf(read['listKeys']);
  return {
    ...(listKeys === null ? {} : { listKeys }),
    ...(people === null ? {} : { people }),
    ...(earlier === null ? {} : { earlier }),
    ...(wraps === null ? {} : { wraps }),
    ...(devices === null ? {} : { devices }),
  };
}

/**
 * The wraps of an account as a device without the key has to take them: those of the directory, which nobody without the key has written;
 * else, of an earlier build, those that the server keeps beside it.
 */
export function wrapsIn({
  directory,
  wraps,
}: {
  readonly directory: SealedDirectory | null;
  readonly wraps: Wraps;
}): Wraps {
  const read = directory === null ? null : parsed(directory.body);
  return (isRecord(read) ? textsOf(read['wraps']) : null) ?? wraps;
}

/** The number in a directory that this device needn't be able to open; 0: there is none. */
export function numberIn(directory: SealedDirectory | null): number {
  const read = directory === null ? null : parsed(directory.body);
  return isRecord(read) && isCount(read['n']) ? read['n'] : 0;
}

/** What a directory says, before it is known who wrote it: for finding the key that checks it. */
export const uncheckedDirectory = ({ body }: SealedDirectory): Directory | null =>
  body.length > LONGEST_BODY ? null : directoryOf(body);

function directoryOf(body: string): Directory | null {
  const read = parsed(body);
  if (!isRecord(read) || !isRecord(read['state']) || !isRecord(read['generations'])) return null;
  const { n, account, scope, state, generations } = read;
  const { phase, generation } = state;
  const id = typeof scope === 'string' ? parseId(scope) : null;
  const wraps: [string, string][] = [];
  for (const [name, wrap] of Object.entries(generations)) {
    if (!/^[1-9]\d{0,9}$/.test(name) || typeof wrap !== 'string') return null;
    wraps.push([name, wrap]);
  }
  if (!isCount(n) || !isCount(account) || id === null || id !== scope) return null;
  if (!isPhase(phase) || !isCount(generation, MOST_GENERATIONS)) return null;
  if (phase !== 'plain' && generation === 0) return null;
  const lists = listsIn(state);
  if (lists === null) return null;
  const generationKeys = Object.fromEntries(wraps);
  return {
    n,
    account,
    scope: id,
    state: withLists({ phase, generation }, lists),
    generations: generationKeys,
    ...furtherIn(read),
  };
}

/**
 * Reads what the server gave as the directory of an account. A device that remembers one follows only later ones, and the same one
 * again: neither its number nor its state ever goes back.
 */
export function readDirectory(
  key: AccountKey,
  account: number,
  sealed: SealedDirectory,
  pin: DirectoryPin | null,
): Result<Directory, DirectoryProblem> {
  const mac = fromText(sealed.mac);
  if (sealed.body.length > LONGEST_BODY || mac === null) return failed({ type: 'malformed' });
  if (!isEqual(mac, macOf(key, account, sealed.body))) return failed({ type: 'altered' });
  const directory = directoryOf(sealed.body);
  if (directory === null || directory.account !== account) return failed({ type: 'malformed' });
  if (pin === null) return ok(directory);
  const ahead = positionOf(directory.state) - positionOf(pin.state);
  const isLater = directory.n > pin.n ? ahead >= 0 : directory.n === pin.n && sealed.mac === pin.mac;
  return isLater ? ok(directory) : failed({ type: 'rolled-back' });
}

/**
 * What the state that a server says means to a device that follows a directory.
 * - `same` nothing is to be done
 * - `behind` the server has not heard of it, or was restored, or lies: it is told again, and nothing goes out in an earlier form
 * - `ahead` there must be a later directory: it is asked for, and until then nothing changes here
 */
export function comparedWith(followed: ScopeSealing, said: ScopeSealing): 'same' | 'behind' | 'ahead' {
  const difference = positionOf(said) - positionOf(followed);
  if (difference === 0) return 'same';
  return difference < 0 ? 'behind' : 'ahead';
}
