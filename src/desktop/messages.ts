// What the page and the program around it say to each other, as JSON. The page is our own, and yet nothing that it says is taken unread.
import * as z from 'zod/mini';
import { LANGUAGE } from './settings.ts';

const idSchema = z.string().check(z.maxLength(64));
const textSchema = z.string().check(z.maxLength(4_000_000));

const menuSchema = z.object({
  name: z.string().check(z.maxLength(60)),
  items: z
    .array(
      z.nullable(
        z.object({
          id: z.string().check(z.maxLength(100)),
          title: z.string().check(z.maxLength(200)),
          keys: z.string().check(z.maxLength(60)),
        }),
      ),
    )
    .check(z.maxLength(60)),
});

/** From the page. */
export const pageMessageSchema = z.discriminatedUnion('type', [
  /** It takes links from now on. */
  z.object({ type: z.literal('ready') }),
  /** A socket: opened, written to, closed. */
  z.object({ type: z.literal('connect'), socket: idSchema, path: z.string().check(z.maxLength(2_000)) }),
  z.object({ type: z.literal('send'), socket: idSchema, text: textSchema }),
  z.object({ type: z.literal('close'), socket: idSchema }),
  /** How many tasks are due. */
  z.object({ type: z.literal('badge'), count: z.int().check(z.minimum(0)) }),
  z.object({
    type: z.literal('notice'),
    task: idSchema,
    title: z.string().check(z.maxLength(4_000)),
    body: z.string().check(z.maxLength(4_000)),
  }),
  z.object({ type: z.literal('withdraw'), task: idSchema }),
  /** What is selected, for other programs. */
  z.object({ type: z.literal('selected'), text: textSchema }),
  /** The server that the person chose, as they typed it. */
  z.object({ type: z.literal('server'), address: z.string().check(z.maxLength(500)) }),
  /** Which account its tasks are of; empty: none. */
  z.object({ type: z.literal('who'), name: z.string().check(z.maxLength(320)) }),
  /** Another profile: a new one, or the window of one that there is. */
  z.object({ type: z.literal('add') }),
  z.object({ type: z.literal('switch'), host: idSchema }),
  /** Its own profile is to be taken away, and then: everything that was stored is gone. */
  z.object({ type: z.literal('remove') }),
  z.object({ type: z.literal('erased') }),
  /** Commands of the app with their names and keys, by menus. */
  z.object({ type: z.literal('menus'), menus: z.array(menuSchema).check(z.maxLength(12)) }),
  /** What the program does is turned on or off. */
  z.object({
    type: z.literal('keep'),
    what: z.enum(['menuBar', 'tray', 'autostart']),
    isOn: z.boolean(),
  }),
  /** Languages in which spelling is checked; null: those of the system. */
  z.object({
    type: z.literal('spelling'),
    languages: z.nullable(z.array(z.string().check(z.regex(LANGUAGE))).check(z.maxLength(10))),
  }),
  /** A key of the page in the keychain: without a text it is read, null removes it. */
  z.object({
    type: z.literal('secret'),
    id: idSchema,
    name: z.string().check(z.regex(/^[\w.-]{1,100}$/)),
    text: z.optional(z.nullable(z.string().check(z.maxLength(1_000)))),
  }),
  /** The file with custom JavaScript is to be opened. */
  z.object({ type: z.literal('custom') }),
  /** The person asks for a newer version of the program; or wants the one installed that is ready. */
  z.object({ type: z.literal('look') }),
  z.object({ type: z.literal('install') }),
  /** Quick entry is over. */
  z.object({ type: z.literal('done') }),
]);
/** A message of the page. */
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** A file that the page fetches at `path`, once. `type`: its media type, or an empty text. */
export interface DroppedFile {
  readonly name: string;
  readonly type: string;
  readonly path: string;
}

/** To the page. */
export type ProgramMessage =
  | { readonly type: 'link'; readonly link: string }
  /** Quick entry is to be opened. */
  | { readonly type: 'quick' }
  | { readonly type: 'opened' | 'closed'; readonly socket: string }
  | { readonly type: 'text'; readonly socket: string; readonly text: string }
  /** The server was taken, or why it wasn't, in words; null: it was. */
  | { readonly type: 'server'; readonly problem: string | null }
  /** All profiles. The one of the page is `here`. */
  | {
      readonly type: 'profiles';
      readonly here: string;
      readonly profiles: readonly { readonly host: string; readonly title: string }[];
    }
  /** What of the program is on; null: this system can't. `spelling`: languages in which it is checked. */
  | {
      readonly type: 'system';
      readonly menuBar: boolean | null;
      readonly tray: boolean | null;
      readonly autostart: boolean | null;
      readonly spelling: readonly string[];
      /** Where the file with custom JavaScript is. */
      readonly customFile: string;
    }
  /** What came of a key in the keychain. `text`: what was read; `isKept`: it was written. */
  | { readonly type: 'secret'; readonly id: string; readonly text: string | null; readonly isKept: boolean }
  /** A command was chosen in a menu. */
  | { readonly type: 'run'; readonly command: string }
  /** Files were dropped there, in pixels of the page. */
  | {
      readonly type: 'dropped';
      readonly x: number;
      readonly y: number;
      readonly files: readonly DroppedFile[];
    }
  /** A newer version is ready to be installed. */
  | { readonly type: 'update'; readonly version: string }
  /** The person chose a note of the system. */
  | { readonly type: 'chosen'; readonly task: string };
