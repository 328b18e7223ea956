// What is done once after each start, when nothing else is to be done. Loaded then.
import type { DeviceState } from './platform/account/device-port.ts';
import { smallStorage } from './platform/storage/local-storage.ts';

/** `isVolatile`: this copy has no disk to be looked after. */
export function afterStart(device: DeviceState, isVolatile: boolean): void {
  import('./platform/install-offer.ts')
    .then(({ offerInstall }) => offerInstall(smallStorage, device))
    .catch((error: unknown) => console.info('Installing the app is not offered now.', error));
  if (isVolatile) return;
  // Housekeeping: where it fails, the next start does it.
  import('./platform/storage/housekeeping.ts')
    .then(({ expire }) => expire(Date.now()))
    .catch((error: unknown) => console.info('What is kept for a while was not looked at.', error));
}
