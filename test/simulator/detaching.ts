// Devices of a simulated world on which cloud sync is turned off for a while: what is made there meanwhile is dropped when
// it is turned on again, and no request ever carries it.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import type { SimulatedDevice } from './device.ts';
import type { World } from './world.ts';

export class Detachments {
  /** Operations that were dropped. */
  readonly dropped = new Set<Id>();
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** Turns cloud sync off, or on again. */
  turn(device: SimulatedDevice): void {
    const { engine } = device;
    if (engine === null || !device.isReady) return;
    if (device.contents.meta?.detached !== undefined) this.turnOn(device);
    else if (engine.facts().detached === null) {
      engine.detach();
      device.detached = engine.facts().detached;
      this.world.hits.hit('cloud sync turned off');
    }
  }

  /** Everywhere, and every disk knows. Every app runs. */
  async end(): Promise<void> {
    const { world } = this;
    for (const device of world.devices) this.turnOn(device);
    const isOn = ({ contents }: SimulatedDevice): boolean => contents.meta?.detached === undefined;
    const isDone = await world.runUntil(() => world.devices.every(isOn), world.scheduler.now + 60_000);
    assert.ok(isDone, 'a disk does not learn that cloud sync is on');
  }

  /** Throws, saying what is wrong. */
  check(): void {
    const { oracle } = this.world.server;
    for (const id of this.dropped)
      assert.ok(!oracle.hasArrived(id), `operation ${id} was sent though cloud sync was off`);
  }

  private turnOn(device: SimulatedDevice): void {
    const made = device.engine?.detachedChanges();
    device.detached = null;
    if (!made) return;
    assert.ok(device.engine?.attach(made), 'cloud sync is turned on with all that was made without it');
    // What was undone there may be gone.
    device.done = [];
    device.undone = [];
    for (const { u } of made.operations) this.dropped.add(u);
    this.world.hits.hit('made while cloud sync was off and dropped', made.operations.length);
  }
}
