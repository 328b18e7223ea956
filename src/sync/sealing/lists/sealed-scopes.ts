// All scopes of a copy that are sealed, or were: somebody's own, and lists that stay encrypted. Each has a transport of its own, which knows its scope
// alone, and hands on what it has done to the one behind it.
import type { Id } from '#core/ids.ts';
import { ok } from '#core/result.ts';
import type { ScopeChanges, SnapshotPlace, SyncRequest, SyncResponse } from '#wire/sync.ts';
import type { Exchanged, LiveListener, PartPage, Transport, TransportAnswer } from '../../replica/ports.ts';
import type { DeviceKeys } from '../device-keys.ts';
import type { SealingHost } from '../ports.ts';
import type { SealedTransport } from '../sealed-transport.ts';
import type { ListCrossings } from './list-crossings.ts';

interface Ports {
  readonly host: SealingHost;
  readonly crossings: ListCrossings;
  readonly own: { readonly keys: DeviceKeys; readonly transport: SealedTransport };
  /** What seals and opens a list, before another transport. */
  readonly ofList: (scope: Id, inner: Transport) => SealedTransport;
}

/** Wraps a transport. */
export class SealedScopes {
  readonly #ports: Ports;
  readonly #lists = new Map<Id, SealedTransport>();
  #outer: SealedTransport;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#outer = ports.own.transport;
    for (const scope of ports.host.lists) this.#list(scope);
  }

  async sync(request: SyncRequest): Promise<TransportAnswer<Exchanged>> {
    const known = new Set(this.#lists.keys());
    const { crossings } = this.#ports;
    const { request: sent, refused } = await crossings.outgoing(request);
    const answer = await this.#outer.sync(sent);
    if (!answer.ok) return answer;
    crossings.heard(sent, answer.value);
    // Of a list that was first heard of with this answer nothing has been opened on its way here.
    let { value } = answer;
    for (const [scope, list] of this.#lists)
      if (!known.has(scope)) value = { ...value, ...(await list.taken(value)) };
    return ok(refused.length === 0 ? value : { ...value, results: [...value.results, ...refused] });
  }

  /** An answer with its rows opened. */
  async taken(answer: SyncResponse): Promise<SyncResponse> {
    let taken = await this.#ports.own.transport.taken(this.heard(answer));
    for (const list of this.#lists.values()) taken = await list.taken(taken);
    return taken;
  }

  /** Takes notice of lists that are encrypted. */
  heard<A extends SyncResponse>(answer: A): A {
    const { host } = this.#ports;
    for (const scope of Object.keys(answer.sealing ?? {}) as Id[])
      if (scope !== host.scope) {
        host.list(scope).remember();
        this.#list(scope);
      }
    return answer;
  }

  snapshot(scope: Id, place: SnapshotPlace): Promise<TransportAnswer<PartPage>> {
    return (this.#lists.get(scope) ?? this.#ports.own.transport).snapshot(scope, place);
  }

  delta(on: Pick<LiveListener, 'delta' | 'poke'>, change: ScopeChanges): void {
    (this.#lists.get(change.scope as Id) ?? this.#ports.own.transport).delta(on, change);
  }

  #list(scope: Id): SealedTransport {
    const known = this.#lists.get(scope);
    if (known !== undefined) return known;
    const inner = this.#outer;
    const made = this.#ports.ofList(scope, {
      sync: (request) => inner.sync(request),
      snapshot: (...of) => inner.snapshot(...of),
      listen: (on) => inner.listen(on),
    });
    this.#lists.set(scope, made);
    this.#outer = made;
    return made;
  }
}
