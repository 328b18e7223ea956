// Views and actions of the dialog of public links.
import type { Id } from '#core/ids.ts';
import type { LinkPermission } from '#wire/public-links.ts';
import type { FormValues } from '../dialogs/form-values.ts';

/** One permission of a link. */
export interface PermissionView {
  readonly permission: LinkPermission;
  /** "complete tasks". */
  readonly name: string;
  readonly isOn: boolean;
  /** Shows and toggles it. */
  readonly command: string;
}

/** A link, as the dialog shows it. */
export interface LinkView {
  readonly id: Id;
  /** Its public name, or what stands for one. */
  readonly name: string;
  /** Null: there is none that opens the list, and `missing` says why. */
  readonly address: string | null;
  readonly missing: string;
  /** Of an encrypted list: it has no name, no logo and no labels of its own. */
  readonly isEncrypted: boolean;
  /** The last characters of the address: they tell links apart. */
  readonly ending: string;
  /** What visitors may do, in words. */
  readonly may: string;
  readonly permissions: readonly PermissionView[];
  /** How it has been used, in words. */
  readonly use: string;
  readonly isPaused: boolean;
  /** It ended with a new key of the list. */
  readonly isEnded: boolean;
  /** Why it is paused by the server, or who made it; null: the person did. */
  readonly note: string | null;
  /** The person may change and delete it. */
  readonly isMine: boolean;
  readonly publicName: string;
  /** Address of the picture; null: none. */
  readonly logo: string | null;
}

/** What a question in the dialog is about. */
export type LinksQuestion = 'new' | 'end' | 'undo';

/** The dialog of public links. */
export interface LinksView {
  readonly list: string;
  /**
   * `offer`: the list has no scope of its own yet; it says what visitors see. `moving`: its tasks are on their way. `sheet`: all
   * links. `link`: one of them. `name`: its public name. `question`: something that cannot be taken back.
   */
  readonly step: 'offer' | 'moving' | 'sheet' | 'link' | 'name' | 'question';
  readonly tasks: number;
  /** How long it takes to decrypt the list for it; null: it isn't encrypted, or stays so. */
  readonly decrypting: string | null;
  /** While moving: from 0 to 1; null: not known. */
  readonly progress: number | null;
  /** While moving: the list is being decrypted, which can be stopped. */
  readonly isDecrypting: boolean;
  readonly links: readonly LinkView[];
  /** The one that is open. */
  readonly link: LinkView | null;
  /** The server has said what there is. */
  readonly isKnown: boolean;
  /** Why nothing is known; null: nothing is wrong. */
  readonly problem: string | null;
  /** The problem can be solved in the account dialog. */
  readonly endsInAccount: boolean;
  readonly question: {
    readonly title: string;
    readonly lines: readonly string[];
    /** Buttons that carry it out; for taking back, spans of time. */
    readonly answers: readonly { readonly text: string; readonly minutes: number | null }[];
    /** A link is made, which can be taken back: the answer stands first. */
    readonly isNew: boolean;
  } | null;
  /** What is under way; null: nothing. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the dialog of public links. */
export type LinksAction =
  | {
      readonly action:
        | 'create'
        | 'stop'
        | 'keep'
        | 'again'
        | 'account'
        | 'back'
        | 'copy'
        | 'name'
        | 'pause'
        | 'noLogo'
        | 'end'
        | 'undo';
    }
  | { readonly action: 'open'; readonly link: Id }
  | { readonly action: 'may'; readonly permission: LinkPermission }
  | { readonly action: 'save'; readonly values: FormValues }
  /** `problem`: why the picture can't be taken. */
  | { readonly action: 'logo'; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly action: 'noPicture'; readonly problem: string }
  | { readonly action: 'yes'; readonly minutes: number | null };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly publicLinks: { readonly view: { readonly links: LinksView }; readonly action: LinksAction };
  }
}
