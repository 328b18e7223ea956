// Measures each key from its press to the frame that answers it. The browser's Event Timing knows best, but reports only what
// took 16 ms or more, in steps of 8; for the quicker keys the end of the frame is looked at from within the page. Loaded
// only when asked for (`?perf`). Not here: how the figures are drawn.
import type { App } from '#client/app/app.ts';
import { LatencyLog } from '#client/app/latency.ts';

/** The least that the browser may be asked to report. */
const REPORTED_MS = 16;
/** By then the browser has reported a frame that is over. */
const SETTLES_MS = 250;
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

interface Press {
  /** Since the page began, as events and entries say it. */
  readonly at: number;
  readonly command: string | null;
  /** As seen from within the page, where other work may have delayed the looking. */
  seen: number | null;
  /** As the browser says. */
  reported: number | null;
}

export class KeyMeasure {
  readonly log = new LatencyLog();
  readonly #app: App;
  readonly #onChange: () => void;
  readonly #listening = new AbortController();
  readonly #frames = new MessageChannel();
  readonly #observer: PerformanceObserver | null;
  #presses: Press[] = [];
  #settling: ReturnType<typeof setTimeout> | undefined;
  #ran: { readonly id: string; readonly at: number } | null = null;

  constructor(app: App, onChange: () => void) {
    this.#app = app;
    this.#onChange = onChange;
    app.onRun = (id) => {
      this.#ran ??= { id, at: performance.now() };
    };
    // Registered after the app's own listener: by now the key's command has run.
    window.addEventListener('keydown', (event) => this.#press(event), {
      capture: true,
      signal: this.#listening.signal,
    });
    this.#frames.port1.onmessage = () => this.#see();
    this.#observer = this.#observe();
  }

  stop(): void {
    this.#app.onRun = null;
    this.#listening.abort();
    this.#frames.port1.close();
    this.#observer?.disconnect();
    clearTimeout(this.#settling);
  }

  #press(event: KeyboardEvent): void {
    const ran = this.#ran;
    this.#ran = null;
    if (MODIFIERS.has(event.key)) return;
    // A command of a pointer, or of a moment before, is not this key's.
    const command = ran && ran.at >= event.timeStamp ? ran.id : null;
    this.#presses.push({ at: event.timeStamp, command, seen: null, reported: null });
    // The task after the frame's own is the first moment at which the frame is out of the page's hands.
    requestAnimationFrame(() => this.#frames.port2.postMessage(null));
  }

  #see(): void {
    const now = performance.now();
    for (const press of this.#presses) press.seen ??= now - press.at;
    this.#settling ??= setTimeout(() => this.#settle(), SETTLES_MS);
  }

  #settle(): void {
    this.#settling = undefined;
    const [over, waiting] = [this.#presses.filter(isSeen), this.#presses.filter((press) => !isSeen(press))];
    this.#presses = waiting;
    for (const { command, seen, reported } of over) {
      // What the browser does not report took less than it reports.
      const unreported = this.#observer ? Math.min(seen, REPORTED_MS) : seen;
      this.log.add({ command, took: reported ?? unreported });
    }
    this.#onChange();
  }

  #observe(): PerformanceObserver | null {
    if (!PerformanceObserver.supportedEntryTypes.includes('event')) return null;
    const observer = new PerformanceObserver((list) => {
      for (const { name, startTime, duration } of list.getEntries()) {
        const press = name === 'keydown' ? this.#presses.find(({ at }) => at === startTime) : undefined;
        if (press) press.reported = duration;
      }
    });
    observer.observe({ type: 'event', durationThreshold: REPORTED_MS } as PerformanceObserverInit);
    return observer;
  }
}

function isSeen(press: Press): press is Press & { seen: number } {
  return press.seen !== null;
}
