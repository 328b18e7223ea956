// The doors to what documents need: reading and writing them, and what becomes of a file that was chosen.
import { door } from './door.ts';

export const documentsDoor = door('Reading and writing documents', () => import('./documents.ts'));
export const importDoor = door('Importing', () => import('./file-import.ts'));
export const unsentDoor = door('Reading unsynced changes', () => import('./unsent-reading.ts'));
export const tableDoor = door('Reading tables', () => import('./table-import.ts'));
