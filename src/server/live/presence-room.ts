// What is known of one shared list: who is connected, here and to other processes, where they are, and what of that has not been
// told yet. Memory alone; presence.ts decides who may say and hear it, and when.
import { samePlace, type Who } from '#wire/presence.ts';

/** A page of a person, as `there` names it in `gone`. */
export type PageKey = readonly [account: number, page: number];

/** Places that have changed, and pages that are no longer there. */
export interface Told {
  readonly who: readonly Who[];
  readonly gone: readonly PageKey[];
}

interface Spot<Peer> {
  readonly who: Who;
  /** Who said it: a connection of this process, or another process. */
  readonly by: Peer | string;
  /** Null: connected here. */
  readonly node: string | null;
  heardAt: number;
}

const keyOf = (account: number, page: number) => `${account}/${page}`;

/** `Peer`: a connection of this process. */
export class Room<Peer extends object> {
  /** Connections of this process, each with its account. */
  readonly peers = new Map<Peer, number>();
  readonly #spots = new Map<string, Spot<Peer>>();
  /** Accounts that other processes have connected. */
  readonly #elsewhere = new Map<string, readonly number[]>();
  readonly #changed = new Set<string>();
  readonly #gone = new Map<string, { readonly page: PageKey; readonly isOwn: boolean }>();
  #present = 0;
  /** Whether there was company when it was told last. */
  #hadCompany = false;
  #accounts: readonly number[] = [];
  #hasOtherAccounts = false;
  /** When the next news may be told; by the clock of the caller. */
  nextAt = 0;
  /** When it will be told, and the cancellation; null: nothing is to be told. */
  planned: { readonly at: number; readonly cancel: () => void } | null = null;

  /** Accounts that are connected, to any process. */
  get present(): number {
    return this.#present;
  }

  get spots(): number {
    return this.#spots.size;
  }

  /** Two people at least: only then there is anything to tell. */
  get hasCompany(): boolean {
    return this.#present > 1;
  }

  /** For those who are connected here. */
  get isNews(): boolean {
    return this.#changed.size + this.#gone.size > 0 || this.#hadCompany !== this.hasCompany;
  }

  /** Accounts that are connected to this process. */
  get accounts(): readonly number[] {
    return this.#accounts;
  }

  /** Where everybody is. */
  all(): readonly Who[] {
    return [...this.#spots.values()].map(({ who }) => who);
  }

  /** Where those are who are connected to this process. */
  own(): readonly Who[] {
    return [...this.#spots.values()].flatMap(({ who, node }) => (node === null ? [who] : []));
  }

  add(peer: Peer, account: number): void {
    this.peers.set(peer, account);
    this.#count();
  }

  /** Takes the connection away with all that it said. */
  remove(peer: Peer): void {
    this.peers.delete(peer);
    this.#drop(({ by }) => by === peer);
    this.#count();
  }

  /** Another process has these accounts connected; none: it is gone, with all that it said. */
  setElsewhere(node: string, accounts: readonly number[]): void {
    if (accounts.length === 0) {
      this.#elsewhere.delete(node);
      this.#drop((spot) => spot.node === node);
    } else this.#elsewhere.set(node, accounts);
    this.#count();
  }

  pagesOf(peer: Peer): number {
    return [...this.#spots.values()].filter(({ by }) => by === peer).length;
  }

  has({ account, page }: Who): boolean {
    return this.#spots.has(keyOf(account, page));
  }

  /** `node`: the process that said it; null: a connection of this one. False: it was said again, and has not changed. */
  put(who: Who, { by, node, at }: { by: Peer | string; node: string | null; at: number }): boolean {
    const key = keyOf(who.account, who.page);
    const before = this.#spots.get(key)?.who;
    this.#spots.set(key, { who, by, node, heardAt: at });
    this.#changed.add(key);
    this.#gone.delete(key);
    return before === undefined || !samePlace(before, who);
  }

  end(account: number, page: number): void {
    const key = keyOf(account, page);
    const spot = this.#spots.get(key);
    if (!spot) return;
    this.#spots.delete(key);
    this.#changed.delete(key);
    this.#gone.set(key, { page: [account, page], isOwn: spot.node === null });
  }

  /** Ends what was last heard before that moment. */
  expire(before: number): void {
    this.#drop(({ heardAt }) => heardAt < before);
  }

  /** What is to be told now; it counts as told. Null in `own`: nothing for other processes. */
  take(): { readonly news: Told; readonly own: Told | null } {
    const spots = [...this.#changed].flatMap((key) => this.#spots.get(key) ?? []);
    const gone = [...this.#gone.values()];
    const own = {
      who: spots.flatMap(({ who, node }) => (node === null ? [who] : [])),
      gone: gone.flatMap(({ page, isOwn }) => (isOwn ? [page] : [])),
    };
    const isOwnNews = own.who.length + own.gone.length > 0 || this.#hasOtherAccounts;
    this.#changed.clear();
    this.#gone.clear();
    this.#hadCompany = this.hasCompany;
    this.#hasOtherAccounts = false;
    if (!this.hasCompany) this.#spots.clear();
    return {
      news: { who: spots.map(({ who }) => who), gone: gone.map(({ page }) => page) },
      own: isOwnNews ? own : null,
    };
  }

  #drop(isOver: (spot: Spot<Peer>) => boolean): void {
    for (const spot of this.#spots.values()) if (isOver(spot)) this.end(spot.who.account, spot.who.page);
  }

  #count(): void {
    const accounts = [...new Set(this.peers.values())];
    if (accounts.length !== this.#accounts.length) this.#hasOtherAccounts = true;
    this.#accounts = accounts;
    this.#present = new Set([...this.peers.values(), ...[...this.#elsewhere.values()].flat()]).size;
  }
}
