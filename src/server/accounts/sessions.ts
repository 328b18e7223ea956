// Sessions: opened at sign-in, found by token on every request, listed and ended by their account. Tokens are stored as
// digests only. A web session gets a new token every day; the old one stays valid until the new one has arrived.
import type { CompiledQuery, Kysely, Selectable } from 'kysely';
import { agentName } from '#core/agent-name.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { SessionKind, TokenAccess } from '../access/authorise.ts';
import type { EssentialWrites } from '../care/room.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
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
/** Also the longest time that a revocation by another process goes unnoticed. */
const CACHE_MS = SECOND;
const CACHE_ENTRIES = 10_000;

/** Max-Age of the cookie: the longest life of a web session. */
export const webSessionSeconds = (180 * DAY) / SECOND;

export type Session = Selectable<SessionTable>;
/** A row of the table of accounts. */
export type Account = Selectable<AccountTable>;

/** A live session with its account, as found by its token. */
export interface FoundSession {
  readonly session: Session;
  readonly account: Account;
  /** A new token that the client must store from now on. */
  readonly replacement: string | null;
}

interface WantedSession {
  readonly account: number;
  readonly kind: SessionKind;
  readonly userAgent: string;
  /** Absent: derived from the user agent. */
  readonly name?: string;
  /** Absent: `write`. */
  readonly access?: TokenAccess;
  /** Refused while nothing can be written: it is kept where a restart must find it. */
  readonly isLasting?: true;
}

interface OpenedSession {
  readonly token: string;
  readonly session: Session;
}

/** Sessions of all kinds. Lookups are cached for a second. */
export interface Sessions {
  open(wanted: WantedSession): Promise<OpenedSession>;
  /**
   * As `open`, for a proof of identity that began at this entry version of the account. Null: the credentials have changed
   * since, so the proof is void.
   */
  admit(wanted: WantedSession, entryVersion: number): Promise<OpenedSession | null>;
  /** Null: not a token of that kind, or its session is over, or its account may not sign in. */
  find(token: string, kind: SessionKind): Promise<FoundSession | null>;
  /** Live sessions of an account, the last used first. */
  list(account: number): Promise<readonly Session[]>;
  get(id: Id): Promise<Session | undefined>;
  /** As `find`, by id, which is no secret. */
  good(id: Id): Promise<Omit<FoundSession, 'replacement'> | null>;
  /** Records that the person re-authenticated. */
  confirm(id: Id): Promise<void>;
  /** Ends sessions: here at once, in other processes within a second. */
  revoke(ids: readonly Id[]): Promise<void>;
  /** Which of these are still valid. */
  alive(ids: readonly Id[]): Promise<ReadonlySet<Id>>;
  /** Whether a session that was found just now would be found again, as far as this process knows; false: it is to be looked up. */
  stillHolds(session: Session): boolean;
  /** Drops the cached entries of sessions that something else ended. */
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
  readonly room: EssentialWrites;
  /** Sessions that ended while the database could not record it. */
  readonly ended?: readonly Id[];
}

interface Cached {
  readonly session: Session;
  readonly account: Account;
  readonly until: number;
}

/** How long a re-authentication permits dangerous actions. */
const CONFIRMED_MS = 10 * 60 * SECOND;

/** Whether the session re-authenticated within the last ten minutes. */
export function isConfirmed({ confirmed_at: confirmedAt }: Session, now: number): boolean {
  // A time in the future was recorded before the clock was set back: it says nothing about how long ago that was.
  return confirmedAt !== null && now > confirmedAt - SECOND && now < confirmedAt + CONFIRMED_MS;
}

/** Whether a session is over; its account is not checked. */
export function isOver(session: Session, now: number): boolean {
  if (session.revoked_at !== null) return true;
  if (session.expires_at !== null && now >= session.expires_at) return true;
  return now >= session.last_used_at + LIFETIMES[session.kind].idleMs;
}

const keyOf = (digest: Uint8Array) => Buffer.from(digest).toString('hex');

/** What presenting a token leads to. */
type Renewal = { readonly isOver: boolean; readonly replacement: string | null };

const UNCHANGED: Renewal = { isOver: false, replacement: null };

