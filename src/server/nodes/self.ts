// What a server says of itself to the others of its database.
import type { Sealing } from '../accounts/sealing.ts';
import type { NodeSelf } from '../data/presence.ts';
import type { BucketLocation } from '../files/bucket.ts';

/** What `selfOf` is made from. */
export interface SelfPorts {
  readonly id: string;
  readonly build: string;
  readonly protocol: number;
  readonly sealing: Pick<Sealing, 'sign'>;
  readonly bucket: BucketLocation | null;
}

/** Servers may reach one bucket by several addresses; its name is the same. */
const bucketName = ({ url }: BucketLocation): string => new URL(url).pathname.slice(1);

/** The key is recognized by a signature, which reveals nothing of it. */
export function selfOf({ id, build, protocol, sealing, bucket }: SelfPorts): NodeSelf {
  const keyFingerprint = sealing.sign('fingerprint of the key of the server').slice(0, 22);
  return { id, build, protocol, keyFingerprint, bucket: bucket === null ? null : bucketName(bucket) };
}
