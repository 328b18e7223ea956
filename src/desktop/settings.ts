// What the desktop app keeps for itself on this machine: which server it works with, and the key of quick entry.
import * as z from 'zod/mini';

/** The file of its own that it is in. */
export const settingsFile = 'settings.json';

/** `https://tasks.example.org`: no path, no query, no name and password. */
const ADDRESS = /^https?:\/\/(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|\[[\da-f:]+\])(?::\d{1,5})?$/iu;

export const settingsSchema = z.object({
  /** The origin of the server; null: none yet. */
  server: z.nullable(z.string().check(z.regex(ADDRESS))),
  /** The system-wide key of quick entry, as "Ctrl+Alt+Space"; null: none. */
  key: z.nullable(z.string().check(z.maxLength(60))),
});
export type DesktopSettings = z.infer<typeof settingsSchema>;

export const firstSettings: DesktopSettings = { server: null, key: 'Ctrl+Alt+Space' };

/** What stands in the file; where it can't be read, as at the first start. */
export function readSettings(text: string | null): DesktopSettings {
  if (text === null) return firstSettings;
  try {
    const read = settingsSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : firstSettings;
  } catch {
    // Cut off or written by hand.
    return firstSettings;
  }
}

/** The origin that somebody typed or pasted, or why it is none. Without a scheme it is https, at this machine http. */
export function serverAddress(typed: string): string | null {
  const text = typed.trim().replace(/\/+$/, '');
  const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(text);
  const whole = /^https?:\/\//i.test(text) ? text : `${isOwn ? 'http' : 'https'}://${text}`;
  return ADDRESS.test(whole) ? whole.toLowerCase() : null;
}
