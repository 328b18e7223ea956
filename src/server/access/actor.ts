// Loads the actor that `authorise` judges, from a token and the kind of session its endpoint takes.
import type { Store } from '../data/store.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { isConfirmed, type FoundSession, type Sessions } from '../accounts/sessions.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountActor, Actor, SessionKind } from './authorise.ts';

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

/** Reads roles anew for every request: a change of membership takes effect with the next one. */
export async function actorOf(
  { accounts, store, clock }: ActorPorts,
  { session, account }: Omit<FoundSession, 'replacement'>,
): Promise<AccountActor> {
  let scopes = await store.scopesOf(account.id);
  if (!scopes.some(({ scope }) => scope === account.personal_scope)) {
    await accounts.heal(account);
    scopes = await store.scopesOf(account.id);
  }
  return {
    type: 'account',
    account: account.id,
    session: session.id,
    kind: session.kind,
    access: session.access,
    isConfirmed: isConfirmed(session, clock.now()),
    personalScope: account.personal_scope,
    roles: new Map(scopes.map(({ scope, role }) => [scope, role])),
  };
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
