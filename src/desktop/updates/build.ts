// Which build this copy of the program is.
import * as z from 'zod/mini';
import type { DesktopPlatform } from '#wire/releases/release.ts';

/** This copy of the program. */
export interface Build {
  /** `1.2.3` */
  readonly version: string;
  readonly platform: DesktopPlatform;
  /** The public key of who built it, hex; null: it has none, and never updates itself. */
  readonly key: string | null;
}

const buildSchema = z.object({
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  key: z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});

/** What the build wrote beside the program; a copy that has nothing there, or can't read it, doesn't update itself. */
export function readBuild(content: Uint8Array | null, platform: DesktopPlatform): Build {
  const none = { version: '0.0.0', platform, key: null };
  if (content === null) return none;
  try {
    const read = buildSchema.safeParse(JSON.parse(new TextDecoder().decode(content)));
    return read.success ? { ...read.data, platform } : none;
  } catch {
    return none;
  }
}
