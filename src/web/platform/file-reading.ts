// Asks for a file of text and reads it. Loaded with the first one. Imports read theirs in a worker (importing/).
import type { GivenFile } from '#client/transfer/given-file.ts';
import { decodeText } from '#core/formats/decode-text.ts';

/** Larger ones would not leave room for what they become. */
const MOST_BYTES = 256 * 1024 * 1024;

/** What a file holds, in whatever encoding programs write. Rejects where it is gone. */
async function readGiven(file: File): Promise<GivenFile> {
  const { name, size, lastModified: writtenAt } = file;
  if (size > MOST_BYTES) return { name, problem: 'is larger than 256 MB. Split it.' };
  const decoded = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (!decoded.ok) return { name, problem: decoded.problem };
  return { name, text: decoded.value.text, note: decoded.value.note, writtenAt };
}

/** Null: the person canceled. */
export function pickFile(accept: string): Promise<GivenFile | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  return new Promise((resolve, reject) => {
    input.addEventListener('cancel', () => resolve(null));
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (!file) resolve(null);
      else readGiven(file).then(resolve, reject);
    });
    input.click();
  });
}
