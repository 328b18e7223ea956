// A copy in memory, where the browser refuses a disk: the app works and says that nothing is kept. Loaded only then.
import { createMemoryStorage } from '#sync/replica/memory-storage.ts';
import type { DeviceStorage } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { Copy } from './copy.ts';
import type { DeviceState } from './platform/account/device-port.ts';

export async function openInMemory(
  engineOn: (storage: DeviceStorage) => Engine,
  about: { readonly device: DeviceState; readonly isKnown: boolean; readonly reason: unknown },
): Promise<Copy> {
  const { device, isKnown, reason } = about;
  console.warn('This browser blocks storage, so nothing is kept on this device.', reason);
  const engine = engineOn({ ...createMemoryStorage(), isVolatile: true });
  await engine.open();
  device.facts.set({ ...device.facts.get(), storage: 'memory' });
  if (isKnown)
    device.tell({
      tone: 'danger',
      text: 'Couldn’t open Posthaste’s copy on this device. It wasn’t deleted. Close other tabs and reload.',
    });
  return { engine, isVolatile: true, leads: true, probe: () => undefined, stop: () => undefined };
}
