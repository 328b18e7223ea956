// Who belongs to which shared list, from the rows of its members: known while offline, too.
import type { Id } from '#core/ids.ts';
import { avatarText, initialsOf, inkOn } from '#core/people.ts';
import type { MemberRole } from '#core/model.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import type { PersonView } from './sharing-view.ts';

/** The row of a member. */
export type MemberRow = Extract<Row, { readonly type: 'member' }>;

const NO_COLOR = '#566377';

/** What is known of a person who is to be drawn. */
interface Known {
  readonly account: number;
  readonly role?: MemberRole;
  readonly name?: string;
  readonly initials?: string;
  readonly emoji?: string | null;
  readonly color?: string;
}

/** A person to be drawn. `account`: number of the own account. */
export function personView(fields: Known, account: number): PersonView {
  const { name = '', initials = '', emoji = null, color = NO_COLOR } = fields;
  return {
    account: fields.account,
    name: name === '' ? 'No name' : name,
    text: avatarText({ emoji, initials: initials === '' ? initialsOf(name) : initials }),
    color,
    ink: inkOn(color),
    isMe: fields.account === account,
    isOwner: fields.role === 'owner',
  };
}

/** Names as they are listed: "Ann, Ben and you". */
export function namesOf(people: readonly PersonView[]): string {
  const names = [
    ...people.filter(({ isMe }) => !isMe).map(({ name }) => name),
    ...people.filter(({ isMe }) => isMe).map(() => 'you'),
  ];
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** The owner first, then in the order of joining. */
function inOrder(a: MemberRow, b: MemberRow): number {
  const rank = ({ fields }: MemberRow) => (fields.role === 'owner' ? 0 : 1);
  return (
    rank(a) - rank(b) ||
    (a.fields.joinedAt ?? 0) - (b.fields.joinedAt ?? 0) ||
    a.fields.account - b.fields.account
  );
}

/** The members of every list that this device holds, by scope. What a change costs grows with the change. */
export class Members {
  readonly #byScope = new Map<Id, Map<Id, MemberRow>>();

  constructor(rows: Iterable<Row>) {
    for (const row of rows) this.#put(row.id, undefined, row);
  }

  /** True: it was about members. */
  apply(changes: readonly RowChange[]): boolean {
    let isAbout = false;
    for (const { id, before, after } of changes)
      if (before?.type === 'member' || after?.type === 'member') {
        isAbout = true;
        this.#put(id, before, after);
      }
    return isAbout;
  }

  #put(id: Id, before: Row | undefined, after: Row | undefined): void {
    if (before?.type === 'member') {
      const scope = this.#byScope.get(before.scope);
      scope?.delete(id);
      if (scope?.size === 0) this.#byScope.delete(before.scope);
    }
    if (after?.type !== 'member') return;
    const scope = this.#byScope.get(after.scope) ?? new Map<Id, MemberRow>();
    scope.set(id, after);
    this.#byScope.set(after.scope, scope);
  }

  /** Those who belong to the scope now. */
  of(scope: Id): readonly MemberRow[] {
    const rows = [...(this.#byScope.get(scope)?.values() ?? [])];
    return rows.filter(({ fields }) => (fields.leftAt ?? null) === null).toSorted(inOrder);
  }

  /** How many belong to it now. */
  countIn(scope: Id): number {
    let count = 0;
    for (const { fields } of this.#byScope.get(scope)?.values() ?? [])
      if ((fields.leftAt ?? null) === null) count += 1;
    return count;
  }

  /** The name of an account in a scope, of those who have left too; null: not known. */
  nameOf(scope: Id, account: number): string | null {
    for (const { fields } of this.#byScope.get(scope)?.values() ?? [])
      if (fields.account === account)
        return fields.name === undefined || fields.name === '' ? null : fields.name;
    return null;
  }
}
