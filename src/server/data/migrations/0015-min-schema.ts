// How new a device has to be to read a scope. Devices of an earlier protocol version than that are told to update.
import type { Migration } from '../migration.ts';

/** The protocol version that a scope asks for. */
export const minSchema: Migration = {
  version: 15,
  name: 'protocol that a scope asks for',
  up: (target) =>
    target.run(
      `ALTER TABLE scope ADD COLUMN min_schema ${target.kind === 'sqlite' ? 'INTEGER' : 'bigint'} NOT NULL DEFAULT 1;`,
    ),
};
