// Views of the dialogs of sharing, and of the people of the open list.
import type { Id } from '#core/ids.ts';
import type { FormValues } from '../dialogs/form-values.ts';

/** A person, as an avatar with a name draws them. */
export interface PersonView {
  /** Account number. */
  readonly account: number;
  readonly name: string;
  /** Initials or emoji. */
  readonly text: string;
  /** `#rrggbb`. */
  readonly color: string;
  /** Of the text on the color. */
  readonly ink: string;
  readonly isMe: boolean;
  readonly isOwner: boolean;
}

/** The people of the open list. */
export interface PeopleView {
  readonly list: Id;
  /** The first ones: the owner, then in the order in which they joined. */
  readonly shown: readonly PersonView[];
  /** Further people. */
  readonly more: number;
  /** All of them, in words: "Ann, Ben and you". */
  readonly words: string;
  /** For the line below the name of the list: "With Ann and Mo". */
  readonly company: string;
}

/** How somebody stands to the key of a list that stays encrypted. */
export interface PersonKeys {
  readonly account: number;
  readonly text: string;
  /** To be compared with what they see of this person; null: they have no keys yet. */
  readonly words: string | null;
  /** They can be given the key of the list. */
  readonly canLetIn: boolean;
}

/** What becomes visible to others by sharing. */
export interface OfferView {
  readonly tasks: number;
  /** Names of labels that become shared. */
  readonly labels: readonly string[];
  /** Names of labels that stay private. */
  readonly privateLabels: readonly string[];
  /** How long it takes to decrypt the list for it; null: it isn't encrypted. */
  readonly decrypting: string | null;
}

/** What a question in the share dialog is about. */
export type ShareQuestion = 'remove' | 'handOver' | 'leave' | 'private' | 'endLink';

/** The share dialog. */
export interface ShareView {
  readonly list: string;
  /**
   * `offer`: the list is private; it says what becomes visible. `moving`: its tasks are on their way. `sheet`: link and people.
   * `days`: how long a new link works. `question`: something that cannot be taken back.
   */
  readonly step: 'offer' | 'moving' | 'sheet' | 'days' | 'question';
  readonly offer: OfferView | null;
  /** While moving: from 0 to 1; null: not known. */
  readonly progress: number | null;
  /** While moving: the list is being decrypted, which can be stopped. */
  readonly isDecrypting: boolean;
  readonly isOwner: boolean;
  readonly people: readonly PersonView[];
  /** Of a list that stays encrypted: how the others stand to its key; null: it isn't encrypted. */
  readonly keys: readonly PersonKeys[] | null;
  /** Null: there is none, or it is not known (yet). */
  readonly link: { readonly address: string; readonly text: string } | null;
  /** The server has said what there is. */
  readonly isKnown: boolean;
  /** Why nothing is known; null: nothing is wrong. */
  readonly problem: string | null;
  /** The problem can be solved in the account dialog. */
  readonly endsInAccount: boolean;
  readonly question: {
    readonly about: ShareQuestion;
    readonly title: string;
    readonly lines: readonly string[];
    /** Null: it cannot be done now; the lines say what to do first. */
    readonly verb: string | null;
    /** What can be done instead; null: nothing from here. */
    readonly way: 'private' | null;
  } | null;
  /** What is under way, "Sharing…"; null: nothing. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the share dialog. */
export type ShareAction =
  | {
      /** `keep`: shares it without decrypting it. `stop`: the list stays encrypted. `again`: asks the server once more. `days`: asks how long a new link is to work. `yes`: answers the question. */
      readonly action:
        | 'share'
        | 'keep'
        | 'stop'
        | 'copy'
        | 'again'
        | 'account'
        | 'back'
        | 'days'
        | 'endLink'
        | 'leave'
        | 'private'
        | 'profile'
        | 'publicLinks'
        | 'yes';
    }
  /** `days` until it expires; null: never. */
  | { readonly action: 'newLink'; readonly days: number | null }
  | { readonly action: 'remove' | 'handOver' | 'letIn'; readonly account: number };

/** An invitation, to be accepted or not. */
export interface InvitationView {
  /** Null: not known yet. */
  readonly list: string | null;
  readonly inviter: PersonView | null;
  readonly members: number;
  /** Why it cannot be shown or accepted; null: nothing is wrong. */
  readonly problem: string | null;
  /** The way on from the problem. */
  readonly way: 'again' | 'account' | 'signIn' | 'encryption' | null;
  /** It stays encrypted, so its name isn't known before. */
  readonly isEncrypted: boolean;
  readonly busy: string | null;
}

/** An action in the invitation. */
export interface InvitationAction {
  readonly action: 'join' | 'again' | 'account' | 'signUp' | 'signIn' | 'encryption';
}

/** How the person is shown to others. */
export interface ProfileView {
  /** What the fields begin with; null: not known yet. */
  readonly person: {
    readonly name: string;
    readonly initials: string;
    readonly emoji: string;
    readonly color: string;
  } | null;
  /** As it would look now. */
  readonly preview: PersonView | null;
  readonly busy: boolean;
  readonly problem: string | null;
  /** The field that the problem is about. */
  readonly field: 'name' | 'initials' | 'emoji' | null;
}

/** An action in the profile. `values`: name, initials, emoji, color. */
export type ProfileAction =
  | { readonly action: 'draft' | 'save'; readonly values: FormValues }
  | { readonly action: 'again' };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly share: { readonly view: { readonly share: ShareView }; readonly action: ShareAction };
    readonly invitation: {
      readonly view: { readonly invitation: InvitationView };
      readonly action: InvitationAction;
    };
    readonly profile: { readonly view: { readonly profile: ProfileView }; readonly action: ProfileAction };
  }
}
