// Where this server keeps content: what people attach, and files of releases, each in a folder of the data folder or of the bucket.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, IN_MEMORY } from '../config.ts';
import { type Blobs, openBlobs } from './blobs.ts';

/** Name of the folder of attached files. */
export const FILES_FOLDER = 'files';

/**
 * The storage of this name: a folder of the data folder, or of the bucket. A server without a data folder still needs a place for uploads.
 */
export function contentOf({ dataDir, bucket }: Pick<Config, 'dataDir' | 'bucket'>, name: string): Blobs {
  const folder =
    dataDir === IN_MEMORY ? join(tmpdir(), `posthaste-${name}-${randomUUID()}`) : join(dataDir, name);
  // Attached files were the first, and lie in the bucket itself.
  const within = bucket && name !== FILES_FOLDER ? { ...bucket, url: `${bucket.url}/${name}` } : bucket;
  return openBlobs(folder, within);
}
