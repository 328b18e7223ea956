// The server's port for public links, a part of sharing's. The platform implements it in web/platform/account/sharing-port.ts.
import type { Id } from '#core/ids.ts';
import type { NewPublicLink, PublicLinkChange, PublicLinks } from '#wire/public-links.ts';
import type { SharingAnswer } from '../sharing/port.ts';

/** The links of a list, as the server says them. */
export type LinksState = Omit<PublicLinks, 'success'>;

/** Requests about the public links of a list. Each answers with all of them. */
export interface PublicLinksPort {
  /** The address of a link's page, to be sent to people. `secret`: of an encrypted list; it stands where it is never sent to a server. */
  addressOf(token: string, secret?: string): string;
  /** The address of a link's logo, for the person of this account. */
  logoOf(list: Id, link: Id, logo: string): string;
  read(list: Id): Promise<SharingAnswer<LinksState>>;
  create(list: Id, link: NewPublicLink): Promise<SharingAnswer<LinksState>>;
  change(list: Id, link: Id, change: PublicLinkChange): Promise<SharingAnswer<LinksState>>;
  end(list: Id, link: Id): Promise<SharingAnswer<LinksState>>;
  /** A PNG; null removes the logo. */
  setLogo(list: Id, link: Id, png: Uint8Array<ArrayBuffer> | null): Promise<SharingAnswer<LinksState>>;
  /** Takes back what visitors changed by the link in the last so many minutes. */
  undo(list: Id, link: Id, minutes: number): Promise<SharingAnswer<LinksState>>;
}
