// The location of the database, from the configuration.

export const DATABASE_FILE = 'posthaste.db';

/** Whether a location is that of a PostgreSQL database. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
