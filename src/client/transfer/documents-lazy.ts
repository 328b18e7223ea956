// Lazy parts of documents: reading and writing them, and importing files.
import { lazyPart } from '../loading/lazy-part.ts';

/** Exporting and importing documents. Loaded when idle or first needed. */
export const lazyDocuments = lazyPart('Reading and writing documents', () => import('./documents.ts'));
/** Importing chosen files. Loaded when idle or first needed. */
export const lazyImport = lazyPart('Importing', () => import('../importing/importing.ts'));
/** Reading files of unsent changes. Loaded when idle or first needed. */
export const lazyUnsent = lazyPart(
  'Reading unsynced changes',
  () => import('../sync-status/unsent-reading.ts'),
);
