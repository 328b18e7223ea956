// What the command line asks the desktop app that runs on the same machine, over a socket that only its person can open: one line of JSON, and one as
// the answer. A line that isn't understood is refused; nothing is done then.
import * as z from 'zod/mini';

/** Name of the socket, in the folder that the system has for such things (`XDG_RUNTIME_DIR`). */
export const desktopSocket = 'posthaste.sock';
/** No line is longer, in UTF-16 units. */
export const longestLine = 64_000;

const serverSchema = z.string().check(z.maxLength(2_000));

/** `server`: the origin whose account is meant: the app may be signed in at others. */
export const desktopCallSchema = z.discriminatedUnion('type', [
  /** A link of the app: `posthaste:…`. */
  z.object({
    type: z.literal('link'),
    server: serverSchema,
    link: z.string().check(z.maxLength(longestLine)),
  }),
  /** Which tasks are selected, and in which list. */
  z.object({ type: z.literal('selected'), server: serverSchema }),
]);
/** A question of the command line. */
export type DesktopCall = z.infer<typeof desktopCallSchema>;

/** What the app answers. */
export const desktopAnswerSchema = z.discriminatedUnion('type', [
  /** The link is with the app. */
  z.object({ type: z.literal('taken') }),
  /** As in the file of `get-selected-tasks`. */
  z.object({ type: z.literal('selected'), text: z.string() }),
  /** No account of that server is open in the app. */
  z.object({ type: z.literal('elsewhere') }),
  z.object({ type: z.literal('refused'), problem: z.string() }),
]);
/** An answer of the app. */
export type DesktopAnswer = z.infer<typeof desktopAnswerSchema>;
