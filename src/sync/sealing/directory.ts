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
import { positionOf, scopePhases, sealsIn, type ScopePhase, type ScopeSealing } from './scope-state.ts';

/** What the devices of an account tell each other by way of the server. */
export interface Directory {
  /** Grows by one with each directory of the account. */
  readonly n: number;
  readonly account: number;
  readonly scope: Id;
  readonly state: ScopeSealing;
  /** The wraps of the keys of generations, by number. */
  readonly generations: Readonly<Record<string, string>>;
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
  const inbox = sealsIn(state)
    ? { inbox: toText(inboxPair(key, directory, state.generation).publicKey) }
    : {};
  const written: WrittenDirectory = { ...directory, ...inbox };
  return signDirectory(key, account, JSON.stringify(written));
}

const isCount = (value: unknown, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;

const isPhase = (value: unknown): value is ScopePhase => scopePhases.some((phase) => phase === value);

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

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
  return { n, account, scope: id, state: { phase, generation }, generations: Object.fromEntries(wraps) };
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
