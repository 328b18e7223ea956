// Views of where others are in shared lists: beside the rows, and at the top of the list.
import type { Id } from '#core/ids.ts';
import type { PersonView } from '../sharing/sharing-view.ts';

/** The others on one task. */
export interface RowOthers {
  /** The first ones, in the order in which they came there. */
  readonly people: readonly (PersonView & { readonly writes: boolean })[];
  /** Further people. */
  readonly more: number;
  /** "Ann is here, Ben is writing the title" */
  readonly words: string;
}

/** The others, in all shared lists. A new object whenever something of it differs. */
export interface OthersView {
  /** Null: nobody is on the task. Costs those who are. */
  on(task: Id): RowOthers | null;
  /** Account numbers of the others who have something of the open list before them. */
  readonly here: ReadonlySet<number>;
  /** "Here now: Ann and Ben"; empty: nobody. */
  readonly words: string;
}
