// What a running server does by itself, by timers. Of several servers on one database the leader alone keeps the house: it removes
// what is past its time, makes backups, finishes what was interrupted, asks Stripe. Reminders, calendars and moves of large trees
// go on at every server: each of these is claimed in the database by who does it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DeposedError } from '../data/fence.ts';
import type { Leadership } from '../data/presence.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
import { LOOK_MS } from '../moving/mover.ts';
import { whileLeading } from '../nodes/leading.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Services } from '../services.ts';
import type { Backups } from './backups.ts';
import { Interrupted } from './pace.ts';

const HOUR_MS = 3_600_000;
/** Housekeeping leaves the first minute to clients that waited for the server. */
const FIRST_CARE_MS = 60_000;

/** The services that work by themselves. */
export type House = Services & {
  readonly backups: Backups | null;
  readonly leadership: Leadership;
};

async function tidy(house: House, log: Logger): Promise<void> {
  const { events, desk, care, backups, mailIn, sharing, billing } = house;
  await sharing.prune();
  await events.prune();
  await mailIn?.desk.prune();
  await desk.prune();
  const report = await care.run();
  for (const [what, count] of Object.entries(report)) if (count > 0) log.info(`care_${what}`, { count });
  const outcome = await backups?.run();
  if (outcome?.type === 'made') log.info('backup_made', { count: outcome.removed });
  if (outcome?.type === 'too-little-space') log.error('backup_needs_space');
  // Last: it asks somebody else, who may be slow.
  await billing?.care();
}

/** Work of the leader. Being interrupted is no failure: whoever leads next goes on with it. */
async function asLeader(house: House, log: Logger, failure: string, work: () => Promise<void>) {
  try {
    await whileLeading(house.leadership, work);
  } catch (error) {
    if (error instanceof DeposedError) log.info('leader_no_more');
    else if (!(error instanceof Interrupted)) log.error(failure, errorDetail(error));
  }
}

function watchProcess(metrics: Metrics, leadership: Leadership): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  metrics.gauge('posthaste_loop_delay_p99_seconds', 'Delay of the event loop, 99th percentile.', () =>
    seconds(delay.percentile(99)),
  );
  metrics.gauge('posthaste_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  metrics.gauge('posthaste_leader', '1 at the server that keeps the house of this database.', () =>
    leadership.term === null ? 0 : 1,
  );
  return () => delay.disable();
}

/** The hourly work. The result ends it. */
function runHourly(house: House, log: Logger): () => void {
  const { leadership, sealedScopes, devices } = house;
  // What a killed process left in files after a scope was sealed.
  const scrub = () => asLeader(house, log, 'sealing_unfinished', () => sealedScopes.resume());
  const care = () => asLeader(house, log, 'care_failed', () => tidy(house, log));
  let first: NodeJS.Timeout | undefined;
  const lead = () => {
    clearTimeout(first);
    if (leadership.term === null) return;
    void scrub();
    first = setTimeout(() => void care(), FIRST_CARE_MS);
    first.unref();
  };
  lead();
  const unwatch = leadership.watch(lead);
  const hourly = setInterval(() => {
    // Which devices came to this server only it knows. The leader saves them before it forgets what no device needs.
    if (leadership.term === null)
      devices.save().catch((error: unknown) => log.error('devices_not_saved', errorDetail(error)));
    void care().then(scrub);
  }, HOUR_MS);
  hourly.unref();
  return () => {
    unwatch();
    clearTimeout(first);
    clearInterval(hourly);
  };
}

/** Schedules periodic work. The result stops it. */
export function keepHouse(services: House, log: Logger): () => Promise<void> {
  const { metrics, leadership, mover, sharing } = services;
  const unwatch = watchProcess(metrics, leadership);
  const endHourly = runHourly(services, log);
  services.push.scheduler.start();
  services.calendars.polling.start();
  const share = () => asLeader(services, log, 'sharing_failed', () => sharing.run());
  // What a killed process left, and later what another one leaves. A list is shared once its tasks have moved.
  void share()
    .then(() => mover.run())
    .then(share);
  const moving = setInterval(() => void mover.run().then(share), LOOK_MS);
  moving.unref();
  return async () => {
    endHourly();
    clearInterval(moving);
    await mover.stop();
    unwatch();
    await services.push.stop();
    await services.calendars.polling.stop();
    await services.care.stop();
    await services.billing?.stop();
    await services.backups?.idle();
    await saveDevices(services, log);
    await services.desk.background.idle();
  };
}

/** A failure to save contacts must not change how the server ends. */
async function saveDevices({ devices }: House, log: Logger): Promise<void> {
  try {
    await devices.save();
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
    log.error('devices_not_saved', errorDetail(error));
  }
}
