// The visitor's own milliseconds beside the demonstration: from the browser's timestamp of a key to the end of the frame that
// shows its result, as the benchmark measures (bench/README.md), and how long the key was held. Nothing is sent anywhere.

const MOST_LINES = 7;
const SLOW_MS = 50;

/** Calls back when the next frame is finished: a message posted in its callback comes after its layout and paint. */
function afterFrame(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    work();
  });
  port1.start();
  requestAnimationFrame(() => port2.postMessage(0));
}

/** The middle one, in whole milliseconds. */
function median(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

function strong(text: string): HTMLElement {
  const element = document.createElement('b');
  element.textContent = text;
  return element;
}

/** Writes what it measured into the parts of `demo` that are there for it. */
export class DemoClock {
  readonly #lines: HTMLElement | null;
  readonly #sum: HTMLElement | null;
  readonly #tap: HTMLElement | null;
  readonly #times: number[] = [];
  readonly #held: number[] = [];
  readonly #downAt = new Map<string, number>();

  constructor(demo: HTMLElement) {
    this.#lines = demo.querySelector('[data-demo-times]');
    this.#sum = demo.querySelector('[data-demo-sum]');
    this.#tap = demo.querySelector('[data-demo-tap]');
    // The first frame of a page that stood still takes longer: it is none of the keys'.
    demo.addEventListener('focusin', () => afterFrame(() => undefined), { once: true });
    demo.addEventListener('keydown', ({ code, repeat, timeStamp }) => {
      if (!repeat) this.#downAt.set(code, timeStamp);
    });
    demo.addEventListener('keyup', ({ code, timeStamp }) => {
      const from = this.#downAt.get(code);
      this.#downAt.delete(code);
      if (from === undefined) return;
      this.#held.push(timeStamp - from);
      this.#tell();
    });
  }

  /** Times the key that was just answered. Keys that were kept until there was a script are not the visitor's any more. */
  key(event: KeyboardEvent, cap: string): void {
    if (!event.isTrusted) return;
    afterFrame(() => this.#write(cap, performance.now() - event.timeStamp));
  }

  tap(event: PointerEvent): void {
    if (!event.isTrusted) return;
    afterFrame(() => {
      const ms = Math.round(performance.now() - event.timeStamp);
      this.#tap?.replaceChildren('Your tap: ', strong(`${ms} ms`));
    });
  }

  #write(cap: string, ms: number): void {
    const line = this.#lines?.firstElementChild?.cloneNode(true);
    if (!this.#lines || !(line instanceof HTMLElement)) return;
    if (this.#times.length === 0) this.#lines.replaceChildren();
    this.#times.push(ms);
    const kbd = document.createElement('kbd');
    kbd.textContent = cap;
    line.querySelector('.demo-cap')?.replaceChildren(kbd);
    const bar = line.querySelector('rect');
    bar?.setAttribute('width', String(Math.min(SLOW_MS, ms)));
    bar?.classList.toggle('slow', ms > SLOW_MS);
    line.querySelector('b')?.replaceChildren(String(Math.round(ms)));
    this.#lines.prepend(line);
    while (this.#lines.childElementCount > MOST_LINES) this.#lines.lastElementChild?.remove();
    this.#tell();
  }

  #tell(): void {
    const count = this.#times.length;
    if (!this.#sum || count === 0) return;
    const keys = count === 1 ? 'key' : 'keys';
    this.#sum.replaceChildren(`Median of your ${count} ${keys}: `, strong(`${median(this.#times)} ms`), '.');
    if (this.#held.length > 0)
      this.#sum.append(' You held each key for ', strong(`${median(this.#held)} ms`), '.');
  }
}
