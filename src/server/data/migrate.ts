// Migrates a database to this program's schema: numbered migrations, forward only, each in its own transaction.
// Both engines share the numbering; a migration states what each of them runs.
import type { Migration, MigrationTarget } from './migration.ts';
import { api, limitCounts } from './migrations/0008-api.ts';
import { desktopReleases, publicSite } from './migrations/0009-public-site.ts';
import { accountSecurity } from './migrations/0011-account-security.ts';
import { files } from './migrations/0010-files.ts';
import { mailIn } from './migrations/0012-mail-in.ts';
import { billing, redemptions } from './migrations/0013-redemptions.ts';
import { addressLife } from './migrations/0014-address-life.ts';
import { minSchema } from './migrations/0015-min-schema.ts';
import { scopes } from './migrations/0016-scopes.ts';
import { transfers } from './migrations/0017-transfers.ts';
import { sharing } from './migrations/0018-sharing.ts';
import { labelTwins } from './migrations/0019-label-twins.ts';
import { calendarFeeds, feedZone, linkKeys, publicLinks } from './migrations/0020-public-links.ts';
import { pushNotices } from './migrations/0021-push-notices.ts';
import { fileSenders } from './migrations/0022-file-senders.ts';
import { macroRuns } from './migrations/0023-macro-runs.ts';
import { listKeys, openedLists, sealing } from './migrations/0024-sealing.ts';
import { calendarCare, calendars, pairing, takenPairings } from './migrations/0025-pairing.ts';
import { base } from './migrations/0001-base.ts';
import { care, nodes } from './migrations/0002-care.ts';
import { historyGroups, snapshots } from './migrations/0003-snapshots.ts';
import { notes } from './migrations/0004-notes.ts';
import { healing } from './migrations/0005-healing.ts';
import { deviceSession } from './migrations/0006-device-session.ts';
import { reminders } from './migrations/0007-reminders.ts';

/** What an engine implements to be migrated. */
export interface Migratable extends MigrationTarget {
  /** Runs `work` in one transaction that no other process can overlap. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Applied versions; empty for an empty database. */
  applied(): Promise<ReadonlySet<number>>;
  /** Records a version inside the migration's transaction. */
  record(version: number, name: string): Promise<void>;
  /** Called before a database with data is changed. */
  beforeUpgrade(from: number, to: number): Promise<void>;
}

/** In ascending order. A number may be added after a higher one: gaps below the newest are applied too. */
export const migrations: readonly Migration[] = [
  base,
  care,
  snapshots,
  notes,
  healing,
  deviceSession,
  reminders,
  api,
  publicSite,
  files,
  accountSecurity,
  mailIn,
  redemptions,
  addressLife,
  minSchema,
  scopes,
  transfers,
  sharing,
  labelTwins,
  publicLinks,
  pushNotices,
  fileSenders,
  macroRuns,
  sealing,
  pairing,
  openedLists,
  listKeys,
  takenPairings,
  linkKeys,
  desktopReleases,
  calendars,
  calendarCare,
  calendarFeeds,
  billing,
  feedZone,
  nodes,
  limitCounts,
  historyGroups,
];

/** The schema version of this program; 0 without migrations. */
export function newestVersion(known: readonly Migration[] = migrations): number {
  return known.at(-1)?.version ?? 0;
}

/** The database was written by a newer program. Nothing was changed. */
export class SchemaTooNewError extends Error {
  constructor(found: number, known: number) {
    super(
      `This database has schema version ${found}, which a newer Posthaste wrote; this one knows versions up to ` +
        `${known}. Start the newer version, or restore a backup made before the upgrade. Nothing was changed.`,
    );
    this.name = 'SchemaTooNewError';
  }
}

/** Applies missing migrations. One that fails leaves the schema as it was before it and rejects. */
export async function migrate(database: Migratable, known: readonly Migration[] = migrations): Promise<void> {
  const newest = newestVersion(known);
  const applied = await database.applied();
  const found = Math.max(0, ...applied);
  if (found > newest) throw new SchemaTooNewError(found, newest);
  const missing = known.filter(({ version }) => !applied.has(version));
  if (missing.length === 0) return;
  if (found > 0) await database.beforeUpgrade(found, newest);
  for (const migration of missing) {
    await database.exclusively(async () => {
      // Another process may have been faster.
      if ((await database.applied()).has(migration.version)) return;
      await migration.up(database);
      await database.record(migration.version, migration.name);
    });
  }
}
