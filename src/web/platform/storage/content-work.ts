// Contents of attachments for the walk that brings them into another form (the ContentWork port): what this browser keeps of them, and the
// server. Loaded with the first content that is to be brought there.
import type { ContentWork } from '#sync/sealing/ports.ts';
import { digestOf, fileCipher } from '../account/file-cipher.ts';
import { openContent } from '../disk-seal/contents.ts';
import { openFiles, sendContent } from './file-store.ts';

type Files = Awaited<ReturnType<typeof openFiles>>;

const NOT_FOUND = 404;

async function withFiles<T>(work: (db: Files) => Promise<T>): Promise<T> {
  const db = await openFiles();
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** The contents of this browser and its server. */
export const contentWork: ContentWork = {
  cipher: fileCipher,
  digest: digestOf,
  async kept(hash) {
    const held = await withFiles((db) => db.get('content', hash));
    const blob = held === undefined ? null : await openContent(hash, held);
    return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
  },
  async atServer(scope, attachment) {
    try {
      const response = await fetch(`/app/api/files/${scope}/${attachment}`, { cache: 'no-store' });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      return response.status === NOT_FOUND ? 'missing' : 'offline';
    } catch {
      return 'offline';
    }
  },
  async send(scope, hash, content) {
    const { type } = await sendContent(scope, { hash, blob: new Blob([new Uint8Array(content)]) });
    return type === 'sent' ? 'sent' : type === 'later' ? 'offline' : 'refused';
  },
  settled: (scope, hash) => withFiles((db) => db.delete('unsent', [scope, hash])),
};
