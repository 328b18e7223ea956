// What is said of rows whose content doesn't open on this device.
import { lockedOf } from '#sync/rows/locked.ts';
import type { Row } from '#sync/rows/row.ts';

/** Why what is locked can't be changed, and what to do. */
export const LOCKED_WHY =
  'This is encrypted, and this device doesn’t have its key. Run “Unlock with recovery code” to read and change it.';

/** Why a register of a row can't be changed here; null: it is open. */
export const lockedWhy = (row: Row | null | undefined, register: string): string | null =>
  lockedOf(row)?.[register] === undefined ? null : LOCKED_WHY;
