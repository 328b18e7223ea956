// The database of calendars that were read, for reading them without a network. It can always be read anew, so it is emptied where it might
// have to change its form. Not here: what is in it (account/calendars-port.ts).
import { type SideDatabase, withDatabase } from '../storage/side-database.ts';

/** What is kept of an account: its calendars, in the open (`value`) or encrypted (`closed`). */
export type KeptOfAccount =
  | { readonly account: number; readonly value: unknown }
  | { readonly account: number; readonly closed: unknown };

/** By the number of the account. */
export const calendarsDatabase: SideDatabase<{ calendars: { key: number; value: KeptOfAccount } }> = {
  name: 'posthaste-calendars',
  create: (db) => void db.createObjectStore('calendars', { keyPath: 'account' }),
};

/** Of all accounts. */
export async function forgetCalendars(): Promise<void> {
  await withDatabase(calendarsDatabase, (db) => db.clear('calendars'));
}
