// A server of sharing in memory, for desks: it answers what it is told to, notes what it was asked, and can be out of reach.
import { secretIn, withoutSecret } from '#client/sharing/kept-secrets.ts';
import { must } from '#core/assert.ts';
import { listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import { failed, ok } from '#core/result.ts';
import type { LinksState, PublicLinksPort } from '#client/public-links/port.ts';
import type { SharedState, SharingAnswer, SharingFailure, SharingPort } from '#client/sharing/port.ts';
import {
  linkPermissions,
  type LinkMay,
  type LinkPermission,
  type NewPublicLink,
  type PublicLink,
  type PublicLinkChange,
} from '#wire/public-links.ts';
import type { EncryptedList, Profile, ProfileChange } from '#wire/sharing.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk, type DeskOptions } from './desk.ts';
import { noAccount } from './no-server.ts';

const DAY_MS = 86_400_000;

export const offline: SharingFailure = {
  type: 'offline',
  message: 'Can’t reach the server. Try again when you’re online.',
};

function permitted(was: LinkMay, change: Partial<Record<LinkPermission, boolean | undefined>>): LinkMay {
  const may = { ...was };
  for (const permission of linkPermissions) may[permission] = change[permission] ?? was[permission];
  return may;
}

/** The public links of a list, in memory. Its asking is noted with that of the server. */
export class LinksServer implements PublicLinksPort {
  links: PublicLink[] = [];
  scope: Id | null = null;
  /** The list stays encrypted. */
  isEncrypted = false;
  undone = 0;
  readonly #server: SharingServer;

  constructor(server: SharingServer) {
    this.#server = server;
  }

  addressOf = (token: string) => `https://example.org/p/${token}`;
  logoOf = (_list: Id, link: Id, logo: string) => `https://example.org/logo/${link}?v=${logo}`;

  #answer(
    what: string,
    list: Id,
    change: () => Partial<LinksState> | void,
  ): Promise<SharingAnswer<LinksState>> {
    return this.#server.answer(what, () => {
      const more = change() ?? {};
      const now = this.#server.onTheWay.shift() ?? { state: this.#server.state };
      const kept: Partial<LinksState> = this.isEncrypted ? { isEncrypted: true } : {};
      return { list, scope: this.scope ?? list, links: [...this.links], ...kept, ...now, ...more };
    });
  }

  /** The list gets a new key, which ends its links. */
  outdate(): void {
    this.links = this.links.map((link) => ({ ...link, isOutdated: true }));
  }

  #alter(id: Id, change: Partial<PublicLink>): void {
    this.links = this.links.map((link) => (link.id === id ? { ...link, ...change } : link));
  }

  read = (list: Id) => this.#answer('links', list, () => undefined);
  create = (list: Id, { name = null, may = {} }: NewPublicLink) =>
    this.#answer('create link', list, () => {
      const id = `018f0000-0000-7000-8000-0000000000${String(this.links.length + 10)}` as Id;
      const nothing = { add: false, complete: false, titles: false, notes: false, labels: false };
      const use = { visits: 0, changes: 0, visitedAt: null, open: 0 };
      const made = { id, token: `public-${this.links.length + 1}`, name, may: permitted(nothing, may) };
      this.links.push({
        ...made,
        ...use,
        logo: null,
        pausedAt: null,
        isOrphan: false,
        account: 1,
        createdAt: START,
        isMine: true,
      });
      return { made: id };
    });
  change = (list: Id, link: Id, { name, may, isPaused }: PublicLinkChange) =>
    this.#answer(`change link ${JSON.stringify({ name, may, isPaused })}`, list, () => {
      const was = must(
        this.links.find(({ id }) => id === link),
        'the link',
      );
      this.#alter(link, {
        ...(name === undefined ? {} : { name }),
        may: permitted(was.may, may ?? {}),
        ...(isPaused === undefined ? {} : { pausedAt: isPaused ? START : null }),
      });
    });
  end = (list: Id, link: Id) =>
    this.#answer('delete link', list, () => {
      this.links = this.links.filter(({ id }) => id !== link);
    });
  setLogo = (list: Id, link: Id, png: Uint8Array | null) =>
    this.#answer(`logo ${png?.length ?? 'none'}`, list, () =>
      this.#alter(link, { logo: png === null ? null : 'v1' }),
    );
  undo = (list: Id, _link: Id, minutes: number) =>
    this.#answer(`take back ${minutes}`, list, () => ({ undone: this.undone }));
}

