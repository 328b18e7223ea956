// What is kept about the sealing of a scope, on PostgreSQL.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { cellsToRow } from '../row-columns.ts';
import { cellsToSealing, mustHave, sealingCells, sealingSql, stateCells } from '../sealing-columns.ts';
import type { SealingRecord } from '../store.ts';
import type { Session, Statement } from './postgres-connection.ts';
import { eraseOlder } from './postgres-history.ts';

/** The statement with its parameters as PostgreSQL marks them. */
function statement(name: string, text: string): Statement {
  let count = 0;
  const numbered = text.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
  return { name, text: numbered };
}

const SQL = {
  read: statement('sealing', sealingSql.read),
  state: statement('sealing-state', sealingSql.state),
  save: statement('save-sealing', sealingSql.save),
  since: statement('rows-since', sealingSql.since),
  merging: statement('merging-notes', sealingSql.merging),
  forget: sealingSql.forget.map((text, index) => statement(`forget-before-${index}`, text)),
} as const;

export const readSealing = async (session: Session, scope: Id): Promise<SealingRecord> =>
  cellsToSealing(mustHave(await session.get(SQL.read, scope)));

export async function saveSealing(session: Session, scope: Id, record: SealingRecord): Promise<void> {
  await session.run(SQL.state, ...stateCells(scope, record));
  await session.run(SQL.save, ...sealingCells(scope, record));
}

export async function readSince(
  session: Session,
  scope: Id,
  version: number,
  limit: number,
): Promise<readonly Row[]> {
  return (await session.all(SQL.since, scope, version, limit)).map(cellsToRow);
}

export async function readMerging(session: Session, scope: Id): Promise<readonly Row[]> {
  return (await session.all(SQL.merging, scope)).map(cellsToRow);
}

export async function forgetBefore(session: Session, scope: Id): Promise<void> {
  for (const each of SQL.forget) await session.run(each, scope);
  await eraseOlder(session, scope);
}
