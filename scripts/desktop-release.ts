// Signs a release of the desktop client: `npm run desktop -- --release --key <file> --notes <file> <installer …>` puts the installers, and
// release.json beside them, into dist/release-<version>. `--new-key <file>` makes a key: the file is the secret, and its public half is printed.
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { verifierOf } from '#core/sealing/signing.ts';
import { type DesktopPlatform, releaseFileName, signRelease } from '#wire/releases/release.ts';
import { ROOT } from './files.ts';

const OWNER_ONLY = 0o600;

const PLATFORMS: readonly (readonly [ending: RegExp, platform: DesktopPlatform])[] = [
  [/\.deb$/, 'debian'],
  [/\.dmg$/, 'mac'],
  [/\.exe$/, 'windows'],
  [/\.AppImage$/, 'linux'],
];

/** Makes a key and resolves with its public half, hex. Never replaces a file: who loses a key can't update anybody. */
export function makeReleaseKey(path: string): string {
  const secret = randomBytes(32);
  writeFileSync(path, `${secret.toString('hex')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  return Buffer.from(verifierOf(secret)).toString('hex');
}

function secretOf(path: string): Uint8Array {
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} is no key. --new-key makes one.`);
  return Buffer.from(text, 'hex');
}

export interface ReleaseParts {
  /** Paths of the installers. Their endings say what they are for. */
  readonly files: readonly string[];
  /** Path of the secret. */
  readonly key: string;
  /** Markdown. */
  readonly notes: string;
  readonly version: string;
  /** Wall milliseconds. */
  readonly at: number;
}

/** Puts a signed release together in `folder`, made anew. Throws, naming the file, on one that isn't an installer. */
export function makeRelease(folder: string, { files, key, notes, version, at }: ReleaseParts): void {
  const described = files.map((path) => {
    const platform = PLATFORMS.find(([ending]) => ending.test(path))?.[1];
    if (platform === undefined) throw new Error(`${path} is no .deb, .dmg, .exe or .AppImage.`);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    return { platform, name: basename(path), bytes: statSync(path).size, sha256 };
  });
  const signed = signRelease({ format: 1, version, at, notes, files: described }, secretOf(key));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of files) copyFileSync(path, join(folder, basename(path)));
  writeFileSync(join(folder, releaseFileName), `${JSON.stringify(signed, null, 2)}\n`);
}

/** Runs `--release` and `--new-key`. Returns what is printed. */
export function release(given: readonly string[]): string {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      release: { type: 'boolean' },
      'new-key': { type: 'string' },
      key: { type: 'string' },
      notes: { type: 'string' },
    },
  });
  const newKey = values['new-key'];
  if (newKey !== undefined)
    return `${newKey} is the secret: keep it off every server. Build clients with\nRELEASE_KEY=${makeReleaseKey(newKey)}`;
  const { key, notes } = values;
  if (key === undefined || notes === undefined || positionals.length === 0 || !existsSync(notes))
    throw new Error('npm run desktop -- --release --key <file> --notes <file> <installer …>');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const folder = join(ROOT, `dist/release-${version}`);
  makeRelease(folder, {
    files: positionals,
    key,
    notes: readFileSync(notes, 'utf8'),
    version,
    at: Date.now(),
  });
  return `${folder}\nOn the server: npm run admin -- release add <that folder>`;
}
