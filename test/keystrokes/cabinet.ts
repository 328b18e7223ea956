// Files for tests that are not about them.
import { createSignal } from '#client/app/signal.ts';
import type { FilesPort, SendState } from '#client/files/port.ts';
import { ok } from '#core/result.ts';

/** Takes files and keeps nothing of them. */
export const cabinet: FilesPort = {
  pick: () => Promise.resolve([]),
  clipboard: () => Promise.resolve([]),
  keep: () => Promise.resolve(ok({ hash: 'ab'.repeat(32), sizeBytes: 1, fileType: '' })),
  unsent: createSignal<ReadonlyMap<string, SendState>>(new Map()),
  follow: () => undefined,
  sendAgain: () => undefined,
  retry: () => undefined,
  picture: () => Promise.resolve(null),
  save: () => Promise.resolve(null),
};
