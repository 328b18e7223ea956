// THE authorization function: every endpoint asks it, per object and per field, and anything it does not know is refused.
// Pure: the actor was loaded before (actor.ts), and rows are passed in. Not here: whether an operation makes sense.
import { inboxId, type Id } from '#core/ids.ts';
import { unreachable } from '#core/assert.ts';
import { fixedRegisters, isEntityType, type EntityType } from '#core/model.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { LinkPermission } from '#wire/public-links.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';

/** What a token is for. Every endpoint takes one kind and refuses the others. */
export type SessionKind = 'web' | 'device' | 'api';

/** What a token may do: `write` includes reading. */
export type TokenAccess = 'read' | 'write';

/** What an account is in a scope that it may read. */
export type Role = 'owner' | 'member';

/** An account acting through one of its sessions, loaded anew for every request (actor.ts). */
export interface AccountActor {
  readonly type: 'account';
  readonly account: number;
  /** The session of the request. */
  readonly session: Id;
  readonly kind: SessionKind;
  /** Absent: everything its kind may do. */
  readonly access?: TokenAccess;
  readonly personalScope: Id;
  /** The person proved their identity again a moment ago. Absent: no. */
  readonly isConfirmed?: boolean;
  /** Every scope the account may read. */
  readonly roles: ReadonlyMap<Id, Role>;
  /** The server itself writes in the name of the account (sharing/): rows of members, and where the list of a scope is. */
  readonly isServer?: true;
  /** What is done is done by a visitor of a public link: it must be permitted to them as well. */
  readonly visitor?: LinkActor;
}

/** Somebody with a public link: no account, one list. Loaded anew for every request (public-links/links.ts). */
export interface LinkActor {
  readonly type: 'link';
  readonly link: Id;
  readonly scope: Id;
  readonly list: Id;
  readonly may: ReadonlySet<LinkPermission>;
}

/** The subject of every authorization question. */
export type Actor = { readonly type: 'anonymous' } | AccountActor | LinkActor;

/** Who may use a route at all; access to the objects it touches is checked separately. */
export type RouteRule =
  | { readonly type: 'anybody' }
  /** Processes on the same machine. */
  | { readonly type: 'this-machine' }
  /**
   * `access`: what its token must allow; absent: reading. `confirmed`: only shortly after the person proved their identity
   * again, for actions that an unattended screen must not offer.
   */
  | {
      readonly type: 'account';
      readonly kind: SessionKind;
      readonly access?: TokenAccess;
      readonly confirmed?: true;
    };

/** A question about permission. */
export type Ask =
  | { readonly type: 'route'; readonly rule: RouteRule; readonly fromThisMachine: boolean }
  | { readonly type: 'scope.read'; readonly scope: Id }
  | { readonly type: 'scope.write'; readonly scope: Id }
  /** Removing for good what is in its trash. */
  | { readonly type: 'scope.purge'; readonly scope: Id }
  | OperationAsk
  /**
   * What may be done with a shared list: `see` who belongs to it and its link, make or end a `link`, `leave` it, and `manage`
   * it (remove others, hand it over, make it private again). The scope is that of the list.
   */
  | { readonly type: 'sharing'; readonly what: 'see' | 'link' | 'leave' | 'manage'; readonly scope: Id }
  /** What a visitor may do with the list of a link besides looking at its tasks (`look`). */
  | { readonly type: 'link'; readonly what: 'look' | LinkPermission; readonly link: Id }
  /**
   * Public links of a shared list: to `see` them and their use, to `make` one, to `change` or delete the one that account `by` made,
   * and to take back (`undo`) what visitors did.
   */
  | {
      readonly type: 'public-links';
      readonly what: 'see' | 'make' | 'change' | 'undo';
      readonly scope: Id;
      readonly by?: number;
    }
  /** Seeing or ending a session of account `owner`; undefined when there is no such session. */
  | { readonly type: 'session'; readonly owner: number | undefined }
  /** Likewise for a browser that receives reminders. */
  | { readonly type: 'push.subscription'; readonly owner: number | undefined }
  /**
   * Letting a device run a macro of one's own: with a token that may write, where the account lets programs run macros
   * (`takesPrograms`) and the macro may be started from outside (`isOpen`).
   */
  | { readonly type: 'macro.start'; readonly takesPrograms: boolean; readonly isOpen: boolean }
  /** Likewise for a pairing of two of one's own devices. */
  | { readonly type: 'pairing'; readonly owner: number | undefined }
  /** Likewise for a calendar of another program. */
  | { readonly type: 'calendar'; readonly owner: number | undefined }
  /** Likewise for what has become of such a run. */
  | { readonly type: 'macro.run'; readonly owner: number | undefined };

