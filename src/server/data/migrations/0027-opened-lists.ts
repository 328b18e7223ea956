// Lists on their way out of a sealed scope or back, beside its state: until they are there the scope holds plain values.
import type { Migration } from '../migration.ts';

/** Lists that are opened in sealed scopes. */
export const openedLists: Migration = {
  version: 27,
  name: 'opened lists of sealed scopes',
  up: (target) =>
    target.run(
      `ALTER TABLE scope ADD COLUMN sealing_lists ${target.kind === 'sqlite' ? 'TEXT' : 'text COLLATE "C"'};`,
    ),
};
