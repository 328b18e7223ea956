// Labels that stand for each other in two scopes, on SQLite.
import type { Id } from '#core/ids.ts';
import type { LabelTwin } from '../store.ts';
import type { Connection } from './sqlite-connection.ts';

const COLUMNS = 'account, personal_label, scope, shared_label';
/** By either side, and all that the same label of the person stands for elsewhere. */
const READ =
  `SELECT ${COLUMNS} FROM label_twin WHERE account = ?1 AND (personal_label = ?2 OR shared_label = ?2 OR ` +
  'personal_label IN (SELECT personal_label FROM label_twin WHERE account = ?1 AND shared_label = ?2)) ' +
  'ORDER BY personal_label, scope';
const SAVE = `INSERT INTO label_twin (${COLUMNS}) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET shared_label = excluded.shared_label`;

export function readLabelTwins(db: Connection, account: number, labels: readonly Id[]): readonly LabelTwin[] {
  return labels.flatMap((label) =>
    db.all(READ, account, label).map(([, personalLabel, scope, sharedLabel]) => ({
      account,
      personalLabel: personalLabel as Id,
      scope: scope as Id,
      sharedLabel: sharedLabel as Id,
    })),
  );
}

export function saveLabelTwin(
  db: Connection,
  { account, personalLabel, scope, sharedLabel }: LabelTwin,
): void {
  db.run(SAVE, account, personalLabel, scope, sharedLabel);
}