/** Whether an operation may be applied in its scope. */
export interface OperationAsk {
  readonly type: 'operation';
  readonly operation: Operation;
  /** The present row of the operation's id, if there is one. */
  readonly row: Row | undefined;
  /** The scope that its device believed the row to be in; absent: the same. */
  readonly stated?: Id;
  /** Of a shared scope: its list, if that is recorded. */
  readonly root?: Id;
  /** Of a comment that a device brings back: the server has had it exactly so. Absent: nobody knows. */
  readonly isProven?: boolean;
}

/**
 * `unauthenticated` → 401, `unconfirmed` and `forbidden` → 403, `hidden` → 404. Objects an actor may not see are hidden
 * whether or not they exist, so that the answer does not tell the two apart.
 */
export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly as: 'unauthenticated' | 'unconfirmed' | 'forbidden' | 'hidden' };

const ALLOWED: Decision = { allowed: true };
const UNAUTHENTICATED: Decision = { allowed: false, as: 'unauthenticated' };
const UNCONFIRMED: Decision = { allowed: false, as: 'unconfirmed' };
const FORBIDDEN: Decision = { allowed: false, as: 'forbidden' };
const HIDDEN: Decision = { allowed: false, as: 'hidden' };

/** Types that only exist in personal scopes, never in a shared list. */
const PERSONAL_ONLY: ReadonlySet<EntityType> = new Set(['mine', 'setting', 'mount']);

/** Types of rows that only the server writes: who belongs to a shared list is not for devices to say. */
const SERVER_ROWS: ReadonlySet<EntityType> = new Set(['member']);

/** Registers that only the server writes. */
const SERVER_ONLY: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  list: ['mailAddress'],
};

/** Registers that labels have in a person's own scope alone: everybody has their own keys, and a list has nothing private. */
const OF_ONES_OWN: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  label: ['hotkey', 'visibility'],
  labelGroup: ['visibility'],
};

/** Whether this may be written in a register of a label of a list, which is nobody's own. */
function fitsList(type: EntityType, register: string, value: unknown): boolean {
  if (OF_ONES_OWN[type]?.includes(register) !== true) return true;
  return value === null || (register === 'visibility' && value === 'shared');
}

/** Decides whether the actor may do this. Pure and synchronous; the only place where permission is decided. */
export function authorise(actor: Actor, ask: Ask): Decision {
  if (ask.type === 'route') return mayUseRoute(actor, ask.rule, ask.fromThisMachine);
  if (actor.type === 'anonymous') return UNAUTHENTICATED;
  if (actor.type === 'link') return mayVisit(actor, ask);
  switch (ask.type) {
    case 'scope.read':
      return actor.roles.has(ask.scope) ? ALLOWED : HIDDEN;
    case 'scope.write':
      if (!actor.roles.has(ask.scope)) return HIDDEN;
      return actor.access === 'read' ? FORBIDDEN : ALLOWED;
    case 'scope.purge':
      if (!actor.roles.has(ask.scope)) return HIDDEN;
      return actor.access === 'read' || actor.roles.get(ask.scope) !== 'owner' ? FORBIDDEN : ALLOWED;
    case 'operation': {
      const visit = actor.visitor === undefined ? ALLOWED : mayVisit(actor.visitor, ask);
      return visit.allowed ? mayApply(actor, ask) : visit;
    }
    case 'link':
      return HIDDEN;
    case 'public-links':
      return mayLink(actor, ask);
    case 'sharing':
      return mayShare(actor, ask.what, ask.scope);
    case 'macro.start':
      return actor.access !== 'read' && ask.takesPrograms && ask.isOpen ? ALLOWED : FORBIDDEN;
    case 'session':
    case 'push.subscription':
    case 'pairing':
    case 'calendar':
    case 'macro.run':
      return ask.owner === actor.account ? ALLOWED : HIDDEN;
    default:
      return unreachable(ask);
  }
}

