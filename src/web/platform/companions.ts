// Brings an engine together with the tabs that work on the same copy. While there are none, this only listens: what
// tabs say to each other (sync/tabs/coordinator.ts) is loaded with the second one.
import type { Company } from '#sync/tabs/coordinator.ts';
import type { Message } from '#sync/tabs/tab-messages.ts';
import type { ShareableEngine } from '#sync/exchange/engine.ts';
import type { Part } from '#sync/replica/ports.ts';
import type { Seat } from './storage/tab-lock.ts';
import { newId, timers } from './world.ts';

/** The tie between an engine and the other tabs on its copy. The opener of the engine stops it. */
export interface Companions {
  /** Resolves when the engine may be opened: at once for who leads. */
  readonly met: Promise<unknown>;
  /** The disk says that another tab leads. */
  fenced(): void;
  stop(): void;
}

/** Listens on the seat's channel at once, and sets the seat's `onPart`. */
export function meetCompanions(engine: ShareableEngine, seat: Seat): Companions {
  const early: Message[] = [];
  let hear: ((message: Message) => void) | null = null;
  let coming: Promise<Company> | null = null;

  const meet = (part: Part): Promise<Company> =>
    (coming ??= import('#sync/tabs/coordinator.ts').then(({ Company: Met }) =>
      engine.share(
        (copy) =>
          new Met(
            copy,
            {
              channel: { post: (message) => seat.post(message), listen },
              timers,
              newId,
              steal: () => seat.steal(),
            },
            part,
          ),
      ),
    ));

  function listen(on: (message: Message) => void): () => void {
    // Who listens is not made yet.
    queueMicrotask(() => {
      hear = on;
      for (const message of early.splice(0)) on(message);
    });
    return () => {
      hear = () => undefined;
    };
  }

  const onMessage = (event: MessageEvent<Message>) => {
    if (hear) hear(event.data);
    else {
      early.push(event.data);
      void meet('leader');
    }
  };
  seat.channel.addEventListener('message', onMessage);
  const met = seat.part === 'follower' ? meet('follower') : Promise.resolve();
  seat.onPart = (part) => {
    if (coming || part === 'follower') void meet('leader').then((company) => company.changed(part));
  };
  return {
    met,
    fenced() {
      if (seat.part === 'leader') void meet('leader').then((company) => company.fenced());
    },
    stop() {
      seat.onPart = () => undefined;
      seat.channel.removeEventListener('message', onMessage);
      void coming?.then((company) => company.close());
    },
  };
}
