// Where others are, as far as it was heard: by list, and by task. What is not heard again ends by this device's own clock.
import type { Id } from '#core/ids.ts';
import { presenceLastsMs, samePlace, type There, type Who } from '#wire/presence.ts';

/** A place of one page of somebody. */
export interface OtherPlace {
  readonly scope: Id;
  readonly who: Who;
  readonly heardAt: number;
}

interface Known {
  present: number;
  readonly places: Map<string, OtherPlace>;
}

const keyOf = (account: number, page: number) => `${account}/${page}`;

/** Places of everybody but this device's own person. Times are milliseconds of one clock. */
export class Others {
  readonly #account: number;
  readonly #lists = new Map<Id, Known>();
  /** Places by task: those whose cursor or selection it is in. */
  readonly #onTask = new Map<Id, Map<string, OtherPlace>>();

  /** `account`: whose places are none of others. */
  constructor(account: number) {
    this.#account = account;
  }

  /** Somebody else is connected who may see the list. */
  hasCompany(scope: Id): boolean {
    return (this.#lists.get(scope)?.present ?? 0) > 1;
  }

  get isEmpty(): boolean {
    return this.#onTask.size === 0 && [...this.#lists.values()].every(({ places }) => places.size === 0);
  }

  /** Nobody is told of any list to be in company. */
  get isAlone(): boolean {
    return this.#lists.size === 0;
  }

  on(task: Id): Iterable<OtherPlace> {
    return this.#onTask.get(task)?.values() ?? [];
  }

  in(scope: Id): Iterable<OtherPlace> {
    return this.#lists.get(scope)?.places.values() ?? [];
  }

  has(task: Id): boolean {
    return this.#onTask.has(task);
  }

  /** Takes news in. True: something is to be drawn anew. */
  take({ scope, present, who, gone }: There, now: number): boolean {
    const known = this.#lists.get(scope) ?? { present, places: new Map<string, OtherPlace>() };
    known.present = present;
    this.#lists.set(scope, known);
    let isNews = false;
    for (const [account, page] of gone) isNews = this.#end(known, keyOf(account, page)) || isNews;
    for (const one of who)
      if (one.account !== this.#account) isNews = this.#put(known, scope, one, now) || isNews;
    if (present > 1) return isNews;
    isNews = known.places.size > 0 || isNews;
    for (const key of known.places.keys()) this.#end(known, key);
    this.#lists.delete(scope);
    return isNews;
  }

  /** Ends what was last heard too long ago. True: something is to be drawn anew. */
  expire(now: number): boolean {
    let isNews = false;
    for (const known of this.#lists.values())
      for (const [key, { heardAt }] of known.places)
        if (now - heardAt >= presenceLastsMs) isNews = this.#end(known, key) || isNews;
    return isNews;
  }

  clear(): void {
    this.#lists.clear();
    this.#onTask.clear();
  }

  #put(known: Known, scope: Id, who: Who, now: number): boolean {
    const key = keyOf(who.account, who.page);
    const before = known.places.get(key);
    const place = { scope, who, heardAt: now };
    const isSame = before !== undefined && samePlace(before.who, who);
    if (!isSame) this.#end(known, key);
    known.places.set(key, place);
    for (const task of tasksOf(who)) {
      const there = this.#onTask.get(task) ?? new Map<string, OtherPlace>();
      this.#onTask.set(task, there.set(key, place));
    }
    return !isSame;
  }

  #end(known: Known, key: string): boolean {
    const place = known.places.get(key);
    if (place === undefined) return false;
    known.places.delete(key);
    for (const task of tasksOf(place.who)) {
      const there = this.#onTask.get(task);
      there?.delete(key);
      if (there?.size === 0) this.#onTask.delete(task);
    }
    return true;
  }
}

const tasksOf = ({ sel, focus }: Who): ReadonlySet<Id> => new Set(focus === null ? sel : [...sel, focus]);
