// Real servers of one PostgreSQL, which another one follows, with a link between each of them and whatever it speaks to. They are killed, stand
// still, and lose their links; the database crashes, or fails over to the one that follows.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { must } from '#core/assert.ts';
import { type BucketServer, startBucket } from '../../bucket-server.ts';
import {
  type PostgresInstance,
  type PostgresStandby,
  startPostgres,
} from '../../contracts/postgres-instance.ts';
import { type ServerChild, startServerChild } from '../server-child.ts';
import { Link, type LinkState } from './link.ts';
import type { SeenTask } from './witness.ts';

/** Some seconds: longer than it takes a database to start. */
const MOST_TRIES = 50;
/** Each way: as on another continent, and a bit. */
const SLOW_MS = 150;

/** Between a server and whom it speaks to. */
export const linkNames = ['database', 'bucket', 'devices'] as const;
export type LinkName = (typeof linkNames)[number];

/** What becomes of what one database has and the one that follows it has not yet when it is lost. */
type Following = 'synchronous' | 'asynchronous';

interface Place {
  /** Its program; undefined: today's. */
  main: string | undefined;
  /** Where it was last, also while it is gone. */
  address: string;
  readonly links: Readonly<Record<LinkName, Link>>;
  /** Null while it is gone. */
  server: ServerChild | null;
}

export interface Program {
  readonly main?: string;
  readonly drainSeconds?: number;
}

interface Parts {
  readonly drainSeconds: number;
  readonly instance: PostgresInstance;
  readonly bucket: BucketServer;
  readonly root: string;
  readonly database: string;
  readonly replication: Link;
  readonly beside: Link;
}

