// What befalls a device, the server or time itself now and then, beside the faults that single requests and writes meet.
import type { SimulatedDevice } from './device.ts';
import { sendOddities } from './rogue.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** Longer than anything is kept for a device that does not come back. */
const BEYOND_HORIZON_DAYS = 410;
const MOST_DEVICES = 5;

type Fault = (world: World, device: SimulatedDevice) => void;

const cutOff: Fault = ({ network, scheduler, random }, device) => {
  network.setOnline(device, false);
  scheduler.after(random.between(500, 60_000), () => network.setOnline(device, true));
};

const jumpClock: Fault = ({ hits, random }, device) => {
  hits.hit('clock jumped');
  const jump = random.pick([YEAR_MS, -YEAR_MS, 5_000, -5_000, 3_600_000, -3_600_000]);
  if (Math.abs(jump) === YEAR_MS) hits.hit('clock jumped a year');
  device.clockOffsetMs += jump;
};

const letWeeksPass: Fault = ({ hits, network, scheduler, random }, device) => {
  hits.hit('weeks passed');
  network.setOnline(device, false);
  scheduler.now += random.between(1, 5) * 7 * DAY_MS;
  scheduler.after(random.between(2_000, 20_000), () => network.setOnline(device, true));
};

/** The device is away, with what it has to say, while the others empty their trash and the server forgets that they did. */
const stayAway: Fault = (world, device) => {
  const { hits, network, scheduler, random, server } = world;
  hits.hit('away beyond the horizon');
  network.setOnline(device, false);
  scheduler.after(random.between(5_000, 30_000), () => {
    void server
      .purge(device.actor.personalScope)
      .then(() => {
        if (!world.isLiving) return undefined;
        scheduler.now += BEYOND_HORIZON_DAYS * DAY_MS;
        return server.prune();
      })
      .then(() => {
        scheduler.after(random.between(10, 5_000), () => network.setOnline(device, true));
      });
  });
};

const copyStorage: Fault = (world, device) => {
  const { hits, random, server, devices } = world;
  const { meta, outbox } = device.contents;
  if (devices.length >= MOST_DEVICES || meta === null || random.chance(0.6)) return;
  hits.hit('storage copied');
  server.oracle.noteCopy(meta.device, outbox.values());
  world.addDevice(device.copy(`${device.name} copied`));
};

/** Server and app are of different age until one of them is updated. */
const skewProtocols: Fault = ({ hits, scheduler, server, random }) => {
  if (server.skew !== null) return;
  server.skew = random.pick(['too_new', 'too_old']);
  hits.hit(server.skew === 'too_new' ? 'server too old for a while' : 'app too old for a while');
  scheduler.after(random.between(1_000, 60_000), () => {
    server.skew = null;
  });
};

const kinds: readonly (readonly [weight: number, fault: Fault])[] = [
  [6, cutOff],
  [2, (_world, device) => device.crash()],
  [2, ({ server }) => server.crash()],
  [2, jumpClock],
  [
    2,
    ({ server, random }) => {
      server.clockOffsetMs += random.pick([-2_000, 2_000, 60_000]);
    },
  ],
  [2, letWeeksPass],
  [2, ({ server }, device) => void server.purge(device.actor.personalScope)],
  [1, stayAway],
  [3, ({ network, random }, device) => void sendOddities(network, device.actor, random)],
  [2, copyStorage],
  [2, ({ random }, device) => device.disk.fill(random.between(1_000, 60_000))],
  [1, (_world, device) => device.disk.vanish()],
  [1, skewProtocols],
];
const totalWeight = kinds.reduce((sum, [weight]) => sum + weight, 0);

/** Lets something befall the device or what is around it. */
export function befall(world: World, device: SimulatedDevice): void {
  let draw = world.random.below(totalWeight);
  for (const [weight, fault] of kinds) {
    if (draw < weight) {
      fault(world, device);
      return;
    }
    draw -= weight;
  }
}
