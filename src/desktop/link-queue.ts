// Links that the system hands over: before there is a window, before its page is ready, or while it works. None comes twice, and none is lost.

const SCHEME = /^(?:web\+)?posthaste:/i;
/** No link that the app takes is longer. */
const LONGEST = 64_000;
/** More than anyone clicks: what a program sends beyond it is left out, and counted. */
const MOST_WAITING = 100;

/** Whether the system may hand it to the app. */
export const isLink = (text: string): boolean => SCHEME.test(text) && text.length <= LONGEST;

/** Keeps links until somebody takes them, in the order in which they came. */
export class LinkQueue {
  readonly #waiting: string[] = [];
  #take: ((link: string) => void) | null = null;
  #leftOut = 0;

  /** Somebody takes them now. */
  get isOpen(): boolean {
    return this.#take !== null;
  }

  /** How many were left out because too many waited: told once. */
  forgetLeftOut(): number {
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }

  /** False: it is no link, or too many wait. */
  add(link: string): boolean {
    if (!isLink(link)) return false;
    if (this.#take !== null) {
      this.#take(link);
      return true;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      this.#leftOut += 1;
      return false;
    }
    this.#waiting.push(link);
    return true;
  }

  /** Hands over what waits, and everything from now on. */
  open(take: (link: string) => void): void {
    this.#take = take;
    for (const link of this.#waiting.splice(0)) take(link);
  }

  /** The page is gone, or is loaded anew: links wait again. */
  close(): void {
    this.#take = null;
  }
}
