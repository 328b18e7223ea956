// A copy in memory, where the browser refuses a disk: the app works and says that nothing is kept. Loaded only then.
import { createMemoryStorage } from '#sync/memory-storage.ts';
import type { DeviceStorage } from '#sync/ports.ts';
import type { Engine } from '#sync/replica-types.ts';
import type { Copy } from './copy.ts';
import type { DeviceState } from './platform/device-port.ts';

export async function openInMemory(
  engineOn: (storage: DeviceStorage) => Engine,
  about: { readonly device: DeviceState; readonly isKnown: boolean; readonly reason: unknown },
): Promise<Copy> {
  const { device, isKnown, reason } = about;
  console.warn('This browser refuses storage; nothing is kept on this device.', reason);
  const engine = engineOn({ ...createMemoryStorage(), isVolatile: true });
  await engine.open();
  device.facts.set({ ...device.facts.get(), storage: 'memory' });
  if (isKnown)
    device.tell({
      tone: 'danger',
      text: 'Posthaste’s copy on this device could not be opened. It was not deleted: close other tabs and reload to try again.',
    });
  return { engine, isVolatile: true, leads: true, probe: () => undefined, stop: () => undefined };
}
