// Watches the network for facts that a person may want to know: when the server last answered, and the digests it sent.
// It passes everything on unchanged and decides nothing.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Clock, DeviceMeta, Transport } from '../replica/ports.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import type { SyncFacts } from '../replica/replica-types.ts';

interface Said {
  readonly generation: string;
  readonly version: number;
  readonly digest: string;
}

export class Hearing {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #said = new Map<Id, Said>();
  #at: number | null;

  /** `heardAt`: the time known from an earlier run of the app. */
  constructor(clock: Pick<Clock, 'now'>, heardAt: number | null) {
    this.#clock = clock;
    this.#at = heardAt;
  }

  /** Wall time of the last answer; null before the first. */
  get heardAt(): number | null {
    return this.#at;
  }

  /** Takes over the time known to another tab. */
  learn(heardAt: number | undefined): void {
    this.#at = heardAt ?? this.#at;
  }

  /** How many days the server keeps the trash; null: not sent in this run. */
  trashDays: number | null = null;

  /** The state of the copy with these facts added. */
  addedTo(meta: DeviceMeta): DeviceMeta {
    const { trashDays } = this;
    const heardAt = this.#at;
    const kept = trashDays === null ? meta : { ...meta, trashDays };
    return heardAt === null ? kept : { ...kept, heardAt };
  }

  /** The same transport, observed. */
  listenIn(transport: Transport): Transport {
    return {
      ...(transport.sealing && { sealing: transport.sealing }),
      sync: async (request) => {
        const answer = await transport.sync(request);
        if (answer.ok) {
          this.#at = Math.round(this.#clock.now());
          this.trashDays = answer.value.trashDays ?? null;
          for (const change of answer.value.changes) this.#note(change);
        }
        return answer;
      },
      snapshot: (scope, place) => transport.snapshot(scope, place),
      listen: (on) =>
        transport.listen({
          ...on,
          delta: (changes) => {
            this.#note(changes);
            on.delta(changes);
          },
        }),
    };
  }

  /** Whether the held rows have the digest that the server last sent for exactly their version. */
  agreement(replica: Pick<DeviceReplica, 'meta' | 'digestOf'>): SyncFacts['digest'] {
    let compared = 0;
    for (const [scope, { generation, version, digest }] of this.#said) {
      const cursor = replica.meta.cursors[scope];
      if (cursor?.generation !== generation || cursor.version !== version) continue;
      if (replica.meta.readings?.[scope] !== undefined) continue;
      if (replica.digestOf(scope) !== digest) return 'different';
      compared += 1;
    }
    return compared === 0 ? 'unknown' : 'equal';
  }

  #note({ scope, generation, to, digest }: ScopeChanges): void {
    const known = this.#said.get(scope);
    // An overtaken answer says nothing about the current state.
    const isLate = known !== undefined && known.generation === generation && known.version > to;
    if (digest !== undefined && !isLate) this.#said.set(scope, { generation, version: to, digest });
  }
}
