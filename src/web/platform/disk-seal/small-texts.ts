// Texts in the small storage that have what a person typed: what a closed page left unwritten, what was typed and not added or sent, and
// words that went into the palette. While a disk is encrypted they are, too. At once, as nothing can be waited for when a page goes.
import { open, nonceBytes, seal } from '#core/sealing/cipher.ts';
import { concat, fromText, readUtf8, toText, utf8 } from '#core/sealing/bytes.ts';
import { encryptedDisk, keyOf, MARK, type OpenDisk, wholeStorage } from './open-disks.ts';
import { layer, type SmallStorage } from '../storage/local-storage.ts';

/** A text that doesn't open is kept under its key and this. */
const ASIDE = '.unreadable';

const CONTENTS = [
  'posthaste.unsaved.',
  'posthaste.preference.entry.kept.',
  'posthaste.preference.comments.unsent.',
  'posthaste.preference.palette',
];
const isContent = (key: string) => !key.endsWith(ASIDE) && CONTENTS.some((start) => key.startsWith(start));

function sealed({ name, key }: OpenDisk, at: string, text: string): string {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const content = seal({ key, nonce, bound: utf8(`${name}/${at}`) }, utf8(text.toWellFormed()));
  return `${MARK}${name}:${toText(concat(nonce, content))}`;
}

/** Null: it doesn't open. */
function opened(at: string, text: string): string | null {
  const [name = '', content = ''] = text.slice(MARK.length).split(':');
  const [key, bytes] = [keyOf(name), fromText(content)];
  if (key === undefined || bytes === null) return null;
  const lock = { key, nonce: bytes.subarray(0, nonceBytes), bound: utf8(`${name}/${at}`) };
  const found = bytes.length < nonceBytes ? null : open(lock, bytes.subarray(nonceBytes));
  return found === null ? null : readUtf8(found);
}

const isMarked = (text: string | null): text is string => text?.startsWith(MARK) === true;

/** The small storage with texts of people encrypted. */
export function over(below: SmallStorage): SmallStorage {
  return {
    getItem(key) {
      const held = below.getItem(key);
      return isMarked(held) && isContent(key) ? opened(key, held) : held;
    },
    setItem(key, value) {
      if (!isContent(key)) return below.setItem(key, value);
      const held = below.getItem(key);
      // Of a key that is gone: nothing is written over that nobody has read.
      if (isMarked(held) && opened(key, held) === null) below.setItem(key + ASIDE, held);
      const by = encryptedDisk();
      // Empty is how a preference is forgotten.
      return below.setItem(key, by === null || value === '' ? value : sealed(by, key, value));
    },
    removeItem: (key) => below.removeItem(key),
  };
}

let isOver = false;

/** From now on texts are encrypted while an encrypted disk is open. */
export function layTexts(): void {
  if (!isOver) layer(over);
  isOver = true;
}

/** Brings the texts that are there into the form of new ones. */
export function settleTexts({ name, isOn }: OpenDisk, storage: Storage | null = wholeStorage()): void {
  if (storage === null) return;
  const through = over(storage);
  for (const key of Object.keys(storage).filter(isContent)) {
    const held = storage.getItem(key);
    if (held === null || held === '' || isMarked(held) === isOn) continue;
    // Of another disk.
    if (isMarked(held) && !held.startsWith(`${MARK}${name}:`)) continue;
    const text = through.getItem(key);
    if (text !== null) through.setItem(key, text);
  }
}
