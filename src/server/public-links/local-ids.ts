// Ids as one public link shows them: a permutation of all ids that only the server can compute, another one for every link. So
// ids of two links cannot be compared, and mean nothing to the API.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { parseId, type Id } from '#core/ids.ts';
import type { Sealing } from '../accounts/sealing.ts';

const CIPHER = 'aes-128-ecb';
const BLOCK_BYTES = 16;
const SHAPE = /^[\w-]{22}$/;

/** The ids of one link. */
export interface LocalIds {
  /** One after another: many at once cost little more than one. */
  shown(ids: readonly Id[]): readonly string[];
  /** Null: it is none, or one of another link. It may still be the id of nothing. */
  read(local: string): Id | null;
}

const bytesOf = (id: Id) => Buffer.from(id.replaceAll('-', ''), 'hex');

function idOf(bytes: Buffer): Id | null {
  const hex = bytes.toString('hex');
  return parseId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

/** The ids that a link shows. An id is one block of the cipher, so that equal blocks cannot occur. */
export function localIds(link: Id, sealing: Pick<Sealing, 'sign'>): LocalIds {
  const key = Buffer.from(sealing.sign(`ids of public link ${link}`), 'base64url').subarray(0, BLOCK_BYTES);
  return {
    shown(ids) {
      const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false);
      const blocks = Buffer.concat([cipher.update(Buffer.concat(ids.map(bytesOf))), cipher.final()]);
      return ids.map((_, at) =>
        blocks.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES).toString('base64url'),
      );
    },
    read(local) {
      if (!SHAPE.test(local)) return null;
      const block = Buffer.from(local, 'base64url');
      // Of the last letter some bits mean nothing: each id is written in one way.
      if (block.toString('base64url') !== local) return null;
      const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false);
      return idOf(Buffer.concat([decipher.update(block), decipher.final()]));
    },
  };
}
