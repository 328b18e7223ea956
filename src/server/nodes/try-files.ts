// Whether files can be kept where they are to be: something is written, read and deleted there.
import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Blobs } from '../files/blobs.ts';
import { contentOf } from '../files/content-places.ts';

const FOLDER = 'probe';
const BYTES = 32;
const PATIENCE_MS = 15_000;

async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

/** Rejects with what does not work. */
export async function tryBlobs(blobs: Blobs): Promise<void> {
  const content = randomBytes(BYTES);
  const hash = createHash('sha256').update(content).digest('hex');
  const put = await blobs.put(hash, once(content), BYTES);
  if (!put.ok) throw new Error(`It did not take a file: ${put.problem}`);
  const found = Buffer.from(await new Response(await blobs.read(hash)).arrayBuffer());
  await blobs.remove(hash);
  if (!content.equals(found)) throw new Error('It gave back something else than it was given');
  if ((await blobs.size(hash)) !== null) throw new Error('It does not delete files');
}

/** As `tryBlobs`, where this server keeps files. Rejects, too, when that takes too long. */
export async function tryFiles(config: Pick<Config, 'dataDir' | 'bucket'>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('It does not answer')), PATIENCE_MS);
  });
  try {
    await Promise.race([tryBlobs(contentOf(config, FOLDER)), patience]);
  } finally {
    clearTimeout(late);
  }
}
