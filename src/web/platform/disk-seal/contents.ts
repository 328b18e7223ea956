// Contents of attachments on this device, which all copies of this browser keep in one database: encrypted with the key of the disk that was
// open when they were kept. Also those that are sealed for the server already: what is read here doesn't tell which they are.
import { type DiskKey, readKey } from './disk-keys.ts';
import { openBytes, sealBytes } from './record.ts';
import { encryptedDisk } from './open-disks.ts';

/** A content as it is kept. */
export interface KeptContent {
  readonly blob: Blob;
  /** It is encrypted with the key of this disk; absent: it is as it was given. */
  readonly disk?: string;
}

const placeOf = (hash: string) => `content/${hash}`;

async function closedWith({ cipher }: DiskKey, disk: string, hash: string, blob: Blob): Promise<KeptContent> {
  const content = new Uint8Array(await blob.arrayBuffer());
  return { blob: new Blob([await sealBytes(cipher, placeOf(hash), content)]), disk };
}

/** A content as it is to be kept now. */
export async function closeContent(hash: string, blob: Blob): Promise<KeptContent> {
  const disk = encryptedDisk()?.name ?? null;
  const key = disk === null ? null : await readKey(disk);
  return disk === null || key === null ? { blob } : closedWith(key, disk, hash, blob);
}

/** The content as it was given; null where its key is gone, or it is damaged: it is as if it weren't here. */
export async function openContent(hash: string, { blob, disk }: KeptContent): Promise<Blob | null> {
  if (disk === undefined) return blob;
  const key = await readKey(disk);
  if (key === null) return null;
  const sealed = new Uint8Array(await blob.arrayBuffer());
  const content = await openBytes(key.cipher, placeOf(hash), sealed);
  return content === null ? null : new Blob([content]);
}
