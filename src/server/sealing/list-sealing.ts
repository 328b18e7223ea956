// The scope of a list that stays encrypted, as far as it differs from somebody's own: it is sealed before anything is in it, and its members tell each
// other their public keys here. The server can write none of these keys, and who is a member for it alone gets none.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { isIdentity, type PublicIdentity } from '#core/sealing/identity.ts';
import { FIRST_LIST_GENERATION, isListGeneration } from '#core/sealing/keys.ts';
import { uncheckedDirectory, type SealedDirectory } from '#sync/sealing/directory.ts';
import type { SaidMember } from '#sync/sealing/lists/list-people.ts';
import { sealedDirectorySchema } from '#wire/sealing.ts';
import type { Tables } from '../data/tables.ts';
import type { Exchange } from '../sync/exchange.ts';
import { refuseLater } from '../sync/later-generation.ts';
import { headOfDirectory, writeStep } from './stepping.ts';

/** Whether a directory is one that the scope of a list can begin with. */
export function canBegin(scope: Id, directory: SealedDirectory): boolean {
  const read = uncheckedDirectory(directory);
  if (read === null || read.scope !== scope || read.account !== 0) return false;
  const { phase, generation } = read.state;
  return phase === 'sealing' && generation === FIRST_LIST_GENERATION && read.state.lists === undefined;
}

/** The directory as it was kept with the list. */
export const keptDirectory = (keys: string): SealedDirectory =>
  sealedDirectorySchema.parse(JSON.parse(keys) as unknown);

/** Begins to seal the scope of a list, which is empty. Repeated it changes nothing. */
export async function beginList(
  { exchange }: { readonly exchange: Pick<Exchange, 'rework'> },
  scope: Id,
  directory: SealedDirectory,
): Promise<void> {
  await exchange.rework(scope, async (tx, { generation }) => {
    const before = (await tx.lockScopes([scope])).get(scope);
    const head = headOfDirectory(directory.body);
    if (before === undefined || before.sealing !== undefined || head === null) return null;
    refuseLater(before, generation);
    const record = {
      state: head.state,
      directory,
      number: head.n,
      wraps: {},
      wrapsVersion: 0,
      // Nothing was ever in the open here.
      wasPlain: false,
      lingers: false,
    };
    const written = await writeStep(tx, { scope: before, record }, { generation });
    return { before, ...written, gone: [] };
  });
}

/** Whether a scope is that of a list that stays encrypted: nobody may make one of another list. */
export async function isEncryptedList(db: Kysely<Tables>, scope: Id): Promise<boolean> {
  const row = await db
    .selectFrom('scope')
    .leftJoin('shared_list', 'shared_list.scope', 'scope.id')
    .select(['scope.sealing_generation', 'shared_list.keys'])
    .where('scope.id', '=', scope)
    .executeTakeFirst();
  return row !== undefined && (isListGeneration(Number(row.sealing_generation)) || row.keys !== null);
}

/** Members of a scope, with the public keys that their accounts have told. */
export async function membersSaid(db: Kysely<Tables>, scope: Id): Promise<readonly SaidMember[]> {
  const rows = await db
    .selectFrom('member')
    .leftJoin('identity', 'identity.account', 'member.account')
    .select(['member.account', 'identity.agree', 'identity.verify'])
    .where('member.scope', '=', scope)
    .orderBy('member.account')
    .execute();
  return rows.map(({ account, agree, verify }) => ({
    account,
    identity: agree === null || verify === null ? null : { agree, verify },
  }));
}

/** Keeps the public keys of an account. False: these are none. */
export async function keepIdentity(
  db: Kysely<Tables>,
  account: number,
  { identity, at }: { readonly identity: PublicIdentity; readonly at: number },
): Promise<boolean> {
  if (!isIdentity(identity)) return false;
  const { agree, verify } = identity;
  const told = { agree, verify, told_at: at };
  await db
    .insertInto('identity')
    .values({ account, ...told })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(told))
    .execute();
  return true;
}
