// The people around a task: who can take it, who has it, who wrote about it. Those who left keep their names.
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { sharing } from '../sharing/part.ts';
import { personView } from '../sharing/people.ts';
import type { PersonView } from '../sharing/sharing-view.ts';

/** Whose account was erased: nothing is known of them but that they were there. */
const ERASED = 'A former member';

/** A person with what is said about them. */
export interface KnownPerson extends PersonView {
  /** They belonged to the list, and do not anymore. */
  readonly isFormer: boolean;
}

/** Who is in the list of the row, in the order of the list of people; nobody in a private list. */
export function peopleAround(program: Program, { scope }: Pick<Row, 'scope'>): readonly PersonView[] {
  const { members } = program.part(sharing);
  return members.of(scope).map(({ fields }) => personView(fields, program.replica.account));
}

/** People who can take all of these tasks; empty where one of them is private. */
export function peopleForAll(program: Program, rows: readonly Row[]): readonly PersonView[] {
  const [first = [], ...others] = [...new Set(rows.map(({ scope }) => scope))].map((scope) =>
    peopleAround(program, { scope }),
  );
  return first.filter(({ account }) =>
    others.every((people) => people.some((one) => one.account === account)),
  );
}

/** A person of the scope, also one who has left it; null: nobody that the list knows. */
export function personIn(program: Program, scope: Id, account: number): KnownPerson | null {
  const row = program.part(sharing).members.find(scope, account);
  if (row === undefined) return null;
  const { name = '', leftAt } = row.fields;
  const isFormer = leftAt !== undefined;
  const view = personView(row.fields, program.replica.account);
  return { ...view, ...(isFormer && name === '' ? { name: ERASED } : {}), isFormer };
}

/** Who wrote a comment. What another list's people wrote stays theirs where the task has gone to a list without them. */
export function authorOf(program: Program, { scope }: Pick<Row, 'scope'>, account: number): KnownPerson {
  const own = program.replica.account;
  const known = personIn(program, scope, account) ?? elsewhere(program, account);
  if (known !== null) return known;
  const isMe = account === own;
  return {
    ...personView({ account, name: isMe ? 'You' : 'Someone from another list' }, own),
    isFormer: false,
  };
}

function elsewhere(program: Program, account: number): KnownPerson | null {
  const scopes = program.sidebar.everything().map(({ scope }) => scope);
  for (const scope of new Set(scopes)) {
    const known = personIn(program, scope, account);
    if (known !== null) return known;
  }
  return null;
}

/** What a person is called in any of the lists that are here; null: nobody in them. */
export function nameOfPerson(program: Program, account: number): string | null {
  if (account === program.replica.account) return 'you';
  const known = elsewhere(program, account);
  return known === null ? null : sayPerson(known);
}

/** Whom a task is assigned to, if its list knows them. */
export function assigneeOf(program: Program, row: Row): KnownPerson | null {
  const account = fieldOf(row, 'assignee');
  return account === undefined ? null : personIn(program, row.scope, account);
}

/** "you", "Ann", "Ann (left)". */
export function sayPerson({ name, isMe, isFormer }: Pick<KnownPerson, 'name' | 'isMe' | 'isFormer'>): string {
  if (isMe) return 'you';
  return isFormer && name !== ERASED ? `${name} (left)` : name;
}
