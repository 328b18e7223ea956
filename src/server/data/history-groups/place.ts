// Where the older history of a scope lies, as the home database keeps it. Whoever moves, copies or erases it holds the lock of this
// record: so two of them never work on one scope.
import type { Id } from '#core/ids.ts';
import type { Session, Statement } from '../postgres/postgres-connection.ts';

/** As in tables/history-tables.ts. */
export interface Place {
  readonly scope: Id;
  readonly place: string;
  readonly target: string | null;
  readonly leaving: string | null;
  readonly copied: number;
  readonly copiedAt: number;
  readonly freed: number;
}

const COLUMNS = 'scope, place, target, leaving, copied, copied_at, freed';

const SQL = {
  read: { name: 'place', text: `SELECT ${COLUMNS} FROM history_place WHERE scope = $1` },
  lock: { name: 'place-lock', text: `SELECT ${COLUMNS} FROM history_place WHERE scope = $1 FOR UPDATE` },
  save: {
    name: 'place-save',
    text:
      'UPDATE history_place SET place = $2, target = $3, leaving = $4, copied = $5, copied_at = $6, freed = $7 ' +
      'WHERE scope = $1',
  },
  remove: { name: 'place-remove', text: 'DELETE FROM history_place WHERE scope = $1' },
} as const satisfies Record<string, Statement>;

function cellsToPlace(cells: readonly unknown[] | undefined): Place | null {
  if (cells === undefined) return null;
  const [scope, place, target, leaving, copied, copiedAt, freed] = cells as [
    Id,
    string,
    string | null,
    string | null,
    number,
    number,
    number,
  ];
  return { scope, place, target, leaving, copied, copiedAt, freed };
}

export const readPlace = async (home: Session, scope: Id): Promise<Place | null> =>
  cellsToPlace(await home.get(SQL.read, scope));

/** Until the transaction ends. */
export const lockPlace = async (home: Session, scope: Id): Promise<Place | null> =>
  cellsToPlace(await home.get(SQL.lock, scope));

/** Of one that is locked. */
export async function savePlace(home: Session, of: Place): Promise<void> {
  const { scope, place, target, leaving, copied, copiedAt, freed } = of;
  await home.run(SQL.save, scope, place, target, leaving, copied, copiedAt, freed);
}

export async function removePlace(home: Session, scope: Id): Promise<void> {
  await home.run(SQL.remove, scope);
}

/** The groups in which anything of a scope lies. */
export const groupsOf = ({ place, target, leaving }: Place): readonly string[] =>
  [place, target, leaving].filter((name) => name !== null);
