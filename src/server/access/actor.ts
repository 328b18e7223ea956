// Loads who is asking: from a token and the door it came to, to the actor that `authorise` judges.
import type { Store } from '../data/store.ts';
import type { Clock } from '#sync/ports.ts';
import { isConfirmed, type FoundSession, type Sessions } from '../accounts/sessions.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountActor, Actor, SessionKind } from './authorise.ts';

export const anonymous: Actor = { type: 'anonymous' };

export interface LoadedActor {
  readonly actor: Actor;
  /** The session behind it; null for an anonymous actor. */
  readonly found: FoundSession | null;
}

export interface ActorPorts {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly accounts: Pick<Accounts, 'heal'>;
  readonly store: Pick<Store, 'scopesOf'>;
}

/** Roles are read anew every time: a change of membership holds from the next request on. */
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

/** Anonymous when there is no token, or not one that is good at this door. */
export async function loadActor(
  ports: ActorPorts,
  token: string | null,
  kind: SessionKind,
): Promise<LoadedActor> {
  const found = token === null ? null : await ports.sessions.find(token, kind);
  return found ? { actor: await actorOf(ports, found), found } : { actor: anonymous, found: null };
}
