// Who belongs to which shared list, from the rows of its members: known while offline, too.
import type { Id } from '#core/ids.ts';
import { avatarText, colorsApart, initialsOf, inkOn } from '#core/people.ts';
import type { MemberRole } from '#core/model.ts';
import type { MemberRow, Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { PersonView } from './sharing-view.ts';

const NO_COLOR = '#5b687d';

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

/** The others, two of them by name: "With Ann and Mo", "With Ann, Mo and 3 more"; alone: "Nobody else yet". */
export function companyOf(people: readonly PersonView[]): string {
  const others = people.filter(({ isMe }) => !isMe).map(({ name }) => name);
  if (others.length === 0) return 'Nobody else yet';
  const [first = '', second = ''] = others;
  if (others.length === 1) return `With ${first}`;
  return others.length === 2
    ? `With ${first} and ${second}`
    : `With ${first}, ${second} and ${others.length - 2} more`;
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

/** The first to come keeps a color; who is there comes before who has left. So all devices draw the same. */
function inOrderOfColors(a: MemberRow, b: MemberRow): number {
  const gone = ({ fields }: MemberRow) => (fields.leftAt === undefined ? 0 : 1);
  return (
    gone(a) - gone(b) ||
    (a.fields.joinedAt ?? 0) - (b.fields.joinedAt ?? 0) ||
    a.fields.account - b.fields.account
  );
}

/** The same people, no two in one color as long as there are enough. */
function apart(members: readonly MemberRow[]): readonly MemberRow[] {
  const ordered = members.toSorted(inOrderOfColors);
  const colors = colorsApart(ordered.map(({ fields }) => fields.color ?? NO_COLOR));
  const colorOf = new Map(ordered.map(({ id }, index) => [id, colors[index] ?? NO_COLOR]));
  return members.map((row) => {
    const color = colorOf.get(row.id);
    return color === row.fields.color || color === undefined
      ? row
      : { ...row, fields: { ...row.fields, color } };
  });
}

/** The members of the lists that this device holds, by scope, looked up once until a change of them. */
export class Members {
  readonly #replica: Pick<Replica, 'members'>;
  readonly #known = new Map<Id, readonly MemberRow[]>();

  constructor(replica: Pick<Replica, 'members'>) {
    this.#replica = replica;
  }

  /** True: it was about members. */
  apply(changes: readonly RowChange[]): boolean {
    const about = changes.filter(({ before, after }) => (after ?? before)?.type === 'member');
    if (about.length > 0) this.#known.clear();
    return about.length > 0;
  }

  /** Those who belong to the scope, and those who have left it. */
  everybody(scope: Id): readonly MemberRow[] {
    const known = this.#known.get(scope) ?? apart(this.#replica.members(scope)).toSorted(inOrder);
    this.#known.set(scope, known);
    return known;
  }

  /** Those who belong to the scope now: the owner, then in the order in which they joined. */
  of(scope: Id): readonly MemberRow[] {
    return this.everybody(scope).filter(({ fields }) => fields.leftAt === undefined);
  }

  /** The row of an account in a scope, of one who has left too. */
  find(scope: Id, account: number): MemberRow | undefined {
    return this.everybody(scope).find(({ fields }) => fields.account === account);
  }

  /** The name of an account in a scope, of those who have left too; null: not known. */
  nameOf(scope: Id, account: number): string | null {
    return this.find(scope, account)?.fields.name || null;
  }
}
