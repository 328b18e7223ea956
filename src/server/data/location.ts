// The location of the database, from the configuration.

export const DATABASE_FILE = 'posthaste.db';

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
