// What registers may hold, checked from shortly after the start: the descriptions load when the first screen stands. Until
// then a device believes its own commands, which make no other values; the server checks everything.
import type { RegisterChecks } from '#wire/registers.ts';

let checks: RegisterChecks | null = null;

/** Finds nothing wrong until `loadChecks` has succeeded. */
export const lateChecks: RegisterChecks = {
  register: (...of) => checks?.register(...of) ?? null,
  creation: (...of) => checks?.creation(...of) ?? null,
};

/** Where they cannot be fetched the server still checks; the next start asks for them again. */
export function loadChecks(): void {
  import('#wire/registers.ts').then(
    ({ registerChecks }) => {
      checks = registerChecks;
    },
    () => console.info('Couldn’t load the value checks.'),
  );
}
