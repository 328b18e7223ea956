// Which disks this page has open, encrypted ones and ones that were, and what is left of one that goes. Small, as it is asked by what plain accounts load, too.

/** Begins an encrypted text. The name of the disk and what was encrypted follow. */
export const MARK = 'sealed:';
/** A disk whose records and texts are encrypted, or were. */
export interface OpenDisk {
  /** Of its database. */
  readonly name: string;
  /** For short texts: 32 bytes. */
  readonly key: Uint8Array;
  /** New ones are encrypted. */
  readonly isOn: boolean;
}

/** Keys by the names of disks, for as long as the page is there. */
const keys = new Map<string, Uint8Array>();
const open = new Map<string, OpenDisk>();

/** Takes the place of an earlier handle of the same disk. */
export function beginDisk(disk: OpenDisk): void {
  keys.set(disk.name, disk.key);
  open.set(disk.name, disk);
}

/** It is closed. */
export function endDisk(disk: OpenDisk): void {
  // Another handle of it may be open by now.
  if (open.get(disk.name) === disk) open.delete(disk.name);
}

/** The encrypted disk that is open; null: none. */
export function encryptedDisk(): OpenDisk | null {
  return [...open.values()].find(({ isOn }) => isOn) ?? null;
}

/** The key for texts of a disk that this page has had open, encrypted or no longer so; undefined: it never had. */
export function keyOf(name: string): Uint8Array | undefined {
  return keys.get(name);
}

/** All of the small storage; null where there is none. */
export function wholeStorage(): Storage | null {
  try {
    const found: Storage | undefined = globalThis.localStorage;
    return found ?? null;
  } catch {
    // The browser refuses it.
    return null;
  }
}

/** The disk is gone, and so are the texts that were encrypted for it. */
export function forgetTexts(name: string, storage: Storage | null = wholeStorage()): void {
  for (const key of Object.keys(storage ?? {}))
    if (storage?.getItem(key)?.startsWith(`${MARK}${name}:`) === true) storage.removeItem(key);
}
