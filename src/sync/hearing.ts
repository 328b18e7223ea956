// Listens in on the network for what a person may want to know about it: when the server last answered and what it said
// a scope adds up to. It passes everything on unchanged and decides nothing.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Clock, DeviceMeta, Transport } from './ports.ts';
import type { DeviceReplica } from './replica.ts';
import type { SyncFacts } from './replica-types.ts';

interface Said {
  readonly generation: string;
  readonly version: number;
  readonly digest: string;
}

export class Hearing {
  private readonly clock: Pick<Clock, 'now'>;
  private readonly said = new Map<Id, Said>();
  private at: number | null;

  /** `heardAt` is what an earlier run of the app knew. */
  constructor(clock: Pick<Clock, 'now'>, heardAt: number | null) {
    this.clock = clock;
    this.at = heardAt;
  }

  /** Wall time of the last answer; null before the first. */
  get heardAt(): number | null {
    return this.at;
  }

  /** What another tab knows. */
  learn(heardAt: number | undefined): void {
    this.at = heardAt ?? this.at;
  }

  /** How many days the server keeps what is in the trash; null: it has not said in this run. */
  trashDays: number | null = null;

  /** What a copy knows about itself, with what was heard. */
  addedTo(meta: DeviceMeta): DeviceMeta {
    const { at: heardAt, trashDays } = this;
    const kept = trashDays === null ? meta : { ...meta, trashDays };
    return heardAt === null ? kept : { ...kept, heardAt };
  }

  /** The same network, listened to. */
  listenIn(transport: Transport): Transport {
    return {
      sync: async (request) => {
        const answer = await transport.sync(request);
        if (answer.ok) {
          this.at = Math.round(this.clock.now());
          this.trashDays = answer.value.trashDays ?? null;
          for (const change of answer.value.changes) this.note(change);
        }
        return answer;
      },
      snapshot: (scope, place) => transport.snapshot(scope, place),
      listen: (on) =>
        transport.listen({
          ...on,
          delta: (changes) => {
            this.note(changes);
            on.delta(changes);
          },
        }),
    };
  }

  /** Whether the rows held add up to what the server last said about the very version they were read to. */
  agreement(replica: Pick<DeviceReplica, 'meta' | 'digestOf'>): SyncFacts['digest'] {
    let compared = 0;
    for (const [scope, { generation, version, digest }] of this.said) {
      const cursor = replica.meta.cursors[scope];
      if (cursor?.generation !== generation || cursor.version !== version) continue;
      if (replica.meta.readings?.[scope] !== undefined) continue;
      if (replica.digestOf(scope) !== digest) return 'different';
      compared += 1;
    }
    return compared === 0 ? 'unknown' : 'equal';
  }

  private note({ scope, generation, to, digest }: ScopeChanges): void {
    if (digest !== undefined) this.said.set(scope, { generation, version: to, digest });
  }
}
