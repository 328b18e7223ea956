// Removes from the history on SQLite what was removed for good.
import type { Id } from '#core/ids.ts';
import { cellsToHistory, touchedBeside, withoutEntity } from '../history-columns.ts';
import type { Connection } from './sqlite-connection.ts';

const SQL = {
  entries:
    'SELECT scope, version, seq, entity, account, device, at, operation, replaced FROM history ' +
    'WHERE scope = ? AND entity = ?',
  removeTouched: 'DELETE FROM history_entity WHERE scope = ? AND entity = ? AND version = ? AND seq = ?',
  remove: 'DELETE FROM history WHERE scope = ? AND entity = ?',
  touched:
    'SELECT h.version, h.seq, h.replaced FROM history_entity e JOIN history h USING (scope, version, seq) ' +
    'WHERE e.scope = ? AND e.entity = ?',
  saveReplaced: 'UPDATE history SET replaced = ? WHERE scope = ? AND version = ? AND seq = ?',
  removeAllTouched: 'DELETE FROM history_entity WHERE scope = ? AND entity = ?',
} as const;

/** The values too: history must not keep what was removed for good. */
export function eraseHistory(db: Connection, scope: Id, id: Id): void {
  for (const cells of db.all(SQL.entries, scope, id)) {
    const entry = cellsToHistory(cells);
    for (const beside of touchedBeside(entry))
      db.run(SQL.removeTouched, scope, beside, entry.version, cells[2] as number);
  }
  db.run(SQL.remove, scope, id);
  for (const [version, seq, replaced] of db.all(SQL.touched, scope, id)) {
    const left = withoutEntity(replaced as string, id);
    db.run(SQL.saveReplaced, left, scope, version as number, seq as number);
  }
  db.run(SQL.removeAllTouched, scope, id);
}
