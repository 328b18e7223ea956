// Backups and restores for the commands and the server, independent of the engine.
import { join } from 'node:path';
import type { RestoreReport } from './backup-report.ts';
import { DATABASE_FILE, isPostgresUrl } from './location.ts';
import { restorePostgres } from './postgres/postgres-backup.ts';
import { restoreSqlite } from './sqlite/sqlite-backup.ts';

/**
 * Replaces the database with a backup; the previous one is kept beside it. The server must not be running. Rejects,
 * changing nothing, when the backup is damaged, from another engine, or newer than this program. Blobs are not part of it.
 */
export async function restoreDatabase(options: {
  readonly url?: string;
  readonly dataDir: string;
  readonly from: string;
}): Promise<RestoreReport> {
  const { url, dataDir, from } = options;
  if (url !== undefined && url !== '') {
    if (!isPostgresUrl(url)) throw new Error('DATABASE_URL must begin with postgres:// or postgresql://.');
    return await restorePostgres(from, url);
  }
  return restoreSqlite(from, join(dataDir, DATABASE_FILE));
}