class DatabaseSessions implements Sessions {
  readonly #ports: SessionPorts;
  readonly #cache = new Map<string, Cached>();
  /** The key that a session, as it was found, is cached under. */
  readonly #keys = new WeakMap<Session, string>();
  /** Sessions, by id, that a full disk kept from being written, and ended ones. */
  readonly #unwritten = new Map<Id, Session>();
  readonly #ended: Set<Id>;
  #revocations = 0;

  /** The two queries of every look-up, compiled once. */
  readonly #byDigest: CompiledQuery<Session>;
  readonly #accountOf: CompiledQuery<Account>;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    const { db } = ports;
    const digest = new Uint8Array();
    this.#byDigest = db
      .selectFrom('session')
      .selectAll()
      .where((where) =>
        where.or([where('token_hash', '=', digest), where('previous_token_hash', '=', digest)]),
      )
      .compile();
    this.#accountOf = db.selectFrom('account').selectAll().where('id', '=', 0).compile();
    this.#ended = new Set(ports.ended);
  }

  async open(wanted: WantedSession): Promise<OpenedSession> {
    const { clock, newId } = this.#ports;
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
    if (wanted.isLasting) await this.#ports.db.insertInto('session').values(session).execute();
    else await this.#write(session);
    return { token, session };
  }

  /** A sign-in while nothing can be written lasts until this process ends, or for good once there is room. */
  async #write(session: Session): Promise<void> {
    const { db, room } = this.#ports;
    const { id } = session;
    this.#unwritten.set(id, session);
    try {
      await room.eventually(async () => {
        const latest = this.#unwritten.get(id);
        if (latest !== undefined) await db.insertInto('session').values(latest).execute();
        this.#unwritten.delete(id);
      });
    } catch (error) {
      this.#unwritten.delete(id);
      throw error;
    }
  }

  async admit(wanted: WantedSession, entryVersion: number): Promise<OpenedSession | null> {
    const opened = await this.open(wanted);
    // Read after inserting the session: a concurrent "end all sessions" has either ended it or is seen here.
    const account = await this.#ports.db
      .selectFrom('account')
      .select('entry_version')
      .where('id', '=', wanted.account)
      .executeTakeFirst();
    if (account?.entry_version === entryVersion) return opened;
    await this.revoke([opened.session.id]);
    return null;
  }

  async find(token: string, kind: SessionKind): Promise<FoundSession | null> {
    const { clock } = this.#ports;
    if (tokenKind(token) !== kind) return null;
    const digest = tokenDigest(token);
    const key = keyOf(digest);
    const cached = this.#cache.get(key);
    if (cached && cached.until > clock.monotonic() && !this.#isOver(cached.session))
      return { session: cached.session, account: cached.account, replacement: null };
    const revocationsBefore = this.#revocations;
    const found = await this.#load(digest);
    if (!found || found.session.kind !== kind || this.#isOver(found.session)) return null;
    const renewal = await this.#renewed(found.session, digest);
    if (renewal.isOver) return null;
    // A session read before it ended must not be cached afterwards.
    if (this.#revocations === revocationsBefore) this.#remember(key, found);
    return { ...found, replacement: renewal.replacement };
  }

  async list(account: number): Promise<readonly Session[]> {
    const { db } = this.#ports;
    const sessions = await db
      .selectFrom('session')
      .selectAll()
      .where('account', '=', account)
      .where('revoked_at', 'is', null)
      .orderBy('last_used_at', 'desc')
      .execute();
    const unwritten = [...this.#unwritten.values()].filter((session) => session.account === account);
    return [...unwritten, ...sessions].filter((session) => !this.#isOver(session));
  }

  async get(id: Id): Promise<Session | undefined> {
    const { db } = this.#ports;
    return (
      this.#unwritten.get(id) ??
      (await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst())
    );
  }

  async good(id: Id): Promise<Omit<FoundSession, 'replacement'> | null> {
    const session = await this.get(id);
    return session && !this.#isOver(session) ? this.#withAccount(session) : null;
  }

  async confirm(id: Id): Promise<void> {
    const { db, clock } = this.#ports;
    const unwritten = this.#unwritten.get(id);
    if (unwritten) this.#unwritten.set(id, { ...unwritten, confirmed_at: clock.now() });
    else await db.updateTable('session').set({ confirmed_at: clock.now() }).where('id', '=', id).execute();
    this.forget([id]);
  }

  async revoke(ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return;
    const { db, clock, writeDown, onRevoked, room } = this.#ports;
    const now = clock.now();
    for (const id of ids) this.#ended.add(id);
    // Signing out never waits for room on the disk.
    await room.eventually(async () => {
      await writeDown(ids);
      await db
        .updateTable('session')
        .set({ revoked_at: now })
        .where('id', 'in', ids)
        .where('revoked_at', 'is', null)
        .execute();
      // A session still waiting to be written is written before its end.
      for (const id of ids) this.#ended.delete(id);
    });
    this.forget(ids);
    onRevoked(ids);
  }

  async alive(ids: readonly Id[]): Promise<ReadonlySet<Id>> {
    if (ids.length === 0) return new Set();
    const { db } = this.#ports;
    const rows = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account')
      .selectAll('session')
      .where('session.id', 'in', ids)
      .where('account.disabled_at', 'is', null)
      .where('account.deleted_at', 'is', null)
      .execute();
    const unwritten = ids.flatMap((id) => this.#unwritten.get(id) ?? []);
    return new Set([...rows, ...unwritten].filter((session) => !this.#isOver(session)).map(({ id }) => id));
  }

  stillHolds(session: Session): boolean {
    const cached = this.#cache.get(this.#keys.get(session) ?? '');
    return (
      cached?.session === session && cached.until > this.#ports.clock.monotonic() && !this.#isOver(session)
    );
  }

  forget(ids: readonly Id[]): void {
    this.#revocations += 1;
    for (const [key, { session }] of this.#cache) if (ids.includes(session.id)) this.#cache.delete(key);
  }

  #remember(key: string, found: Omit<Cached, 'until'>): void {
    if (this.#cache.size >= CACHE_ENTRIES) this.#cache.clear();
    this.#cache.set(key, { ...found, until: this.#ports.clock.monotonic() + CACHE_MS });
    this.#keys.set(found.session, key);
  }

  #isOver(session: Session): boolean {
    return this.#ended.has(session.id) || isOver(session, this.#ports.clock.now());
  }

  async #load(digest: Uint8Array): Promise<{ session: Session; account: Account } | null> {
    const { db } = this.#ports;
    const query: CompiledQuery<Session> = { ...this.#byDigest, parameters: [digest, digest] };
    const [session] = (await db.executeQuery(query)).rows;
    if (session) return this.#withAccount(session);
    const unwritten = [...this.#unwritten.values()].find(
      ({ token_hash: held }) => keyOf(held) === keyOf(digest),
    );
    return unwritten ? this.#withAccount(unwritten) : null;
  }

  async #withAccount(session: Session): Promise<{ session: Session; account: Account } | null> {
    const query: CompiledQuery<Account> = { ...this.#accountOf, parameters: [session.account] };
    const [account] = (await this.#ports.db.executeQuery(query)).rows;
    return account && account.disabled_at === null && account.deleted_at === null
      ? { session, account }
      : null;
  }

  /** A token that cannot be renewed for lack of room stays valid. */
  async #renewed(session: Session, digest: Uint8Array): Promise<Renewal> {
    if (this.#unwritten.has(session.id)) return UNCHANGED;
    try {
      return await this.#renew(session, digest);
    } catch (error) {
      if (!takesNoWrites(error)) throw error;
      return UNCHANGED;
    }
  }

  async #renew(session: Session, digest: Uint8Array): Promise<Renewal> {
    const now = this.#ports.clock.now();
    const isCurrent = keyOf(session.token_hash) === keyOf(digest);
    const rotatedAt = session.rotated_at ?? session.created_at;
    // The first use of a new token is recorded: from then on the old one is known to be replaced.
    const isUsed = session.rotated_at === null || session.last_used_at > session.rotated_at;
    if (!isCurrent) {
      if (now < rotatedAt + GRACE_MS) return UNCHANGED;
      // The answer with the new token never arrived: the holder of the old one gets another.
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
    // Later than the rotation even within the same millisecond: this tells a used token from an unused one.
    const usedAt = Math.max(clock.now(), (session.rotated_at ?? 0) + 1);
    await db.updateTable('session').set({ last_used_at: usedAt }).where('id', '=', session.id).execute();
    this.forget([session.id]);
  }
}

/** Sessions in the database, with a cache. */
export function createSessions(ports: SessionPorts): Sessions {
  return new DatabaseSessions(ports);
}
