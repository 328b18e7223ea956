// Whether a server may join the others of its database: it has to open the same secrets, find the same files and understand what is
// in use. What it says otherwise is for the operator, who reads it where the server was started.
import { NodeRefusedError, type NodeSelf } from '../data/presence.ts';

const KEY =
  'Another server of this database runs with another key. Give all of them the same SERVER_KEY: the content of the server.key ' +
  'that is beside the first one (base64 < server.key). Nothing was started.';
const OWN_FOLDER =
  'Another server of this database is running, and this one keeps files in its own folder, where the other one would not find ' +
  'them. Set BLOB_URL, the same for all of them. Nothing was started.';
const OTHERS_FOLDER =
  'Another server of this database keeps files in its own folder, where this one would not find them. Set BLOB_URL there, too, ' +
  'and restart it. Nothing was started.';
const OTHER_BUCKET =
  'Another server of this database keeps files in another bucket. Set the same BLOB_URL for all of them. Nothing was started.';
const TOO_OLD =
  'This version is older than what the servers of this database have put to use. Start the newer version. Nothing was started.';

/** Why a server may not join the others; null: it may. `activated`: the newest protocol that is in use. */
export function hindranceOf(
  self: NodeSelf,
  others: readonly NodeSelf[],
  activated: number,
): NodeRefusedError | null {
  if (self.protocol < activated) return new NodeRefusedError(TOO_OLD);
  if (others.some(({ keyFingerprint }) => keyFingerprint !== self.keyFingerprint))
    return new NodeRefusedError(KEY);
  if (others.length === 0) return null;
  if (self.bucket === null) return new NodeRefusedError(OWN_FOLDER);
  if (others.some(({ bucket }) => bucket === null)) return new NodeRefusedError(OTHERS_FOLDER);
  return others.some(({ bucket }) => bucket !== self.bucket) ? new NodeRefusedError(OTHER_BUCKET) : null;
}

/** What `createAdmission` needs. */
export interface AdmissionPorts {
  readonly self: NodeSelf;
  /** Writes, reads and deletes something where files are; rejects with the reason. */
  readonly tryFiles: () => Promise<void>;
}

/** Looks at the others; until this server is in, and if there are any, at the bucket too. A bucket that is away later ends nobody. */
export function createAdmission({
  self,
  tryFiles,
}: AdmissionPorts): (others: readonly NodeSelf[], activated: number) => Promise<void> {
  let isIn = false;
  return async (others, activated) => {
    const hindrance = hindranceOf(self, others, activated);
    if (hindrance !== null) throw hindrance;
    try {
      if (!isIn && others.length > 0) await tryFiles();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NodeRefusedError(
        `The bucket of BLOB_URL does not work: ${reason}. Several servers need it. Nothing was started.`,
      );
    }
    isIn = true;
  };
}
