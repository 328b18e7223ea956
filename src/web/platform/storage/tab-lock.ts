// This tab among the tabs of its profile: the lane it numbers its changes in, and whether it leads. Both are
// locks, so the browser passes them on when a tab ends, however it ends. What tabs tell each other is
// sync/tabs/coordinator.ts.
import type { Id } from '#core/ids.ts';
import type { Message } from '#sync/tabs/tab-messages.ts';
import type { Part } from '#sync/replica/ports.ts';

/** Tabs of versions that would not understand each other do not meet. */
const CHANNEL = 'posthaste.copy.1';

/** What a tab holds of a profile from its start until `leave`, or until the tab ends. */
export interface Seat {
  readonly lane: number;
  readonly part: Part;
  readonly channel: BroadcastChannel;
  /** The lead came to this tab, or was taken from it. Set once. */
  onPart: (part: Part) => void;
  post(message: Message): void;
  /** Takes the lead, even from another tab. */
  steal(): void;
  /** Lets the others go on without this tab. Call after everything is written. */
  leave(): void;
}

/** Begins the names of the locks that the tabs of a profile hold. */
export const laneName = (profile: Id) => `posthaste.lane.${profile}.`;

/** Holds a lock that is free at this moment; the function gives it back. */
function holdFree(name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) {
        resolve(null);
        return undefined;
      }
      return new Promise<void>((release) => resolve(release));
    });
    held.catch(reject);
  });
}

async function takeLane(profile: Id): Promise<{ readonly lane: number; readonly release: () => void }> {
  for (let lane = 0; ; lane += 1) {
    const release = await holdFree(laneName(profile) + lane);
    if (release) return { lane, release };
  }
}

/** The lead of a profile: had at once, waited for, taken by force, and lost. */
class Lead {
  part: Part = 'follower';
  onPart: (part: Part) => void = () => undefined;
  readonly #name: string;
  #release: () => void = () => undefined;
  #waiting = new AbortController();
  #isOver = false;

  constructor(profile: Id) {
    this.#name = `posthaste.leader.${profile}`;
  }

  /** Resolves when it is known whether this tab leads from the start. */
  begin(): Promise<void> {
    return new Promise((resolve) => {
      this.#ask({ ifAvailable: true }, resolve);
    });
  }

  steal(): void {
    if (this.part === 'leader' || this.#isOver) return;
    this.#waiting.abort();
    this.#ask({ steal: true });
  }

  leave(): void {
    this.#isOver = true;
    this.#waiting.abort();
    this.#release();
  }

  #wait(): void {
    if (this.#isOver) return;
    this.#waiting = new AbortController();
    this.#ask({ signal: this.#waiting.signal });
  }

  #ask(options: LockOptions, onAnswer: () => void = () => undefined): void {
    let isHeld = false;
    const held = navigator.locks.request(this.#name, options, (lock) => {
      if (lock === null) {
        this.#wait();
        onAnswer();
        return undefined;
      }
      isHeld = true;
      this.#become('leader');
      onAnswer();
      return new Promise<void>((release) => {
        this.#release = release;
        if (this.#isOver) release();
      });
    });
    held.catch((error: unknown) => {
      // Stolen, or no longer waited for. Both are ends, not failures.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      if (!isHeld) return;
      this.#become('follower');
      this.#wait();
    });
  }

  #become(part: Part): void {
    this.part = part;
    if (!this.#isOver) this.onPart(part);
  }
}

/** Null where the browser has no locks (plain HTTP on a network): then tabs cannot work side by side. */
export async function takeSeat(profile: Id): Promise<Seat | null> {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return null;
  const lead = new Lead(profile);
  const [{ lane, release }] = await Promise.all([takeLane(profile), lead.begin()]);
  const channel = new BroadcastChannel(`${CHANNEL}.${profile}`);
  return {
    lane,
    channel,
    get part() {
      return lead.part;
    },
    set onPart(listener: (part: Part) => void) {
      lead.onPart = listener;
    },
    post: (message) => channel.postMessage(message),
    steal: () => lead.steal(),
    leave() {
      channel.close();
      lead.leave();
      release();
    },
  };
}
