// Releases of the desktop client: the signed manifest of a version, and how many devices may take it. The files are with the other content.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE desktop_release (
  version ${text} PRIMARY KEY,
  signed ${text} NOT NULL,
  staged_percent ${integer} NOT NULL,
  created_at ${integer} NOT NULL
)${end};
`;

/** The table of desktop releases. */
export const desktopReleases: Migration = {
  version: 35,
  name: 'desktop releases',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
