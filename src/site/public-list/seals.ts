// What the page of an encrypted list needs between itself and the server: sealed.ts, which only such a page loads.
import type { ShownTasks, StreamEvent, VisitorChange } from '#wire/public-links.ts';
import type { Closing } from './following.ts';
import type { Made } from './list-state.ts';

/** A change as it goes out, or why it can't, in words for the visitor. */
export type Outgoing = { readonly body: unknown } | { readonly refused: string };

/** Opens what comes and seals what goes. */
export interface Seals {
  /** The answer with all tasks; or why the list doesn't open. */
  read(answer: unknown): Promise<ShownTasks | Closing>;
  event(data: unknown): StreamEvent;
  /** `named`: the change with ids of the server. */
  outgoing(change: VisitorChange, named: VisitorChange): Promise<Outgoing>;
  /** What the server answered to a change, also where it was refused as one of before. Throws if no such server has said it. */
  answered(answer: unknown): Made;
  /** Seals the change anew when it goes out next. */
  again(change: VisitorChange): void;
}
