// Real servers of one PostgreSQL that are killed, stand still, lose their connections, and whose database crashes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { must } from '#core/assert.ts';
import { type BucketServer, startBucket } from '../../bucket-server.ts';
import { type PostgresInstance, startPostgres } from '../../contracts/postgres-instance.ts';
import { type ServerChild, startServerChild } from '../server-child.ts';

/** Some seconds: longer than it takes a database to start. */
const MOST_TRIES = 50;

export class Cluster {
  readonly counts = { kill: 0, stop: 0, cut: 0, crash: 0 };
  readonly #instance: PostgresInstance;
  readonly #bucket: BucketServer;
  readonly #root: string;
  readonly #url: string;
  /** By place; null while one is gone. */
  readonly #servers: (ServerChild | null)[];

  private constructor(
    instance: PostgresInstance,
    at: {
      readonly bucket: BucketServer;
      readonly root: string;
      readonly url: string;
      readonly nodes: number;
    },
  ) {
    this.#instance = instance;
    this.#bucket = at.bucket;
    this.#root = at.root;
    this.#url = at.url;
    this.#servers = Array.from({ length: at.nodes }, () => null);
  }

  static async start(nodes: number): Promise<Cluster> {
    const root = await mkdtemp(join(tmpdir(), 'posthaste-cluster-'));
    const [instance, bucket] = await Promise.all([startPostgres(), startBucket()]);
    const url = (await instance.createDatabase()).replace('@/', '@localhost/');
    const cluster = new Cluster(instance, { bucket, root, url, nodes });
    try {
      // The first makes the tables.
      for (let place = 0; place < nodes; place += 1) await cluster.#begin(place);
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /** Addresses of those that were not taken away. */
  get addresses(): readonly string[] {
    return this.#servers.flatMap((server) => server?.address ?? []);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server?.kill();
    await this.#instance.stop();
    this.#bucket.close();
    await rm(this.#root, { recursive: true, force: true });
  }

  /** Kills one, and starts it again. */
  async kill(place: number): Promise<void> {
    const server = this.#servers[place];
    if (!server) return;
    this.counts.kill += 1;
    this.#servers[place] = null;
    await server.kill();
    await this.#begin(place);
  }

  /** One stands still for so long, with all that it holds. */
  async stop(place: number, ms: number): Promise<void> {
    const server = this.#servers[place];
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
    await this.#instance.crash();
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

  /** As often as it takes: the database may just be crashing. */
  async #ask<T extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly T[]> {
    for (let tries = 1; ; tries += 1) {
      const client = new pg.Client({ connectionString: this.#url });
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

  async #begin(place: number): Promise<void> {
    const environment = {
      DATABASE_URL: this.#url,
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BLOB_URL: this.#bucket.url,
      BACKUPS: 'off',
      DRAIN_SECONDS: '0',
    };
    this.#servers[place] = await startServerChild(join(this.#root, String(place)), environment);
  }

  /** Whether each of them answers that it is ready. */
  async settled(lateMs: number): Promise<void> {
    const late = performance.now() + lateMs;
    for (const place of this.#servers.keys()) {
      for (;;) {
        const server = must(this.#servers[place] ?? null, 'all of them are there in the end');
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
