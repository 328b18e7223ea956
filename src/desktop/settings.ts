// What the desktop app keeps for itself on this machine: the profiles with their servers, and the key of quick entry.
import * as z from 'zod/mini';
import { firstProfile, HOST, MOST_PROFILES } from './profiles.ts';

/** The file of its own that it is in. */
export const settingsFile = 'settings.json';
/** Where the text of a file goes that can't be read: it says which profile is whose. */
export const unreadableFile = 'settings.unreadable.json';

/** `https://tasks.example.org`: no path, no query, no name and password. */
const ADDRESS = /^https?:\/\/(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|\[[\da-f:]+\])(?::\d{1,5})?$/iu;

/** What stands there instead of what can't be read. */
const { catch: otherwise } = z;

const FIRST_KEY = 'Ctrl+Alt+Space';

/** A language, with or without its country. */
export const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;

const serverSchema = z.nullable(z.string().check(z.regex(ADDRESS)));
/** The system-wide key of quick entry, as "Ctrl+Alt+Space"; null: none. */
const keySchema = z.nullable(z.string().check(z.maxLength(60)));

export const settingsSchema = z.object({
  key: otherwise(keySchema, FIRST_KEY),
  profiles: z
    .array(
      z.object({
        host: z.string().check(z.regex(HOST)),
        server: serverSchema,
        name: otherwise(z.string().check(z.maxLength(320)), ''),
        isBound: z.boolean(),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(MOST_PROFILES),
      z.refine((all) => new Set(all.map(({ host }) => host)).size === all.length),
    ),
  /** How large pages are shown; 1: as they are. */
  zoom: otherwise(z.number().check(z.minimum(0.5), z.maximum(3)), 1),
  menuBar: otherwise(z.boolean(), true),
  /** An icon in the tray. With it the program goes on without windows. */
  tray: otherwise(z.boolean(), false),
  /** Languages in which spelling is checked, as "en-US"; null: those of the system. */
  spelling: otherwise(z.nullable(z.array(z.string().check(z.regex(LANGUAGE))).check(z.maxLength(10))), null),
  /** The profile that was used last: links go there. */
  last: otherwise(z.string(), ''),
});
export type DesktopSettings = z.infer<typeof settingsSchema>;

/** As programs wrote it that knew one server and one account. */
const singleSchema = z.object({ server: serverSchema, key: otherwise(keySchema, FIRST_KEY) });

const REST = { zoom: 1, menuBar: true, tray: false, spelling: null } as const;

/** Those of the first start. `host`: where its tasks are to lie. */
export const firstSettings = (host: string): DesktopSettings => ({
  ...REST,
  key: FIRST_KEY,
  profiles: [{ ...firstProfile, host }],
  last: host,
});

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Cut off or written by hand.
    return null;
  }
};

/** What stands in the file; null: it can't be read. What there was with one server stays where it is, and is that server's. */
export function readSettings(text: string): DesktopSettings | null {
  const json = readJson(text);
  const read = settingsSchema.safeParse(json);
  if (read.success) {
    const { profiles, last } = read.data;
    const isKnown = profiles.some(({ host }) => host === last);
    return isKnown ? read.data : { ...read.data, last: profiles[0]?.host ?? '' };
  }
  const single = singleSchema.safeParse(json);
  // Profiles that can't be read are no file with one server.
  if (!single.success || (json as { readonly profiles?: unknown }).profiles !== undefined) return null;
  const { server, key } = single.data;
  return {
    ...REST,
    key,
    profiles: [{ ...firstProfile, server, isBound: server !== null }],
    last: firstProfile.host,
  };
}

/** The origin that somebody typed or pasted, or why it is none. Without a scheme it is https, at this machine http. */
export function serverAddress(typed: string): string | null {
  const text = typed.trim().replace(/\/+$/, '');
  const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(text);
  const whole = /^https?:\/\//i.test(text) ? text : `${isOwn ? 'http' : 'https'}://${text}`;
  return ADDRESS.test(whole) ? whole.toLowerCase() : null;
}
