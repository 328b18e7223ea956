// Sessions: opened at sign-in, found by token on every request, listed and ended by their account. Tokens are kept as
// digests only. A web session gets a new token every day; the old one holds until the new one has arrived.
import type { Kysely, Selectable } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { SessionKind, TokenAccess } from '../access/authorise.ts';
import type { AccountTable, SessionTable, Tables } from '../data/tables.ts';
import { createToken, tokenDigest, tokenKind } from './tokens.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** Null: no absolute end. */
const LIFETIMES: Readonly<
  Record<SessionKind, { readonly idleMs: number; readonly absoluteMs: number | null }>
> = {
  web: { idleMs: 30 * DAY, absoluteMs: 180 * DAY },
  device: { idleMs: 90 * DAY, absoluteMs: 365 * DAY },
  api: { idleMs: 365 * DAY, absoluteMs: null },
};
const ROTATE_EVERY_MS = DAY;
const GRACE_MS = 60 * SECOND;
/** `last_used_at` is written this often, not on every request. */
const TOUCH_EVERY_MS = HOUR;
/** Also the longest time a revocation by another process goes unnoticed. */
const CACHE_MS = SECOND;
const CACHE_ENTRIES = 10_000;

/** The cookie's life: that of the session, at most. */
export const webSessionSeconds = (180 * DAY) / SECOND;

export type Session = Selectable<SessionTable>;
export type Account = Selectable<AccountTable>;

export interface FoundSession {
  readonly session: Session;
  readonly account: Account;
  /** A new token that the client must keep from now on. */
  readonly replacement: string | null;
}

export interface Sessions {
  open(wanted: {
    readonly account: number;
    readonly kind: SessionKind;
    readonly userAgent: string;
    /** Absent: made from the user agent. */
    readonly name?: string;
    /** Absent: `write`. */
    readonly access?: TokenAccess;
  }): Promise<{ readonly token: string; readonly session: Session }>;
  /** Null when the token is none of that kind, or its session is over, or its account may not sign in. */
  find(token: string, kind: SessionKind): Promise<FoundSession | null>;
  /** Live sessions of an account, the last used first. */
  list(account: number): Promise<readonly Session[]>;
  get(id: Id): Promise<Session | undefined>;
  /** As `find`, by what names the session and opens nothing. */
  good(id: Id): Promise<Omit<FoundSession, 'replacement'> | null>;
  /** Whoever is behind it proved anew who they are. */
  confirm(id: Id): Promise<void>;
  /** Ends sessions at once, here; elsewhere within a second. */
  revoke(ids: readonly Id[]): Promise<void>;
  /** Which of these are still good. */
  alive(ids: readonly Id[]): Promise<ReadonlySet<Id>>;
  /** Forgets what is remembered about these; somebody else ended them. */
  forget(ids: readonly Id[]): void;
}

export interface SessionPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly newId: () => Id;
  /** Called before sessions are ended; resolves when that is on disk outside the database. */
  readonly writeDown: (ids: readonly Id[]) => Promise<void>;
  /** Called after sessions were ended. */
  readonly onRevoked: (ids: readonly Id[]) => void;
}

interface Cached {
  readonly session: Session;
  readonly account: Account;
  readonly until: number;
}

/** How long a proof of who somebody is opens what is dangerous. */
const CONFIRMED_MS = 10 * 60 * SECOND;

export function isConfirmed({ confirmed_at: confirmedAt }: Session, now: number): boolean {
  return confirmedAt !== null && now < confirmedAt + CONFIRMED_MS;
}

/** Whether a session is over; it says nothing about its account. */
export function isOver(session: Session, now: number): boolean {
  if (session.revoked_at !== null) return true;
  if (session.expires_at !== null && now >= session.expires_at) return true;
  return now >= session.last_used_at + LIFETIMES[session.kind].idleMs;
}

/** In order: browsers name those they descend from as well. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
  [/^posthaste-cli\//, 'Command line'],
];
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A short name for a browser, for the list of sessions: from a list of our own, never the agent's own words. */
export function agentName(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].map((marks) => marks.find(([mark]) => mark.test(userAgent))?.[1]);
  return found.filter((name) => name !== undefined).join(' on ') || 'Unknown';
}

const keyOf = (digest: Uint8Array) => Buffer.from(digest).toString('hex');

/** What becomes of a token that was presented. */
type Renewal = { readonly isOver: boolean; readonly replacement: string | null };

const UNCHANGED: Renewal = { isOver: false, replacement: null };

