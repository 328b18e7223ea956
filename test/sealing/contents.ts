// Contents of attachments on a device in memory, with the routes of a server: the cipher is that of browsers.
import type { Id } from '#core/ids.ts';
import type { ContentWork } from '#sync/sealing/ports.ts';
import { digestOf, fileCipher } from '#web/platform/account/file-cipher.ts';

/** What a server does with contents. */
export interface ContentOffice {
  fetchFile(scope: Id, attachment: Id): Promise<Uint8Array | 'missing' | 'offline'>;
  sendFile(scope: Id, hash: string, content: Uint8Array): Promise<'sent' | 'offline' | 'refused'>;
}

/** What a device keeps of contents, by their hashes. */
export class MemoryFiles {
  readonly kept = new Map<string, Uint8Array>();
  /** What of it the server hasn't got yet. */
  readonly unsent = new Set<string>();

  async keep(content: Uint8Array): Promise<string> {
    const hash = await digestOf(content);
    this.kept.set(hash, content);
    this.unsent.add(hash);
    return hash;
  }

  workOf(office: ContentOffice): ContentWork {
    return {
      cipher: fileCipher,
      digest: digestOf,
      kept: (hash) => Promise.resolve(this.kept.get(hash) ?? null),
      atServer: (scope, attachment) => office.fetchFile(scope, attachment),
      send: (scope, hash, content) => office.sendFile(scope, hash, content),
      settled: (_scope, hash) => Promise.resolve(void this.unsent.delete(hash)),
    };
  }
}

/** A server that has none. */
export const noContents: ContentOffice = {
  fetchFile: () => Promise.resolve('missing'),
  sendFile: () => Promise.resolve('refused'),
};
