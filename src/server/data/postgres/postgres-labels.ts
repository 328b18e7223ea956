// Labels that stand for each other in two scopes, on PostgreSQL.
import type { Id } from '#core/ids.ts';
import type { LabelTwin } from '../store.ts';
import type { Session, Statement } from './postgres-connection.ts';

const COLUMNS = 'account, personal_label, scope, shared_label';

const SQL = {
  // By either side, and all that the same label of the person stands for elsewhere.
  read: {
    name: 'label-twins',
    text:
      `SELECT ${COLUMNS} FROM label_twin WHERE account = $1 AND (personal_label = ANY($2::text[]) OR ` +
      'shared_label = ANY($2::text[]) OR personal_label IN (SELECT personal_label FROM label_twin WHERE account = $1 AND ' +
      'shared_label = ANY($2::text[]))) ORDER BY personal_label, scope',
  },
  save: {
    name: 'save-label-twin',
    text:
      `INSERT INTO label_twin (${COLUMNS}) VALUES ($1, $2, $3, $4) ` +
      'ON CONFLICT (account, personal_label, scope) DO UPDATE SET shared_label = excluded.shared_label',
  },
} as const satisfies Record<string, Statement>;

export async function readLabelTwins(
  session: Session,
  account: number,
  labels: readonly Id[],
): Promise<readonly LabelTwin[]> {
  if (labels.length === 0) return [];
  const found = await session.all(SQL.read, account, labels);
  return found.map(([, personalLabel, scope, sharedLabel]) => ({
    account,
    personalLabel: personalLabel as Id,
    scope: scope as Id,
    sharedLabel: sharedLabel as Id,
  }));
}

export async function saveLabelTwin(session: Session, twin: LabelTwin): Promise<void> {
  const { account, personalLabel, scope, sharedLabel } = twin;
  await session.run(SQL.save, account, personalLabel, scope, sharedLabel);
}
