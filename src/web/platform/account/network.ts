// The network and the account routes as the first screen needs them: not yet. Both are loaded after it; a
// call waits for that, and where they cannot be loaded, calls fail as if there were no network. Not here:
// what they do (transport.ts, account-port.ts).
import type { AccountFailure, AccountPort } from '#client/app/app.ts';
import { lazy } from '#client/loading/lazy.ts';
import type { Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { AccountPorts } from './account-port.ts';

const OFFLINE = { ok: false, problem: { type: 'offline' } } as const;

/** The Transport port over the server that gave the page, for the copy of an account. */
export function createNetwork(account: number): Transport {
  const transport = lazy(async () => (await import('./transport.ts')).createBrowserTransport());
  async function ask<T>(
    question: (of: Transport) => Promise<TransportAnswer<T>>,
  ): Promise<TransportAnswer<T>> {
    const loaded = await transport.load().catch(() => null);
    return loaded ? question(loaded) : OFFLINE;
  }
  return {
    sync: (request) => ask((of) => of.sync(request)),
    snapshot: (scope, place) => ask((of) => of.snapshot(scope, place)),
    sealing: () => import('./sealing-port.ts').then((port) => port.createSealingPlatform(account)),
    listen(on) {
      let stop: (() => void) | null = null;
      let isStopped = false;
      // Without it changes are fetched now and then.
      void transport.load().then(
        (loaded) => {
          if (!isStopped) stop = loaded.listen(on);
        },
        () => undefined,
      );
      return () => {
        isStopped = true;
        stop?.();
      };
    },
  };
}

const UNLOADED: AccountFailure = {
  type: 'offline',
  message: 'Couldn’t load this part of the app. Go online and try again.',
};

/** The AccountPort over the same server. */
export function createAccounts(ports: AccountPorts): AccountPort {
  const port = lazy(async () => (await import('./account-port.ts')).createAccountPort(ports));
  const ask = <T>(question: (of: AccountPort) => Promise<T>): Promise<T | AccountFailure> =>
    port.load().then(question, () => UNLOADED);
  // What was in doubt when the page was left is ended as soon as it can be.
  if (ports.isSessionInDoubt) void port.load().catch(() => undefined);
  return {
    email: ports.binding?.email ?? null,
    history: (of) => ask((accounts) => accounts.history(of)),
    signUp: (email, password) => ask((accounts) => accounts.signUp(email, password)),
    signIn: (email, password, code) => ask((accounts) => accounts.signIn(email, password, code)),
    signInByPasskey: () => ask((accounts) => accounts.signInByPasskey()),
    safety: () => ask((accounts) => accounts.safety()),
    sharing: () => port.load().then((accounts) => accounts.sharing()),
    sealing: () => port.load().then((accounts) => accounts.sealing()),
    live: () => port.load().then((accounts) => accounts.live()),
    useOther: () => void ask((accounts) => Promise.resolve(accounts.useOther())),
    refuseOther: () => ask((accounts) => accounts.refuseOther()).then(() => undefined),
    signOut: () => ask((accounts) => accounts.signOut()),
    stayHere: ports.onErased,
    get isKept() {
      return port.now?.isKept === true;
    },
    sessions: () => ask((accounts) => accounts.sessions()),
    revoke: (id) => ask((accounts) => accounts.revoke(id)),
    emptyTrash: (items) => ask((accounts) => accounts.emptyTrash(items)),
    devices: () => ask((accounts) => accounts.devices()),
    mailAddress: (of, isNew) => ask((accounts) => accounts.mailAddress(of, isNew)),
  };
}