export class SharingServer implements SharingPort {
  readonly links = new LinksServer(this);
  readonly asked: string[] = [];
  /** Why the next requests fail; null: they do not. */
  failure: SharingFailure | null = null;
  /** What the next looks at a list say, before it is open. */
  readonly onTheWay: Pick<SharedState, 'state' | 'moved' | 'total' | 'sealed'>[] = [];
  role: SharedState['role'] = 'owner';
  state: SharedState['state'] = 'open';
  link: SharedState['link'] = { token: 'tok-1', createdAt: START, expiresAt: START + 30 * DAY_MS, uses: 0 };
  /** Whether the list has an e-mail address. */
  hasMail = false;
  /** Whom the invitation is for already. */
  belongsTo: Id | null = null;
  person: Omit<Profile, 'success'> = { name: 'Ben', initials: 'BE', emoji: null, color: '#0063cf' };
  kept: string | null = null;
  /** Called by each request that changes something. */
  onChange: (what: string) => void = () => undefined;

  /** The scope of the list, if it stays encrypted. */
  encrypted: Id | null = null;
  /** What an encrypted list began with. */
  begun: EncryptedList | null = null;

  addressOf = (token: string, secret?: string) =>
    `https://example.org/invite?token=${token}&v=3${secret === undefined ? '' : `#k=${secret}`}`;

  answer<T>(what: string, value: () => T): Promise<SharingAnswer<T>> {
    this.asked.push(what);
    if (this.failure !== null) return Promise.resolve(failed(this.failure));
    this.onChange(what);
    return Promise.resolve(ok(value()));
  }

