// Brings what this device keeps of attachments into the form that a disk has (contents.ts), when its records have it.
import { openFiles } from '../storage/file-store.ts';
import { closeContent, type KeptContent, openContent } from './contents.ts';

/** Brings all contents into the form that a disk has, one after the other. It may end at any point. */
export async function settleContents(disk: string, isOn: boolean): Promise<void> {
  const db = await openFiles();
  try {
    for (const hash of await db.getAllKeys('content')) {
      const held = await db.get('content', hash);
      const isDue = (kept: KeptContent) => (isOn ? kept.disk === undefined : kept.disk === disk);
      if (held === undefined || !isDue(held)) continue;
      const open = isOn ? held.blob : await openContent(hash, held);
      if (open === null) continue;
      const { disk: _before, ...others } = held;
      const kept = isOn ? await closeContent(hash, open) : { blob: open };
      const tx = db.transaction('content', 'readwrite', { durability: 'strict' });
      const now = await tx.store.get(hash);
      // It may have gone, or have been kept anew.
      if (now !== undefined && isDue(now)) await tx.store.put({ ...others, ...kept });
      await tx.done;
    }
  } finally {
    db.close();
  }
}
