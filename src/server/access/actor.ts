// Loads the actor that `authorise` judges, from a token and the kind of session its endpoint takes.
import type { Store } from '../data/store.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { isConfirmed, type FoundSession, type Sessions } from '../accounts/sessions.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountActor, Actor, SessionKind } from './authorise.ts';

const NO_ROLES: AccountActor['roles'] = new Map();

/** A request without a valid session. */
export const anonymous: Actor = { type: 'anonymous' };

/** The actor of a request, with its session and account. */
export interface LoadedActor {
  readonly actor: Actor;
  /** The actor's session; null for an anonymous actor. */
  readonly found: FoundSession | null;
}

/** What loading an actor needs. */
export interface ActorPorts {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly accounts: Pick<Accounts, 'heal'>;
  readonly store: Pick<Store, 'scopesOf'>;
}

/** An account whose roles nobody has read: it may use routes, and see and change nothing of any scope. */
export function beforeRoles(
  { session, account }: Omit<FoundSession, 'replacement'>,
  now: number,
): AccountActor {
  return {
    type: 'account',
    account: account.id,
    session: session.id,
    kind: session.kind,
    access: session.access,
    isConfirmed: isConfirmed(session, now),
    personalScope: account.personal_scope,
    roles: NO_ROLES,
  };
}

/** Reads roles anew for every request: a change of membership takes effect with the next one. */
export async function actorOf(
  { accounts, store, clock }: ActorPorts,
  found: Omit<FoundSession, 'replacement'>,
): Promise<AccountActor> {
  const { account } = found;
  let scopes = await store.scopesOf(account.id);
  if (!scopes.some(({ scope }) => scope === account.personal_scope)) {
    await accounts.heal(account);
    scopes = await store.scopesOf(account.id);
  }
  const roles = new Map(scopes.map(({ scope, role }) => [scope, role]));
  return { ...beforeRoles(found, clock.now()), roles };
}

/** Anonymous without a token, or with one that is not valid at this endpoint. */
export async function loadActor(
  ports: ActorPorts,
  token: string | null,
  kind: SessionKind,
): Promise<LoadedActor> {
  const found = token === null ? null : await ports.sessions.find(token, kind);
  return found ? { actor: await actorOf(ports, found), found } : { actor: anonymous, found: null };
}
