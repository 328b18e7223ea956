// Stands before the network of every copy: as long as its own scope was never sealed it only watches for the word of it. Then, and from the
// start on devices that have heard it before, what seals and opens is loaded before anything else goes out or comes in.
import { failed, ok } from '#core/result.ts';
import type { SyncResponse } from '#wire/sync.ts';
import type { Transport, TransportAnswer } from '../replica/ports.ts';
import type { SealingHost } from './ports.ts';
import type { SealedTransport } from './sealed-transport.ts';

const OFFLINE = failed({ type: 'offline' } as const);

/** The transport with the gate before it; one whose device can't seal stays as it is. */
export function gated(transport: Transport, host: SealingHost): Transport {
  const { sealing } = transport;
  if (sealing === undefined) return transport;
  let program: SealedTransport | null = null;
  let loading: Promise<SealedTransport | null> | null = null;
  const bring = (): Promise<SealedTransport | null> => {
    loading ??= Promise.all([import('./sealed-program.ts'), sealing()]).then(
      ([{ sealedTransport }, platform]) => (program = sealedTransport(transport, platform, host)),
      () => (loading = null),
    );
    return loading;
  };
  const take = async (answer: SyncResponse): Promise<TransportAnswer<SyncResponse>> => {
    const said = answer.sealing?.[host.scope];
    if (said === undefined) return ok(answer);
    host.remember();
    const loaded = await bring();
    return loaded === null ? OFFLINE : ok(await loaded.taken(answer));
  };
  return {
    async sync(request) {
      if (program === null && host.wasSealed) await bring();
      if (program !== null) return program.sync(request);
      if (host.wasSealed) return OFFLINE;
      const answer = await transport.sync(request);
      return answer.ok ? take(answer.value) : answer;
    },
    async snapshot(scope, place) {
      if (program === null && host.wasSealed) await bring();
      if (program === null && host.wasSealed) return OFFLINE;
      return (program ?? transport).snapshot(scope, place);
    },
    listen: (on) =>
      transport.listen({
        ...on,
        hello: () => on.hello(),
        delta(change) {
          if (program !== null) program.delta(on, change);
          else if (host.wasSealed && change.scope === host.scope) on.poke(change.scope, change.to);
          else on.delta(change);
        },
      }),
  };
}
