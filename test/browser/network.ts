// A network that the test holds, before a browser that remembers every failed import: many do for as long as the page lives,
// others ask again, and the test does not depend on which it has.
import type { BrowserContext, Page, Route } from 'playwright-core';

/** Of the app. */
export const SCRIPTS = /\/app\/assets\/[^/]+\.js$/;
export type Fate = 'goes' | 'waits' | 'fails';

/** Decides what becomes of each script that the page asks for. What waits goes on, or fails, as soon as that is decided. */
export class Network {
  #fate: Fate = 'goes';
  #waiting: Route[] = [];
  readonly asked: string[] = [];
  /** Scripts whose import failed. */
  readonly #failed = new Set<string>();
  /** What was fetched is imported from the browser's cache, which is off while a test decides. */
  readonly #fetched = new Set<string>();
  #from: RegExp | null = null;
  #only: RegExp | null = null;

  static of(page: Page, scripts: RegExp = SCRIPTS): Promise<Network> {
    return Network.in(page.context(), scripts);
  }

  /** From the first page on: what one has loaded already, the next may take from the memory of its process. */
  static async in(context: BrowserContext, scripts: RegExp = SCRIPTS): Promise<Network> {
    const network = new Network();
    await context.route(scripts, (route) => network.#meet(route));
    return network;
  }

  /** These alone: others may be asked for earlier or later. */
  hold(pattern: RegExp): void {
    this.#only = pattern;
  }

  /** From the first script that is called so. */
  holdFrom(pattern: RegExp): void {
    this.#from = pattern;
  }

  async decide(fate: Fate): Promise<void> {
    this.#fate = fate;
    this.#from = null;
    this.#only = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const route of waiting) await this.#meet(route);
  }

  async #meet(route: Route): Promise<void> {
    const url = route.request().url();
    if (this.#from?.test(url) === true) {
      this.#from = null;
      this.#fate = 'waits';
    }
    this.asked.push(url);
    const isImport = route.request().resourceType() === 'script';
    if (this.#failed.has(url)) await route.abort();
    else if (isImport && this.#fetched.has(url)) await route.continue();
    else if (this.#fate === 'waits' || this.#only?.test(url) === true) this.#waiting.push(route);
    else if (this.#fate === 'fails') {
      if (isImport) this.#failed.add(url);
      await route.abort();
    } else {
      if (!isImport) this.#fetched.add(url);
      await route.continue();
    }
  }

  get isHolding(): boolean {
    return this.#waiting.length > 0;
  }
}
