// What the calls of the public API need, and what comes of them. A server implements it over its database (server/api/), and a program that
// has the key of an encrypted account over its own copy (cli/copy/): so a call means the same in both.
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Action, Verdict, VisitorMark } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ScopeSealing } from '#sync/sealing/scope-state.ts';
import type { Problem } from './problem.ts';
import type { TaskReads } from './task-reads.ts';

/** Who calls: an account, by one of its tokens. */
export interface ApiActor {
  readonly account: number;
  /** The token. */
  readonly session: Id;
  /** Absent: everything. */
  readonly access?: 'read' | 'write';
  readonly personalScope: Id;
  /** Every scope that the account may read. */
  readonly roles: ReadonlyMap<Id, 'owner' | 'member'>;
}

/** One call. */
export interface ApiCall {
  readonly url: URL;
  /** Matched parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined: none. */
  readonly body: unknown;
  /** The token and its account; null: unknown. */
  readonly session: {
    readonly session: { readonly name: string };
    readonly account: { readonly created_at: number };
  } | null;
  account(): ApiActor;
}

/** What came of a call: a body with its status, or why not. */
export type ApiAnswer =
  | { readonly status: 200 | 202; readonly body: Readonly<Record<string, unknown>> }
  | Problem;

/** The rows as a deciding plan sees them. */
export interface PlanView {
  /** Throws if the row is not loaded: the caller loads it and decides again. */
  row(scope: Id, id: Id): Row | undefined;
  absence(scope: Id, id: Id): 'unknown' | 'purged' | 'elsewhere';
}

/** One action of a plan, with the ids of its operation. */
export interface PlannedAction {
  readonly scope: Id;
  readonly action: Action;
  /** Ids of the operation, of its atomic change, and of its undo group. */
  readonly u: Id;
  readonly x: Id;
  readonly g: Id;
  /** The visitor of a public link who does it. */
  readonly via?: VisitorMark;
  /** When it counts as written, milliseconds, if that is earlier than now: what devices hold of the same row may be younger. */
  readonly at?: number;
}

/** A write of a call. */
export interface ApiPlan {
  readonly scopes: readonly Id[];
  /** Read in advance. */
  readonly rows: readonly { readonly scope: Id; readonly id: Id }[];
  /** Null: refused; nothing is written. May be called several times. */
  readonly decide: (view: PlanView) => readonly PlannedAction[] | null;
}

/**
 * Why a plan was not carried out; `device`: the device belongs to another account. `encrypted`: only a device with the keys of the
 * scope can do that.
 */
export type PlanRefusal =
  | { readonly verdict: Verdict | 'encrypted'; readonly index: number }
  | 'by plan'
  | 'device';

/** The one write path. */
export interface PlanOffice {
  /** Resolves after the plan is durably written, with null, or with why it isn't. */
  carryOut(actor: ApiActor, device: Id, plan: ApiPlan): Promise<PlanRefusal | null>;
}

/** The head of a scope, as far as calls go by it. */
export interface ApiScope {
  /** Grows with every change. */
  readonly version: number;
  readonly sealing?: ScopeSealing;
}

/** Whole scopes. */
export interface ApiStore {
  /** Accounts in a shared list, in the order in which they came. */
  membersOf(scope: Id): Promise<readonly number[]>;
  scope(id: Id): Promise<ApiScope | null>;
  scopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, Pick<ApiScope, 'version'>>>;
  /** Rows by their place, after the place `after` and before the place `to`. */
  shelf(
    scope: Id,
    of: { readonly after: string; readonly to: string; readonly limit: number },
  ): Promise<readonly { readonly row: Row; readonly place: string }[]>;
}

/** What a search finds. */
export interface Found {
  /** In the order of the query. */
  readonly rows: readonly Row[];
  /** The query specifies an order. */
  readonly isSorted: boolean;
  /** Unknown names and syntax errors; with a syntax error nothing is found. */
  readonly warnings: readonly string[];
}

/** The search language over the rows of an account. */
export interface Searching {
  find(actor: ApiActor, scopes: readonly Id[], query: string): Promise<Found>;
}

/** Addresses at which lists take mail. */
export interface MailLists {
  /** Null: no mail is taken. */
  readonly addresses: {
    of(
      lists: readonly { readonly scope: Id; readonly list: Id; readonly name: string }[],
    ): Promise<ReadonlyMap<Id, string>>;
  } | null;
  readonly desk: { mayReceive(account: number): Promise<boolean> };
}

/** What the handlers of the public API need. */
export interface ApiPorts {
  readonly plans: PlanOffice;
  readonly reads: TaskReads;
  readonly store: ApiStore;
  readonly searching: Searching;
  readonly clock: Clock;
  readonly newId: () => Id;
  readonly nextTurn: (work: () => void) => void;
  /** Null: lists have no e-mail address. */
  readonly mailIn: MailLists | null;
  /** `of`: the address of an attachment's content. */
  readonly fileLinks: { of(attachment: Id, session: Id, asked: URL): string };
}
