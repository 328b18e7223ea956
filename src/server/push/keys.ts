// The key pair that identifies this server to push services (VAPID), created when first needed. All processes of one
// database share it; the private key is sealed under the key beside the database.
import type { Kysely } from 'kysely';
import webPush from 'web-push';
import { must } from '#core/assert.ts';
import type { SealedSecret } from '../accounts/sealed.ts';
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

/** The private key as it is stored; null: the pair was not made yet. */
export async function sealedPushKeys(db: Kysely<Tables>): Promise<SealedSecret | null> {
  const stored = await db
    .selectFrom('push_key')
    .select('private_key')
    .where('id', '=', ID)
    .executeTakeFirst();
  return stored ? { sealed: stored.private_key, about: ABOUT } : null;
}

/** Throws when it was sealed under another key. */
async function readKeys(db: Kysely<Tables>, sealing: Sealing): Promise<PushKeys | null> {
  const stored = await db.selectFrom('push_key').selectAll().where('id', '=', ID).executeTakeFirst();
  if (!stored) return null;
  const opened = sealing.open(stored.private_key, ABOUT);
  if (!opened) throw new Error('The key for push services was sealed with another key of the server.');
  return { publicKey: stored.public_key, privateKey: Buffer.from(opened).toString('utf8') };
}

/** The pair of this database, made at the first start. One that cannot be opened is never replaced: throws. */
export async function openPushKeys(db: Kysely<Tables>, sealing: Sealing): Promise<PushKeys> {
  const known = await readKeys(db, sealing);
  if (known) return known;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealed = sealing.seal(Buffer.from(privateKey), ABOUT);
  await db
    .insertInto('push_key')
    .values({ id: ID, public_key: publicKey, private_key: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another process may have been faster.
  return must(await readKeys(db, sealing), 'the key that was just written is there');
}

/** Forgets the pair: browsers subscribe anew with the next one when they next open the app. */
export async function dropPushKeys(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('push_key').where('id', '=', ID).execute();
}