function mayUseRoute(actor: Actor, rule: RouteRule, fromThisMachine: boolean): Decision {
  switch (rule.type) {
    case 'anybody':
      return ALLOWED;
    case 'this-machine':
      return fromThisMachine ? ALLOWED : HIDDEN;
    case 'account':
      if (actor.type !== 'account' || actor.kind !== rule.kind) return UNAUTHENTICATED;
      if (rule.access === 'write' && actor.access === 'read') return FORBIDDEN;
      return rule.confirmed && !actor.isConfirmed ? UNCONFIRMED : ALLOWED;
    default:
      return unreachable(rule);
  }
}

function mayShare(actor: AccountActor, what: 'see' | 'link' | 'leave' | 'manage', scope: Id): Decision {
  const role = actor.roles.get(scope);
  if (role === undefined) return HIDDEN;
  if (what !== 'see' && actor.access === 'read') return FORBIDDEN;
  return what === 'manage' && role !== 'owner' ? FORBIDDEN : ALLOWED;
}

function mayLink(
  actor: AccountActor,
  { what, scope, by }: Ask & { readonly type: 'public-links' },
): Decision {
  const role = actor.roles.get(scope);
  if (role === undefined) return HIDDEN;
  if (what === 'see') return ALLOWED;
  if (actor.access === 'read') return FORBIDDEN;
  if (what === 'make') return ALLOWED;
  return role === 'owner' || (what === 'change' && by === actor.account) ? ALLOWED : FORBIDDEN;
}

/** A visitor of a public link. What is not named here is not there for them. */
function mayVisit(visitor: LinkActor, ask: Ask): Decision {
  if (ask.type === 'link') {
    if (ask.link !== visitor.link) return HIDDEN;
    return ask.what === 'look' || visitor.may.has(ask.what) ? ALLOWED : FORBIDDEN;
  }
  if (ask.type !== 'operation' || ask.operation.scope !== visitor.scope) return HIDDEN;
  const needed = neededFor(ask);
  return needed !== null && visitor.may.has(needed) ? ALLOWED : FORBIDDEN;
}

const VISITOR_FIELDS: ReadonlySet<string> = new Set(['title', 'notes']);

/** The permission that a visitor needs for an operation; null: it is never permitted to one. */
function neededFor({ operation, row }: OperationAsk): LinkPermission | null {
  if (operation.a === 'create') {
    const isPlain = Object.keys(operation.fields).every((register) => VISITOR_FIELDS.has(register));
    const isNew = row === undefined && operation.createdAt === undefined && operation.place !== undefined;
    return operation.type === 'task' && isPlain && isNew ? 'add' : null;
  }
  if (row?.type !== 'task') return null;
  if (operation.a === 'complete') return operation.next === null ? 'complete' : null;
  if (operation.a === 'reopen') return operation.previous === null ? 'complete' : null;
  if (operation.a !== 'set' || operation.only !== undefined) return null;
  if (operation.field === 'title') return 'titles';
  return operation.field === 'notes' ? 'notes' : null;
}

/** A list, for whose place, end and return who it belongs to is asked: in a shared scope there is one, that it is about. */
const isRoot = (actor: AccountActor, scope: Id, type: string | undefined) =>
  type === 'list' && scope !== actor.personalScope;

function mayApply(actor: AccountActor, ask: OperationAsk): Decision {
  const { operation, row } = ask;
  if (actor.access === 'read') return FORBIDDEN;
  const role = actor.roles.get(operation.scope);
  if (role === undefined) return HIDDEN;
  // An operation never touches a row of another scope, even one that the actor may see.
  if (row !== undefined && row.scope !== operation.scope) return HIDDEN;
  // Imports and devices create and restore completions; apart from that they change only with completing and reopening the
  // task.
  if (row !== undefined && SERVER_ROWS.has(row.type) && !actor.isServer) return FORBIDDEN;
  if (row?.type === 'completion' && operation.a !== 'create' && operation.a !== 'reoffer') return FORBIDDEN;
  if (row?.type === 'comment' && !mayChangeComment(actor, ask, { author: row.fields.author, role }))
    return FORBIDDEN;
  switch (operation.a) {
    case 'create':
      return mayCreate(actor, operation) ? ALLOWED : FORBIDDEN;
    case 'set':
      return row === undefined || maySet(actor, operation, row) ? ALLOWED : FORBIDDEN;
    case 'note':
      return row === undefined || mayWriteRegister(row, 'notes') ? ALLOWED : FORBIDDEN;
    case 'delete':
      // Who deleted it before it was shared did not mean to take it from the others.
      if (isRoot(actor, operation.scope, row?.type) && (ask.stated ?? operation.scope) !== operation.scope)
        return FORBIDDEN;
      return mayDelete(actor, operation.id, { role, row, scope: operation.scope }) ? ALLOWED : FORBIDDEN;
    case 'restore':
      return isRoot(actor, operation.scope, row?.type) && role !== 'owner' ? FORBIDDEN : ALLOWED;
    case 'place':
      // Where it is in the sidebar is for each to say (mount), and between scopes the server moves it.
      return isRoot(actor, operation.scope, row?.type) && !actor.isServer ? FORBIDDEN : ALLOWED;
    case 'reoffer':
      return mayReoffer(actor, operation, { role, ask }) ? ALLOWED : FORBIDDEN;
    case 'complete':
    case 'reopen':
      return ALLOWED;
    default:
      return unreachable(operation);
  }
}

