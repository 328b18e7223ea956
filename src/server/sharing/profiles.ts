// How the person of an account is shown to others. It is made from the e-mail address when it is first asked for, and what
// the rows of members say follows it (settling.ts).
import type { Kysely } from 'kysely';
import { areInitials, initialsOf, isOneEmoji, nameFromEmail, personColors } from '#core/people.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Person, ProfileChange } from '#wire/sharing.ts';
import { wantSettling } from '../data/members.ts';
import type { ProfileTable, Tables } from '../data/tables.ts';

/** Why a change was refused, in words for the person who made it. */
export interface ProfileProblem {
  readonly field: string;
  readonly message: string;
}

/** The profiles of accounts. */
export interface Profiles {
  /** Makes the profile if there is none. Rejects for an account that does not exist. */
  of(account: number): Promise<Person>;
  /** Those of several accounts; accounts that do not exist are left out. */
  all(accounts: readonly number[]): Promise<ReadonlyMap<number, Person>>;
  /** Changes what is given; the lists of the account are to be settled afterwards. */
  change(account: number, change: ProfileChange): Promise<Result<Person, ProfileProblem>>;
}

/** Stored initials are empty while they are those of the name. */
const personOf = ({ name, initials, emoji, color }: ProfileTable): Person => ({
  name,
  initials: initials === '' ? initialsOf(name) : initials,
  emoji,
  color,
});

function firstProfile(account: number, email: string): ProfileTable {
  const name = nameFromEmail(email) || 'Somebody';
  const color = personColors[account % personColors.length] ?? personColors[0];
  return { account, name, initials: '', emoji: null, color };
}

function problemOf({ name, initials = '', emoji = null }: ProfileChange): ProfileProblem | null {
  if (name?.trim() === '') return { field: 'name', message: 'Enter a name that others know you by.' };
  if (initials !== '' && !areInitials(initials))
    return { field: 'initials', message: 'Initials have one or two characters, without spaces.' };
  if (emoji !== null && !isOneEmoji(emoji))
    return { field: 'emoji', message: 'Choose exactly one emoji, or none.' };
  return null;
}

class StoredProfiles implements Profiles {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async of(account: number): Promise<Person> {
    const found = (await this.all([account])).get(account);
    if (found === undefined) throw new Error('This account does not exist');
    return found;
  }

  async all(accounts: readonly number[]): Promise<ReadonlyMap<number, Person>> {
    if (accounts.length === 0) return new Map();
    const known = await this.#stored(accounts);
    const without = accounts.filter((account) => !known.has(account));
    if (without.length === 0) return known;
    const made = await this.#db
      .selectFrom('account')
      .select(['id', 'email'])
      .where('id', 'in', without)
      .where('deleted_at', 'is', null)
      .execute();
    if (made.length === 0) return known;
    await this.#db
      .insertInto('profile')
      .values(made.map(({ id, email }) => firstProfile(id, email)))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return await this.#stored(accounts);
  }

  async change(account: number, change: ProfileChange): Promise<Result<Person, ProfileProblem>> {
    const problem = problemOf(change);
    if (problem !== null) return failed(problem);
    const before = await this.of(account);
    const { name, initials, emoji, color } = change;
    const set = {
      ...(name === undefined ? {} : { name: name.trim().replaceAll(/\s+/gu, ' ') }),
      ...(initials === undefined ? {} : { initials }),
      ...(emoji === undefined ? {} : { emoji }),
      ...(color === undefined ? {} : { color }),
    };
    if (Object.keys(set).length === 0) return ok(before);
    await this.#db.transaction().execute(async (tx) => {
      await tx.updateTable('profile').set(set).where('account', '=', account).execute();
      const scopes = await tx.selectFrom('member').select('scope').where('account', '=', account).execute();
      await wantSettling(
        tx,
        scopes.map(({ scope }) => scope),
      );
    });
    return ok(await this.of(account));
  }

  async #stored(accounts: readonly number[]): Promise<ReadonlyMap<number, Person>> {
    const rows = await this.#db.selectFrom('profile').selectAll().where('account', 'in', accounts).execute();
    return new Map(rows.map((row) => [row.account, personOf(row)]));
  }
}

/** Profiles in the database. */
export function createProfiles(db: Kysely<Tables>): Profiles {
  return new StoredProfiles(db);
}
