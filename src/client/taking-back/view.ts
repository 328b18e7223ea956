// The view of the dialog that takes back what somebody did, and what can be done in it.
import type { Phrase } from '../history/view.ts';
import type { ListMove } from '../dialogs/list-cursor.ts';
import type { PersonView } from '../sharing/sharing-view.ts';

/** Who did it, then since when. */
export interface TakingBackView {
  readonly list: string;
  readonly step: 'people' | 'moments';
  readonly people: readonly {
    readonly person: PersonView;
    readonly note: string;
    readonly isActive: boolean;
  }[];
  /** What the chosen person did, newest first. */
  readonly moments: readonly {
    readonly id: string;
    readonly when: string;
    readonly sentence: readonly Phrase[];
    readonly isActive: boolean;
    /** It would be taken back. */
    readonly isIncluded: boolean;
  }[];
  /** What Enter would do, as sentences. */
  readonly summary: readonly string[];
  /** False: there is nothing to take back. */
  readonly canTakeBack: boolean;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly note: string | null;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the dialog. `until`: what came after the active moment stays. */
export type TakingBackAction =
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'choose'; readonly index: number }
  | { readonly action: 'go' | 'until' | 'back' | 'more' };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly takingBack: {
      readonly view: { readonly takingBack: TakingBackView };
      readonly action: TakingBackAction;
    };
  }
}
