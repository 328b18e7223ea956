// Keeps a profile's data from being sent with somebody else's session: closed while it is not certain whose the browser's
// session is. The doubt outlives the page and closes the gates of all tabs.
import type { Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { Id } from '#core/ids.ts';
import { failed } from '#core/result.ts';
import type { ProfileStore } from './profile.ts';

/** Closed, it answers every request with `signedOut`, without asking the server. */
export interface Gate {
  close(): void;
  open(): void;
  /** The session belongs to another profile from now on: no more doubt, but this gate stays closed. */
  settle(): void;
  /** The same network, unreachable while the gate is closed. */
  guard(transport: Transport): Transport;
}

/** Lets requests of `profile` through while it is current and the session is not in doubt. */
export function createGate(
  profiles: Pick<ProfileStore, 'isSessionInDoubt' | 'doubtSession' | 'isCurrent'>,
  profile: Id,
): Gate {
  let isShut = false;
  // Another tab may be signing in as somebody else at this moment, or may just have.
  const isOpen = () => !isShut && !profiles.isSessionInDoubt() && profiles.isCurrent(profile);
  const shut = <T>(): Promise<TransportAnswer<T>> => Promise.resolve(failed({ type: 'signedOut' }));
  return {
    close() {
      isShut = true;
      profiles.doubtSession(true);
    },
    open() {
      isShut = false;
      profiles.doubtSession(false);
    },
    settle: () => profiles.doubtSession(false),
    guard: (transport) => ({
      ...(transport.sealing && { sealing: transport.sealing }),
      sync: (request) => (isOpen() ? transport.sync(request) : shut()),
      snapshot: (scope, place) => (isOpen() ? transport.snapshot(scope, place) : shut()),
      listen: (on) => transport.listen(on),
    }),
  };
}
