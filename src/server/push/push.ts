// Assembles reminders outside the app. Nothing is sent before `scheduler.start()`.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { createSettlingClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import type { TaskReads } from '#api/task-reads.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createDeliveries } from './deliveries.ts';
import { createDueIndex } from './due-index.ts';
import { createEndpointGuard, type EndpointGuard } from './guard.ts';
import { openPushKeys, type PushKeys } from './keys.ts';
import { createNotices } from './notices.ts';
import { createReckoning } from './reckoning.ts';
import { createReminderScheduler, type ReminderScheduler } from './scheduler.ts';
import { createPushSender } from './sender.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

/** Reminders outside the app, as one value for the server. */
export interface Push {
  readonly keys: () => Promise<PushKeys>;
  readonly guard: EndpointGuard;
  readonly subscriptions: Subscriptions;
  readonly scheduler: ReminderScheduler;
  /** Stops the scheduler and closes connections. */
  stop(): Promise<void>;
}

export interface PushPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'scopesOf'>;
  readonly reads: Pick<TaskReads, 'find'>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly config: Pick<Config, 'publicUrl' | 'pushNetworks' | 'pushContact'>;
  readonly newId: () => Id;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'pushed'>;
  /** Additionally trusted certificates. */
  readonly ca?: string;
}

function contactOf({ pushContact, publicUrl }: PushPorts['config']): string {
  if (pushContact !== null) return pushContact;
  return publicUrl?.startsWith('https:') === true ? publicUrl : 'mailto:postmaster@localhost';
}

/** Wires keys, subscriptions, due index, deliveries and scheduler together. */
export function createPush(ports: PushPorts): Push {
  const { db, store, reads, clock, sealing, config, newId, log, metrics, ca } = ports;
  const settling = createSettlingClock(clock);
  const now = () => Math.round(settling.now());
  let opened: Promise<PushKeys> | null = null;
  const keys = () => {
    opened ??= openPushKeys(db, sealing).catch((error: unknown) => {
      // The next call tries again.
      opened = null;
      throw error;
    });
    return opened;
  };
  const guard = createEndpointGuard({ allowed: config.pushNetworks });
  const subscriptions = createSubscriptions({ db, clock, newId });
  const reckoning = createReckoning(store, reads);
  const notices = createNotices({ db, store, reads, subscriptions, origin: config.publicUrl });
  const sender = createPushSender({ guard, keys, contact: contactOf(config), ...(ca ? { ca } : {}) });
  const scheduler = createReminderScheduler({
    due: createDueIndex({ db, reckoning, subscriptions }),
    notices,
    deliveries: createDeliveries({
      db,
      subscriptions,
      reckoning,
      notices,
      sender,
      origin: config.publicUrl,
      now,
      sent: (outcome) => metrics.pushed(outcome),
    }),
    now,
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
    onError: (error) => log.error('reminders_failed', errorDetail(error)),
  });
  return {
    keys,
    guard,
    subscriptions,
    scheduler,
    async stop() {
      await scheduler.stop();
      sender.close();
    },
  };
}
