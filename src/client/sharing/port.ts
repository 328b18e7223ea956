// The server's port for sharing, as values. The platform implements it in web/platform/account/sharing-port.ts.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { PublicLinksPort } from '../public-links/port.ts';
import type {
  EncryptedList,
  JoinedList,
  ListInvitation,
  Profile,
  ProfileChange,
  SharedList as SharedListAnswer,
} from '#wire/sharing.ts';

/** How a list is shared, as the server says it. */
export type SharedState = Omit<SharedListAnswer, 'success'>;

/** Why a request failed, with a sentence for the person. */
export interface SharingFailure {
  /**
   * `unconfirmed`: the person's own e-mail address has to be verified first. `signedOut`: they have to sign in first. `gone`:
   * there is no such list or invitation for them.
   */
  readonly type: 'offline' | 'unconfirmed' | 'signedOut' | 'gone' | 'refused';
  readonly message: string;
}

/** Result of a request; failures are values. */
export type SharingAnswer<T> = Result<T, SharingFailure>;

/** Requests about shared lists. None of them is needed to show one. */
export interface SharingPort {
  readonly links: PublicLinksPort;
  /** The address of an invitation, to be sent to people. `secret`: of an encrypted list; it stands where it is never sent to a server. */
  addressOf(token: string, secret?: string): string;
  read(list: Id): Promise<SharingAnswer<SharedState>>;
  share(list: Id): Promise<SharingAnswer<SharedState>>;
  /** Shares a list that stays encrypted, with what its scope begins with. */
  keep(list: Id, encrypted: EncryptedList): Promise<SharingAnswer<SharedState>>;
  /** Ends the present link and makes another. `days` until it expires; null: never. */
  newLink(list: Id, days: number | null): Promise<SharingAnswer<SharedState>>;
  endLink(list: Id): Promise<SharingAnswer<SharedState>>;
  /** `account`: number of the member. */
  remove(list: Id, account: number): Promise<SharingAnswer<SharedState>>;
  handOver(list: Id, account: number): Promise<SharingAnswer<SharedState>>;
  makePrivate(list: Id): Promise<SharingAnswer<SharedState>>;
  leave(list: Id): Promise<SharingAnswer<void>>;
  invitation(token: string): Promise<SharingAnswer<Omit<ListInvitation, 'success'>>>;
  join(token: string): Promise<SharingAnswer<Omit<JoinedList, 'success'>>>;
  profile(): Promise<SharingAnswer<Omit<Profile, 'success'>>>;
  changeProfile(change: ProfileChange): Promise<SharingAnswer<Omit<Profile, 'success'>>>;
  /** The invitation that waits until the person has signed in, in this tab alone; null: none. */
  keptInvitation(): string | null;
  keepInvitation(token: string | null): void;
  /** The secret of a link that was opened on this device; null: none is kept. */
  keptSecret(token: string): string | null;
  /** It has been used. */
  dropSecret(token: string): void;
}