export class Cluster {
  readonly counts = { kill: 0, stop: 0, cut: 0, crash: 0, failover: 0, lost: 0, link: 0 };
  readonly #parts: Parts;
  readonly #places: Place[] = [];
  #primary: PostgresInstance;
  #standby: PostgresStandby | null = null;
  #isChanging = false;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#primary = parts.instance;
  }

  /** `main`: their program, where it is not today's. */
  static async start(nodes: number, { main, drainSeconds = 0 }: Program = {}): Promise<Cluster> {
    const root = await mkdtemp(join(tmpdir(), 'posthaste-cluster-'));
    const [instance, bucket] = await Promise.all([startPostgres(), startBucket()]);
    const database = new URL((await instance.createDatabase()).replace('@/', '@localhost/')).pathname;
    const [replication, beside] = [await Link.open(instance.socket), await Link.open(instance.socket)];
    const cluster = new Cluster({ instance, bucket, root, database, replication, beside, drainSeconds });
    try {
      // The first makes the tables.
      for (let place = 0; place < nodes; place += 1) {
        const links = {
          database: await Link.open(instance.socket),
          bucket: await Link.open(Number(new URL(bucket.url).port)),
          devices: await Link.open(0),
        };
        cluster.#places.push({ links, server: null, address: '', main });
        await cluster.#begin(place);
      }
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /** Addresses of those that were not taken away. */
  get addresses(): readonly string[] {
    return this.#places.flatMap(({ server, links }) =>
      server === null ? [] : [`http://127.0.0.1:${links.devices.port}`],
    );
  }

  /** Of all servers, without a link before them, also where one is gone. */
  get directly(): readonly string[] {
    return this.#places.map(({ address }) => address);
  }

  /** One is told to stop, and today's program takes its place when it has. */
  async replace(place: number): Promise<void> {
    const at = this.#places[place];
    const { server } = at ?? {};
    if (!at || !server) return;
    const ended = once(server.child, 'close');
    server.child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    if (code !== 0)
      throw new Error(`A server that was told to stop ended with ${code}: ${server.lastOutput()}`);
    at.server = null;
    at.main = undefined;
    await this.#begin(place);
  }

  /** Titles of all tasks that begin so, whomever they belong to, as the database has them. */
  async titles(beginning: string): Promise<readonly string[]> {
    const rows = await this.#ask<{ title: string }>(
      `SELECT fields::json->>'title' AS title FROM entity WHERE type = 'task' AND fields::json->>'title' LIKE $1`,
      [`${beginning}%`],
    );
    return rows.map(({ title }) => title);
  }

  async close(): Promise<void> {
    const { replication, beside, instance, bucket, root } = this.#parts;
    for (const { server } of this.#places) await server?.kill();
    for (const { links } of this.#places) for (const name of linkNames) await links[name].close();
    await this.#standby?.stop();
    await replication.close();
    await beside.close();
    await this.#primary.stop();
    await instance.stop();
    bucket.close();
    await rm(root, { recursive: true, force: true });
  }

  /** Kills one, and starts it again. */
  async kill(place: number): Promise<void> {
    const at = this.#places[place];
    const server = at?.server ?? null;
    if (!at || !server) return;
    this.counts.kill += 1;
    at.server = null;
    await server.kill();
    await this.#begin(place);
  }

  /** One stands still for so long, with all that it holds. */
  async stop(place: number, ms: number): Promise<void> {
    const server = this.#places[place]?.server;
    if (!server) return;
    this.counts.stop += 1;
    server.child.kill('SIGSTOP');
    await delay(ms);
    server.child.kill('SIGCONT');
  }

  /** Ends every connection of the servers to their database with this likelihood. */
  async cut(share: number): Promise<void> {
    this.counts.cut += 1;
    await this.#ask(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < ${share}`,
    );
  }

  /** The database ends like in a power cut, and starts again. */
  async crash(): Promise<void> {
    this.counts.crash += 1;
    await this.#primary.crash();
  }

  /** Between one server and whom it speaks to nothing passes for so long, or it passes late. */
  async trouble(
    place: number,
    name: LinkName,
    how: Exclude<LinkState, 'open'> | 'slow',
    ms: number,
  ): Promise<void> {
    const link = this.#places[place]?.links[name];
    if (!link) return;
    this.counts.link += 1;
    if (how === 'slow') link.slow(SLOW_MS);
    else link.set(how);
    await delay(ms);
    link.slow(0);
    link.set('open');
  }

  /**
   * The database is lost with its machine, and the one that follows it takes its place. For `behindMs` before that it was told nothing:
   * what was written meanwhile is lost with the machine, or, where it follows synchronously, nobody was told that it is written.
   * `connections`: what becomes of those that are there; where they are silent, nobody says that they have ended.
   */
  async failOver(
    behindMs: number,
    following: Following,
    connections: Exclude<LinkState, 'open'> = 'cut',
  ): Promise<void> {
    const { replication, beside } = this.#parts;
    const standby = this.#standby;
    if (standby === null) return;
    this.#isChanging = true;
    replication.set('silent');
    const before = await this.#writtenUntil();
    await delay(behindMs);
    let isLost = false;
    for (let tries = 0; !isLost && tries < MOST_TRIES; tries += 1) {
      isLost = (await this.#writtenUntil()) !== before;
      // Where it follows synchronously nothing is written without it.
      if (following === 'synchronous') break;
      if (!isLost) await delay(50);
    }
    if (isLost) this.counts.lost += 1;
    const links = [beside, ...this.#places.map((place) => place.links.database)];
    for (const link of links) link.set(connections);
    await this.#primary.lose();
    this.#primary = await standby.promote();
    this.#standby = null;
    for (const link of [replication, ...links]) {
      link.lead(this.#primary.socket);
      link.set('open');
    }
    this.counts.failover += 1;
    await this.follow(following);
    this.#isChanging = false;
  }

  /** Resolves with true once the database that follows has what is written now; with false when that cannot be known. */
  async isFollowed(): Promise<boolean> {
    if (this.#standby === null && !this.#isChanging) return true;
    const changes = this.counts.failover;
    const [now] = await this.#ask<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const [row] = await this.#ask<{ is: boolean }>(
        `SELECT coalesce(bool_and(flush_lsn >= $1::pg_lsn), false) AS is FROM pg_stat_replication WHERE state = 'streaming'`,
        [must(now, 'it says').lsn],
      );
      if (this.counts.failover !== changes) return false;
      if (row?.is === true) return true;
      await delay(50);
    }
    return false;
  }

  async #writtenUntil(): Promise<string | undefined> {
    return (await this.#ask<{ n: string }>('SELECT coalesce(sum(version), 0)::text AS n FROM scope'))[0]?.n;
  }

  /** From now on another database follows that of the servers. */
  async follow(following: Following): Promise<void> {
    const through = `host=127.0.0.1 port=${this.#parts.replication.port} user=app application_name=standby`;
    this.#standby ??= await this.#primary.follow(through);
    const names = following === 'synchronous' ? 'standby' : '';
    await this.#ask(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await this.#ask('SELECT pg_reload_conf()');
  }

  /** Each operation that the servers have taken, from the history, as often as it stands there. */
  async taken(scope: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#ask<{ u: string }>(
      `SELECT operation::json->>'u' AS u FROM history WHERE scope = $1`,
      [scope],
    );
    const times = new Map<string, number>();
    for (const { u } of rows) times.set(u, (times.get(u) ?? 0) + 1);
    return times;
  }

  /** The tasks of a scope, as the database has them. */
  async tasks(scope: string): Promise<readonly SeenTask[]> {
    const rows = await this.#ask<{ id: string; title: string; done: boolean }>(
      `SELECT id, fields::json->>'title' AS title, status IS NOT NULL AS done FROM entity
       WHERE scope = $1 AND type = 'task' AND deleted IS NULL`,
      [scope],
    );
    return rows.map(({ id, title, done }) => ({ id, title, isDone: done }));
  }

  /** As often as it takes: the database may just be crashing. */
  async #ask<T extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly T[]> {
    for (let tries = 1; ; tries += 1) {
      const client = new pg.Client({ connectionString: this.#urlOver(this.#parts.beside) });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query<T>(sql, [...values])).rows;
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
        await delay(200);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  #urlOver({ port }: Link): string {
    return `postgres://app@127.0.0.1:${port}${this.#parts.database}`;
  }

  async #begin(place: number): Promise<void> {
    const { bucket, root, drainSeconds } = this.#parts;
    const at = must(this.#places[place] ?? null, 'it has a place');
    const { links } = at;
    const files = new URL(bucket.url);
    files.port = String(links.bucket.port);
    const environment = {
      DATABASE_URL: this.#urlOver(links.database),
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BLOB_URL: files.href,
      BACKUPS: 'off',
      DRAIN_SECONDS: String(drainSeconds),
    };
    // It may come while its links are in trouble, or while the database changes.
    for (let tries = 1; at.server === null; tries += 1) {
      try {
        at.server = await startServerChild(
          join(root, String(place)),
          environment,
          at.main === undefined ? {} : { main: at.main },
        );
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
        await delay(200);
      }
    }
    at.address = at.server.address;
    links.devices.set('cut');
    links.devices.lead(Number(new URL(at.server.address).port));
    links.devices.set('open');
  }

  /** Whether each of them answers that it is ready. */
  async settled(lateMs: number): Promise<void> {
    const late = performance.now() + lateMs;
    for (const at of this.#places) {
      for (;;) {
        const { server } = at;
        if (server === null) {
          if (performance.now() > late) throw new Error('A server did not come back.');
          await delay(100);
          continue;
        }
        if (server.child.exitCode !== null)
          throw new Error(`A server ended by itself: ${server.lastOutput()}`);
        const isReady = await fetch(`${server.address}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) break;
        if (performance.now() > late)
          throw new Error(`A server did not become ready again: ${server.lastOutput()}`);
        await delay(100);
      }
    }
  }
}
