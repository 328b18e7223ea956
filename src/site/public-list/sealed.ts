// What the page of an encrypted list does with everything that comes and goes: opens it, and seals it, in the browser of the visitor. Loaded by such pages
// alone. Who has the address without its fragment, or with another one, is told so.
import { mergingNotes, SealedVisit, type KeyProblem } from '#client/public-links/sealed-visit.ts';
import type { ShownTasks, StreamEvent, VisitorChange } from '#wire/public-links.ts';
import { sealedAnswerSchema, sealedEventSchema, sealedTasksSchema } from '#wire/public-page/sealed-links.ts';
import type { Closing } from './following.ts';
import type { Made } from './list-state.ts';
import type { Outgoing, Seals } from './seals.ts';

/** The key in an address: `#k=` and 43 letters. */
const FRAGMENT = /^#k=([\w-]{43})$/;

const TITLE = 'This list is encrypted';
const CLOSINGS: Readonly<Record<KeyProblem, Closing>> = {
  missing: {
    title: TITLE,
    message:
      'The address is incomplete. What comes after # in it is the key of the list, which no server has. Ask who sent it to you for the whole link.',
    isPaused: false,
  },
  wrong: {
    title: TITLE,
    message:
      'The key in this address doesn’t open the list. Ask who sent it to you for the link, and copy all of it.',
    isPaused: false,
  },
};

const UNREADABLE: Closing = {
  title: TITLE,
  message: 'This page can’t read what the server says of the list. Reload the page.',
  isPaused: false,
};

const REFUSED = {
  locked: 'Part of this task doesn’t open with the key in this address, so nothing is written over it.',
  long: 'That can’t be saved. Shorten it, and try again.',
} as const;

/** Opens and seals by what stands in the address. */
export function sealsBy(fragment: string): Seals {
  const secret = FRAGMENT.exec(fragment)?.[1] ?? null;
  const visit = new SealedVisit(secret, {
    random: (bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
    merging: mergingNotes,
    breathe: () => new Promise((resolve) => setTimeout(resolve)),
  });
  return {
    async read(answer): Promise<ShownTasks | Closing> {
      const read = sealedTasksSchema.safeParse(answer);
      if (!read.success) return UNREADABLE;
      const { sealed, at, tasks } = read.data;
      const problem = visit.open(sealed);
      if (problem !== null) return CLOSINGS[problem];
      return { success: true, ...visit.list(sealed), at, tasks: await visit.tasks(tasks) };
    },
    event(data): StreamEvent {
      const read = sealedEventSchema.safeParse(data);
      if (!read.success) return { type: 'reload' };
      const event = read.data;
      if (event.type === 'news') return { ...event, tasks: event.tasks.map((task) => visit.task(task)) };
      if (event.type !== 'list') return event;
      // Another key is another list to this page.
      if (visit.open(event.sealed) !== null) return { type: 'reload' };
      return { type: 'list', ...visit.list(event.sealed) };
    },
    async outgoing(change: VisitorChange, named: VisitorChange): Promise<Outgoing> {
      const sealed = await visit.seal(change, named);
      return sealed.ok ? { body: sealed.value } : { refused: REFUSED[sealed.problem] };
    },
    answered(answer): Made {
      const { at, task } = sealedAnswerSchema.parse(answer);
      return { at, task: task === null ? null : visit.task(task) };
    },
    again: (change) => visit.again(change),
  };
}
