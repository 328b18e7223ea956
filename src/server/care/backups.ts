// Automatic backups: one every hour in which something changed, verified before it counts, thinned out with age.
// Not here: how a copy is made and verified (data/), and restoring one (the restore command).
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { statfs, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { BackupReport } from '../data/backup-report.ts';
import type { Tables } from '../data/tables.ts';
import { backupsToKeep } from './backup-rotation.ts';

const HOUR_MS = 3_600_000;
/** A change missing from all backups for this long raises an alarm. */
const OVERDUE_MS = 2 * HOUR_MS;
/** Must stay free besides the copy itself: the live database comes first. */
const SPARE_SHARE = 0.05;
const NAME = /^posthaste-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/;
const UNFINISHED = /^posthaste-.*\.backup\.partial-/;

export interface BackupPorts {
  readonly db: Kysely<Tables>;
  readonly backup: (to: string) => Promise<BackupReport>;
  readonly folder: string;
  readonly clock: Clock;
  /** Free and total bytes of the file system of a folder. Absent: asks the system. */
  readonly space?: (folder: string) => Promise<{ readonly free: number; readonly total: number }>;
}

export type BackupOutcome =
  | { readonly type: 'made'; readonly report: BackupReport; readonly removed: number }
  /** The newest backup has everything. */
  | { readonly type: 'unchanged' }
  | { readonly type: 'too-little-space' };

/** The automatic backups of one database. */
export interface Backups {
  /** Makes a backup if something changed since the newest one. A call during a run waits for that run. */
  run(): Promise<BackupOutcome>;
  /** Milliseconds since the newest existing backup; null: there is none. */
  ageMs(): number | null;
  /** Whether a change is older than two hours and in no backup. */
  isOverdue(): boolean;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
}

export function backupName(at: number): string {
  return `posthaste-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

function timeOf(name: string): number | null {
  const found = NAME.exec(name);
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

async function systemSpace(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

class FolderOfBackups implements Backups {
  readonly #ports: BackupPorts;
  /** Mark of the newest backup, to tell whether anything changed since. */
  #covered: string | null = null;
  #newest: number | null;
  /** Since when there are changes without a backup. */
  #dueSince: number | null = null;
  #running: Promise<BackupOutcome> | null = null;
  #isTidied = false;

  constructor(ports: BackupPorts) {
    this.#ports = ports;
    mkdirSync(ports.folder, { recursive: true, mode: 0o700 });
    chmodSync(ports.folder, 0o700);
    this.#newest = this.#times().at(-1) ?? null;
  }

  run(): Promise<BackupOutcome> {
    if (!this.#isTidied) this.#tidy();
    this.#running ??= this.#make().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  ageMs(): number | null {
    // Several servers may use one folder, of which another one makes the backups.
    const newest = this.#times().at(-1);
    return newest === undefined ? null : Math.max(0, this.#ports.clock.now() - newest);
  }

  isOverdue(): boolean {
    return this.#dueSince !== null && this.#ports.clock.now() - this.#dueSince > OVERDUE_MS;
  }

  async idle(): Promise<void> {
    // The caller that started the run gets its error.
    await this.#running?.catch(() => undefined);
  }

  /** What an interrupted backup left. Not before the first one is made here: until then another server may be making one. */
  #tidy(): void {
    const { folder } = this.#ports;
    for (const name of readdirSync(folder))
      if (UNFINISHED.test(name)) rmSync(join(folder, name), { force: true });
    this.#isTidied = true;
  }

  /** Oldest first. */
  #times(): readonly number[] {
    return readdirSync(this.#ports.folder)
      .map(timeOf)
      .filter((time) => time !== null)
      .toSorted((a, b) => a - b);
  }

  /** Differs whenever something was written that a person would miss. */
  async #mark(): Promise<string> {
    const { rows } = await sql<Record<string, unknown>>`
      SELECT (SELECT count(*) FROM scope) AS scopes, (SELECT sum(version) FROM scope) AS versions,
        (SELECT sum(horizon) FROM scope) AS horizons, (SELECT count(*) FROM account) AS accounts,
        (SELECT count(*) FROM member) AS members, (SELECT max(id) FROM security_event) AS events,
        (SELECT max(version) FROM schema_version) AS migrations`.execute(this.#ports.db);
    return JSON.stringify(rows);
  }

  async #make(): Promise<BackupOutcome> {
    const { clock, folder, backup } = this.#ports;
    const mark = await this.#mark();
    if (mark === this.#covered && this.#newest !== null) return { type: 'unchanged' };
    const now = clock.now();
    this.#dueSince ??= now;
    if (!(await this.#hasRoom())) return { type: 'too-little-space' };
    const path = join(folder, backupName(now));
    // Twice within a second: the existing backup is enough until the next hour.
    if (existsSync(path)) return { type: 'unchanged' };
    const report = await backup(path);
    this.#covered = mark;
    this.#newest = timeOf(backupName(now));
    this.#dueSince = null;
    return { type: 'made', report, removed: this.#thin(now) };
  }

  async #hasRoom(): Promise<boolean> {
    const { folder, space = systemSpace } = this.#ports;
    const newest = this.#times().at(-1);
    const last = newest === undefined ? 0 : (await stat(join(folder, backupName(newest)))).size;
    const { free, total } = await space(folder);
    return free >= last * 1.5 + total * SPARE_SHARE;
  }

  #thin(now: number): number {
    const times = this.#times();
    const kept = backupsToKeep(times, now);
    const old = times.filter((time) => !kept.has(time));
    for (const time of old) rmSync(join(this.#ports.folder, backupName(time)), { force: true });
    return old.length;
  }
}

/** Creates the folder if necessary. The remains of an interrupted backup go with the next one. */
export function createBackups(ports: BackupPorts): Backups {
  return new FolderOfBackups(ports);
}
