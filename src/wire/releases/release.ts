// A release of the desktop client: which files belong to a version, signed by the people who built it. The server hands it on and can change
// nothing in it: a client takes only what the key that it was built with has signed.
import * as z from 'zod/mini';
import { fromHex, toHex } from '#core/hex.ts';
import { isSigned, sign, verifierOf } from '#core/sealing/signing.ts';

/** What a file installs on: Debian and Ubuntu, macOS, Windows, other Linux. */
export const desktopPlatforms = ['debian', 'mac', 'windows', 'linux'] as const;
/** One of them. */
export type DesktopPlatform = (typeof desktopPlatforms)[number];

/** Bytes of the largest file: an installer with a browser engine inside is 110 MB. */
export const mostReleaseBytes = 500_000_000;
/** Name of the file with the signed release, beside the files that it names. */
export const releaseFileName = 'release.json';

const MOST_FILES = 20;
const MOST_NOTES = 20_000;
const MOST_MANIFEST = 60_000;
/** Nothing else is signed with the same beginning. */
const CONTEXT = 'posthaste release 1\n';

const versionSchema = z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/));
const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`)));

const fileSchema = z.object({
  platform: z.enum(desktopPlatforms),
  /** A plain name: it becomes one in the file system. */
  name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)),
  bytes: z.int().check(z.minimum(1), z.maximum(mostReleaseBytes)),
  sha256: hex(32),
});
/** A file of a release. `sha256` in hex. */
export type ReleaseFile = z.infer<typeof fileSchema>;

const manifestSchema = z.object({
  format: z.literal(1),
  /** `1.2.3` */
  version: versionSchema,
  /** When it was signed, wall milliseconds. */
  at: z.int().check(z.minimum(0)),
  /** What is new, in markdown. */
  notes: z.string().check(z.regex(/\S/), z.maxLength(MOST_NOTES)),
  files: z.array(fileSchema).check(z.minLength(1), z.maxLength(MOST_FILES)),
});
/** What is signed. */
export type ReleaseManifest = z.infer<typeof manifestSchema>;

/** Schema of `SignedRelease`. */
export const signedReleaseSchema = z.object({
  /** JSON of a `ReleaseManifest`, exactly as it was signed. */
  manifest: z.string().check(z.maxLength(MOST_MANIFEST)),
  /** Ed25519, hex. */
  signature: hex(64),
  /** The public key of who signed, hex. It proves nothing: a client has its own copy. */
  key: hex(32),
});
/** A release as it travels: beside its files, in the database, and to clients. */
export type SignedRelease = z.infer<typeof signedReleaseSchema>;

/** What a server answers to a client that asks for a newer version, as far as the client needs it. */
export const updateAnswerSchema = z.object({
  /** Null: there is none for this platform. */
  release: z.nullable(signedReleaseSchema),
  /** How many of a hundred devices may take it without being asked to. */
  staged_percent: z.int().check(z.minimum(0), z.maximum(100)),
});

/** Where that answer is. */
export const updatePath = (platform: DesktopPlatform): string => `/api/desktop_releases/${platform}/latest`;
/** Where a server has a file of a release. */
export const releasePath = (version: string, name: string): string => `/downloads/${version}/${name}`;

const encoder = new TextEncoder();

const numbersOf = (version: string) => version.split('.').map(Number);

/** Below zero: `one` is older than `other`. Both as `1.2.3`. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Signs a release. `secret`: 32 bytes. Throws on a manifest that no client would take. */
export function signRelease(manifest: ReleaseManifest, secret: Uint8Array): SignedRelease {
  const text = JSON.stringify(manifestSchema.parse(manifest));
  return signedReleaseSchema.parse({
    manifest: text,
    signature: toHex(sign(secret, encoder.encode(CONTEXT + text))),
    key: toHex(verifierOf(secret)),
  });
}

/** What was signed with the secret of `key` (hex). Null: it wasn't, or it is no release. */
export function readRelease(signed: SignedRelease, key: string): ReleaseManifest | null {
  const message = encoder.encode(CONTEXT + signed.manifest);
  if (!isSigned(fromHex(key), message, fromHex(signed.signature))) return null;
  try {
    const read = manifestSchema.safeParse(JSON.parse(signed.manifest));
    return read.success ? read.data : null;
  } catch {
    // Signed, and yet no JSON: made by something that isn't ours.
    return null;
  }
}
