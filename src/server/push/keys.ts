// The key pair that identifies this server to push services (VAPID), created when first needed. All processes of one
// database share it; the private key is sealed under the key beside the database.
import type { Kysely } from 'kysely';
import webPush from 'web-push';
import { must } from '#core/assert.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Tables } from '../data/tables.ts';

/** The VAPID key pair of this server. */
export interface PushKeys {
  /** Base64url. */
  readonly publicKey: string;
  readonly privateKey: string;
}

const ID = 1;
const ABOUT = 'push key';

async function readKeys(db: Kysely<Tables>, sealing: Sealing): Promise<PushKeys | null> {
  const stored = await db.selectFrom('push_key').selectAll().where('id', '=', ID).executeTakeFirst();
  const opened = stored && sealing.open(stored.private_key, ABOUT);
  if (!stored || !opened) return null;
  return { publicKey: stored.public_key, privateKey: Buffer.from(opened).toString('utf8') };
}

/** A pair that can no longer be unsealed is replaced: browsers subscribe again with the new one at their next start. */
export async function openPushKeys(db: Kysely<Tables>, sealing: Sealing): Promise<PushKeys> {
  const known = await readKeys(db, sealing);
  if (known) return known;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealed = sealing.seal(Buffer.from(privateKey), ABOUT);
  const isLost = (await db.selectFrom('push_key').select('id').executeTakeFirst()) !== undefined;
  if (isLost) await db.deleteFrom('push_key').where('id', '=', ID).execute();
  await db
    .insertInto('push_key')
    .values({ id: ID, public_key: publicKey, private_key: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another process may have been faster.
  return must(await readKeys(db, sealing), 'the key that was just written is there');
}