/** Its author alone says what a comment says; taking it away and back is also for the owner of the list. */
function mayChangeComment(
  actor: AccountActor,
  { operation: { a: act }, isProven = false }: OperationAsk,
  { author, role }: { readonly author: number | undefined; readonly role: Role },
): boolean {
  // What a restored server has lost comes back from the devices that hold it, as it was.
  if (author === actor.account || act === 'create') return true;
  if (act === 'reoffer') return isProven;
  return role === 'owner' && (act === 'delete' || act === 'restore' || act === 'place');
}

function mayCreate(actor: AccountActor, operation: Operation & { readonly a: 'create' }): boolean {
  const { type, fields, id, scope } = operation;
  if (SERVER_ROWS.has(type)) return actor.isServer === true;
  if (isRoot(actor, scope, type)) return actor.isServer === true;
  if (PERSONAL_ONLY.has(type) && scope !== actor.personalScope) return false;
  if (type === 'comment' && (fields['author'] ?? actor.account) !== actor.account) return false;
  if ((SERVER_ONLY[type] ?? []).some((register) => register in fields)) return false;
  const isOwn = scope === actor.personalScope;
  if (!isOwn && Object.entries(fields).some(([register, value]) => !fitsList(type, register, value)))
    return false;
  // A personal scope has exactly one Inbox, the one with the derived id.
  const isInbox = id === inboxId(scope);
  return (
    isInbox === (type === 'list' && fields['listType'] === 'inbox') &&
    (!isInbox || scope === actor.personalScope)
  );
}

/** Judged like creating the row with these registers, and deleting it when the offer says deleted. */
function mayReoffer(
  actor: AccountActor,
  operation: Operation & { readonly a: 'reoffer' },
  { role, ask: { row, root, isProven } }: { readonly role: Role; readonly ask: OperationAsk },
): boolean {
  const { id, scope, type, fields, times } = operation;
  if (!isEntityType(type)) return false;
  // Every device holds the comments of all, and brings back those of others, if the server knows them again.
  const isOthers =
    type === 'comment' && row === undefined && (fields['author'] ?? actor.account) !== actor.account;
  if (isOthers && isProven !== true) return false;
  const { author: _author, listType = fieldOf(row, 'listType'), ...others } = { ...times, ...fields };
  const asCreation = { ...operation, type, a: 'create' as const, fields: { ...others, listType } };
  const removes = type !== 'completion' && fields['del'] !== undefined && fields['del'] !== null;
  // The list of a shared scope comes back with the rest of it.
  const isBack = isRoot(actor, scope, type)
    ? id === root && listType === 'list'
    : mayCreate(actor, asCreation);
  return isBack && (!removes || mayDelete(actor, id, { role, row, scope }));
}

function maySet(actor: AccountActor, { field, value }: Operation & { readonly a: 'set' }, row: Row): boolean {
  return (
    mayWriteRegister(row, field) && (row.scope === actor.personalScope || fitsList(row.type, field, value))
  );
}

function mayWriteRegister(row: Row, register: string): boolean {
  return !fixedRegisters[row.type].includes(register) && !(SERVER_ONLY[row.type] ?? []).includes(register);
}

function mayDelete(
  actor: AccountActor,
  id: Id,
  { role, row, scope }: { readonly role: Role; readonly row: Row | undefined; readonly scope: Id },
): boolean {
  if (id === inboxId(scope) || (row?.type === 'list' && row.fields['listType'] === 'inbox')) return false;
  return role === 'owner' || !isRoot(actor, scope, row?.type);
}
