// Stands before the network of every copy: as long as no scope of it was ever sealed it only watches for the word of it. Then, and from the
// start on devices that have heard it before, what seals and opens is loaded before anything else goes out or comes in.
import { failed, ok } from '#core/result.ts';
import type { Id } from '#core/ids.ts';
import type { SyncResponse } from '#wire/sync.ts';
import type { Transport, TransportAnswer } from '../replica/ports.ts';
import type { SealingHost } from './ports.ts';
import type { SealedScopes } from './lists/sealed-scopes.ts';

const OFFLINE = failed({ type: 'offline' } as const);

/** The transport with the gate before it; one whose device can't seal stays as it is. */
export function gated(transport: Transport, host: SealingHost): Transport {
  const { sealing } = transport;
  if (sealing === undefined) return transport;
  let program: SealedScopes | null = null;
  let loading: Promise<SealedScopes | null> | null = null;
  const bring = (): Promise<SealedScopes | null> => {
    loading ??= Promise.all([import('./sealed-program.ts'), sealing()]).then(
      ([{ sealedScopes }, platform]) => (program = sealedScopes(transport, platform, host)),
      () => (loading = null),
    );
    return loading;
  };
  const take = async (answer: SyncResponse): Promise<TransportAnswer<SyncResponse>> => {
    if (answer.sealing === undefined) return ok(answer);
    if (answer.sealing[host.scope] !== undefined) host.remember();
    const loaded = await bring();
    return loaded === null ? OFFLINE : ok(await loaded.taken(answer));
  };
  const isSealed = () => host.wasSealed || host.lists.length > 0;
  return {
    async sync(request) {
      if (program === null && isSealed()) await bring();
      if (program !== null) return program.sync(request);
      if (isSealed()) return OFFLINE;
      const answer = await transport.sync(request);
      return answer.ok ? take(answer.value) : answer;
    },
    async snapshot(scope, place) {
      if (program === null && isSealed()) await bring();
      if (program === null && isSealed()) return OFFLINE;
      return (program ?? transport).snapshot(scope, place);
    },
    listen: (on) =>
      transport.listen({
        ...on,
        hello: () => on.hello(),
        delta(change) {
          if (program !== null) program.delta(on, change);
          else if (isSealed() && [host.scope, ...host.lists].includes(change.scope as Id))
            on.poke(change.scope, change.to);
          else on.delta(change);
        },
      }),
  };
}
