// Unsent changes of a copy that is kept for another account, as the text of a file. Loaded when asked for.
import { writeUnsent } from '#client/sync-status/unsent-file.ts';
import { createDeviceDatabase } from './device-database.ts';
import { databaseName, type KeptProfile } from '../account/profile.ts';
import { isOperation, isRecoveredItem, readStore } from './salvage.ts';

/** Null when it cannot be read. */
export async function keptText({ profile }: KeptProfile): Promise<string | null> {
  const database = createDeviceDatabase(databaseName(profile.id));
  try {
    return await database.use(async (db, seal) => {
      // It is read, and has nothing to do with what this page writes.
      seal?.end();
      const outbox = await readStore(db, 'outbox', isOperation, seal);
      const recovered = await readStore(db, 'recovered', isRecoveredItem, seal);
      const operations = outbox.entries.map(([, operation]) => operation);
      const items = recovered.entries.map(([, item]) => item);
      const scope = profile.binding?.scope ?? profile.localScope;
      const about = { email: profile.binding?.email ?? null, at: Date.now() };
      return writeUnsent({ scope, operations, recovered: items }, about);
    });
  } catch (error) {
    console.warn('A kept copy could not be read.', error);
    return null;
  } finally {
    database.close();
  }
}
