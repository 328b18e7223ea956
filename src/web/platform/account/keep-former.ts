// Keeps the contents of an erased account by the keys of this browser.
import { keepFormer } from './former-contents.ts';

type Former = Parameters<typeof keepFormer>;

/** As `keepFormer`. */
export const keepFormerHere = (owner: Former[0], rows: Former[1]): Promise<void> =>
  keepFormer(owner, rows, async (account) =>
    (await import('./sealing-port.ts')).createSealingPlatform(account),
  );
