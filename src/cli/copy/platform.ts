// What the command line brings for an encrypted account (SealingPlatform): the key file, the routes of the server, randomness. It brings no
// contents of attachments into their form: that is for devices.
import { randomFillSync } from 'node:crypto';
import { failed } from '#core/result.ts';
import { leastStretching, openByPassphrase } from '#core/sealing/wraps.ts';
import type { ContentWork, PassphraseWork, SealingPlatform } from '#sync/sealing/ports.ts';
import { registerChecks } from '#wire/registers.ts';
import type { World } from '../world.ts';
import type { KeyFiles, KeyPlace } from './key-file.ts';
import { listServerOf, sealingServerOf, type Line } from './network.ts';

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

const passphrases: PassphraseWork = {
  // A second and more, in which nobody waits for anything else.
  open: (wrapped, { text, account }) =>
    Promise.resolve(openByPassphrase(wrapped, { text, account, stretching: leastStretching })),
  wrap: () => Promise.resolve(failed({ type: 'missing' })),
};

const none = () => Promise.reject(new Error('no content is sealed or opened here'));

const noContents: ContentWork = {
  cipher: { seal: none, open: none },
  digest: () => Promise.resolve(''),
  kept: () => Promise.resolve(null),
  atServer: () => Promise.resolve('missing'),
  send: () => Promise.resolve('refused'),
  settled: () => Promise.resolve(),
};

/** Which account, and where. */
interface PlatformOf {
  readonly line: Line;
  readonly files: KeyFiles;
  readonly place: KeyPlace;
  /** Whether the run ends. Absent: never. */
  readonly isOver?: () => boolean;
}

/** The platform for one account at a server. */
export function platformOf(
  world: Pick<World, 'newId' | 'now'>,
  { line, files, place, isOver }: PlatformOf,
): SealingPlatform {
  return {
    keys: files.of(place),
    server: sealingServerOf(line, isOver),
    lists: {
      server: (scope) => listServerOf(line, scope, isOver),
      keys: (scope) => files.ofList(place, scope),
      makesKeys: false,
    },
    passphrases,
    passkeys: { isPossible: false, secret: () => Promise.resolve(null) },
    random: (bytes) => void randomFillSync(bytes),
    checks: registerChecks,
    newId: () => world.newId(),
    now: () => world.now(),
    name: `Command line on ${SYSTEMS[process.platform] ?? process.platform}`,
    files: () => Promise.resolve(noContents),
  };
}