  #state(list: Id): SharedState {
    const now = this.onTheWay.shift() ?? { state: this.state };
    const mail = this.hasMail ? { hasMail: true } : {};
    const link = now.state === 'open' ? this.link : null;
    const kept = this.encrypted === null ? {} : { scope: this.encrypted, isEncrypted: true };
    const count = this.links.links.filter(({ isOutdated }) => isOutdated !== true).length;
    const published = count === 0 ? {} : { publicLinks: count };
    return { list, scope: list, role: this.role, link, ...now, ...mail, ...kept, ...published };
  }

  read = (list: Id) => this.answer('read', () => this.#state(list));
  share = (list: Id) => this.answer('share', () => this.#state(list));
  keep = (list: Id, begun: EncryptedList) =>
    this.answer('keep', () => {
      this.begun = begun;
      this.encrypted = begun.scope as Id;
      return this.#state(list);
    });
  newLink = (list: Id, days: number | null) =>
    this.answer(`new link ${days}`, () => {
      const expiresAt = days === null ? null : START + days * DAY_MS;
      this.link = { token: 'tok-2', createdAt: START, expiresAt, uses: 0 };
      return this.#state(list);
    });
  endLink = (list: Id) =>
    this.answer('end link', () => {
      this.link = null;
      return this.#state(list);
    });
  remove = (list: Id, account: number) => this.answer(`remove ${account}`, () => this.#state(list));
  handOver = (list: Id, account: number) =>
    this.answer(`hand over ${account}`, () => {
      this.role = 'member';
      return this.#state(list);
    });
  makePrivate = (list: Id) => this.answer('private', () => this.#state(list));
  leave = (list: Id) => this.answer(`leave ${list}`, () => undefined);
  invitation = (token: string) =>
    this.answer(`invitation ${token}`, () => ({
      listName: 'Trip',
      inviter: { name: 'Ann', initials: 'AN', emoji: null, color: '#a04f9b' },
      members: 2,
      list: this.belongsTo,
      ...(this.encrypted === null ? {} : { isEncrypted: true, listName: '' }),
    }));
  join = (token: string) =>
    this.answer(`join ${token}`, () => ({
      list: must(this.belongsTo, 'the list'),
      scope: this.encrypted ?? SCOPE,
    }));
  profile = () => this.answer('profile', () => this.person);
  changeProfile = (change: ProfileChange) =>
    this.answer(`profile ${JSON.stringify(change)}`, () => {
      const { name = this.person.name, initials = '', emoji = null, color = this.person.color } = change;
      return { name, initials, emoji, color };
    });
  keptInvitation = () => this.kept;
  keepInvitation = (token: string | null) => void (this.kept = token);
  /** What the page of an invitation has kept in this browser. */
  secrets: string | null = null;
  keptSecret = (token: string) => secretIn(this.secrets, token, 1_000);
  dropSecret = (token: string) => void (this.secrets = withoutSecret(this.secrets, token, 1_000));
}

/** A desk of Ben, account 1, signed in to this server. */
export function sharingDesk(
  server: SharingServer,
  outline = '> A',
  options: Partial<DeskOptions> & { readonly email?: string | null } = {},
): Desk {
  const { email = 'ben@example.org', ...more } = options;
  return new Desk(outline, {
    sync: { type: 'synced' },
    isConfirmed: true,
    account: { ...noAccount, email, sharing: () => Promise.resolve(server) },
    ...more,
  });
}

/** What the server tells of a list that was just shared by Ben: it is in a scope of its own now, with him as its owner. */
export function tellShared(desk: Desk, list: Id, scope: Id = desk.replica.newId()): void {
  const { replica } = desk;
  const was = must(replica.row(list), 'the list');
  const row = (id: Id, type: Row['type'], fields: Fields, own = scope): Row =>
    asRow({
      id,
      type,
      fields,
      scope: own,
      version: 1,
      stamp: [1, START, 9, 1],
      createdAt: START,
      updatedAt: START,
    });
  const inside = replica.children(list).map((task): Row => ({ ...task, scope, version: 1, hops: 1 }));
  receivePage(replica, [
    { ...row(list, 'list', { ...was.fields, place: { parent: listsRoot(scope), key: 'a0' } }), hops: 1 },
    row(memberId(scope, 1), 'member', { account: 1, role: 'owner', name: 'Ben', joinedAt: START }),
    row(mountId(SCOPE, list), 'mount', { of: list, place: placeOf(was), joinedAt: START }, SCOPE),
    ...inside,
  ]);
  replica.setCursor(scope, { generation: 'g', version: 1 });
}

/** Somebody comments on a task of a list. */
export function tellComment(
  desk: Desk,
  {
    task,
    scope,
    author,
    text,
  }: { readonly task: Id; readonly scope: Id; readonly author: number; readonly text: string },
): void {
  const base = { type: 'comment', scope, version: 2, stamp: [2, START, 9, 2] } as const;
  const fields = { author, text, place: { parent: task, key: 'a0' } };
  const times = { createdAt: START, updatedAt: START };
  receivePage(desk.replica, [asRow({ id: desk.replica.newId(), ...base, ...times, fields })]);
}

/** Somebody joins a list. */
export function tellMember(desk: Desk, list: Id, fields: Fields & { readonly account: number }): void {
  const { scope } = must(desk.replica.row(list), 'the list');
  const before = desk.replica.row(memberId(scope, fields.account))?.version ?? 1;
  const version = before + 1;
  const base = { type: 'member', scope, version, stamp: [version, START, 9, version] } as const;
  const times = { createdAt: START, updatedAt: START };
  const id = memberId(scope, fields.account);
  receivePage(desk.replica, [asRow({ id, ...base, ...times, fields })]);
}

/** A list that Ann owns and Ben belongs to, open. */
export function anns(server = new SharingServer()): { desk: Desk; server: SharingServer; list: Id } {
  server.role = 'member';
  const desk = sharingDesk(server);
  const list = desk.holdShared('Trip', ['Book', 'Pack']);
  desk.app.run('go.list', { list });
  return { desk, server, list };
}

/** A list that Ben owns, with Ann in it, open. */
export function bens(): { desk: Desk; server: SharingServer; list: Id } {
  const { desk, server, list } = anns();
  server.role = 'owner';
  tellMember(desk, list, { account: 1, role: 'owner', name: 'Ben', joinedAt: 1 });
  tellMember(desk, list, { account: 2, role: 'member', name: 'Ann', joinedAt: 2 });
  return { desk, server, list };
}