class DatabaseSessions implements Sessions {
  readonly #ports: SessionPorts;
  readonly #cache = new Map<string, Cached>();
  #revocations = 0;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  async open(wanted: Parameters<Sessions['open']>[0]) {
    const { db, clock, newId } = this.#ports;
    const { account, kind, userAgent, name = agentName(userAgent), access = 'write' } = wanted;
    const token = createToken(kind);
    const now = clock.now();
    const { absoluteMs } = LIFETIMES[kind];
    const session: Session = {
      id: newId(),
      account,
      kind,
      access,
      token_hash: tokenDigest(token),
      previous_token_hash: null,
      rotated_at: null,
      name,
      user_agent: userAgent.slice(0, 400),
      created_at: now,
      last_used_at: now,
      expires_at: absoluteMs === null ? null : now + absoluteMs,
      revoked_at: null,
      confirmed_at: kind === 'web' ? now : null,
    };
    await db.insertInto('session').values(session).execute();
    return { token, session };
  }

  async find(token: string, kind: SessionKind): Promise<FoundSession | null> {
    const { clock } = this.#ports;
    if (tokenKind(token) !== kind) return null;
    const digest = tokenDigest(token);
    const key = keyOf(digest);
    const cached = this.#cache.get(key);
    if (cached && cached.until > clock.monotonic() && !isOver(cached.session, clock.now()))
      return { session: cached.session, account: cached.account, replacement: null };
    const revocationsBefore = this.#revocations;
    const found = await this.#load(digest);
    if (!found || found.session.kind !== kind || isOver(found.session, clock.now())) return null;
    const renewal = await this.#renew(found.session, digest);
    if (renewal.isOver) return null;
    // What was read before a session ended must not be remembered after.
    if (this.#revocations === revocationsBefore) this.#remember(key, found);
    return { ...found, replacement: renewal.replacement };
  }

  async list(account: number): Promise<readonly Session[]> {
    const { db, clock } = this.#ports;
    const sessions = await db
      .selectFrom('session')
      .selectAll()
      .where('account', '=', account)
      .where('revoked_at', 'is', null)
      .orderBy('last_used_at', 'desc')
      .execute();
    return sessions.filter((session) => !isOver(session, clock.now()));
  }

  get(id: Id): Promise<Session | undefined> {
    return this.#ports.db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async good(id: Id): Promise<Omit<FoundSession, 'replacement'> | null> {
    const session = await this.get(id);
    return session && !isOver(session, this.#ports.clock.now()) ? this.#withAccount(session) : null;
  }

  async confirm(id: Id): Promise<void> {
    const { db, clock } = this.#ports;
    await db.updateTable('session').set({ confirmed_at: clock.now() }).where('id', '=', id).execute();
    this.forget([id]);
  }

  async revoke(ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return;
    const { db, clock, writeDown, onRevoked } = this.#ports;
    await writeDown(ids);
    await db
      .updateTable('session')
      .set({ revoked_at: clock.now() })
      .where('id', 'in', ids)
      .where('revoked_at', 'is', null)
      .execute();
    this.forget(ids);
    onRevoked(ids);
  }

  async alive(ids: readonly Id[]): Promise<ReadonlySet<Id>> {
    if (ids.length === 0) return new Set();
    const { db, clock } = this.#ports;
    const rows = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account')
      .selectAll('session')
      .where('session.id', 'in', ids)
      .where('account.disabled_at', 'is', null)
      .where('account.deleted_at', 'is', null)
      .execute();
    return new Set(rows.filter((session) => !isOver(session, clock.now())).map(({ id }) => id));
  }

  forget(ids: readonly Id[]): void {
    this.#revocations += 1;
    for (const [key, { session }] of this.#cache) if (ids.includes(session.id)) this.#cache.delete(key);
  }

  #remember(key: string, found: Omit<Cached, 'until'>): void {
    if (this.#cache.size >= CACHE_ENTRIES) this.#cache.clear();
    this.#cache.set(key, { ...found, until: this.#ports.clock.monotonic() + CACHE_MS });
  }

  async #load(digest: Uint8Array): Promise<{ session: Session; account: Account } | null> {
    const { db } = this.#ports;
    const session = await db
      .selectFrom('session')
      .selectAll()
      .where((where) =>
        where.or([where('token_hash', '=', digest), where('previous_token_hash', '=', digest)]),
      )
      .executeTakeFirst();
    return session ? this.#withAccount(session) : null;
  }

  async #withAccount(session: Session): Promise<{ session: Session; account: Account } | null> {
    const account = await this.#ports.db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', session.account)
      .executeTakeFirst();
    return account && account.disabled_at === null && account.deleted_at === null
      ? { session, account }
      : null;
  }

  async #renew(session: Session, digest: Uint8Array): Promise<Renewal> {
    const now = this.#ports.clock.now();
    const isCurrent = keyOf(session.token_hash) === keyOf(digest);
    const rotatedAt = session.rotated_at ?? session.created_at;
    // The first use of a new token is written down: from then on the old one is known to be replaced.
    const isUsed = session.rotated_at === null || session.last_used_at > session.rotated_at;
    if (!isCurrent) {
      if (now < rotatedAt + GRACE_MS) return UNCHANGED;
      // The answer with the new token never arrived: whoever holds the old one gets another.
      return isUsed ? { isOver: true, replacement: null } : this.#rotate(session, digest);
    }
    if (session.kind === 'web' && now >= rotatedAt + ROTATE_EVERY_MS) return this.#rotate(session, digest);
    if (!isUsed || now >= session.last_used_at + TOUCH_EVERY_MS) await this.#touch(session);
    return UNCHANGED;
  }

  /** Gives the session a new token, unless another request was faster. */
  async #rotate(session: Session, presented: Uint8Array): Promise<Renewal> {
    const { db, clock } = this.#ports;
    const token = createToken(session.kind);
    const now = clock.now();
    const { numUpdatedRows } = await db
      .updateTable('session')
      .set({
        token_hash: tokenDigest(token),
        previous_token_hash: presented,
        rotated_at: now,
        last_used_at: now,
      })
      .where('id', '=', session.id)
      .where('token_hash', '=', session.token_hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    this.forget([session.id]);
    return { isOver: false, replacement: numUpdatedRows === 1n ? token : null };
  }

  async #touch(session: Session): Promise<void> {
    const { db, clock } = this.#ports;
    // Later than the rotation also within its millisecond: that is how a used token is told from an unused one.
    const usedAt = Math.max(clock.now(), (session.rotated_at ?? 0) + 1);
    await db.updateTable('session').set({ last_used_at: usedAt }).where('id', '=', session.id).execute();
    this.forget([session.id]);
  }
}

export function createSessions(ports: SessionPorts): Sessions {
  return new DatabaseSessions(ports);
}
