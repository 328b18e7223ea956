// Counters, gauges and histograms of this process, and their text for Prometheus. Labels are words from our own code (route
// templates, not paths), so that their number is bounded and they contain nothing private.

export type Labels = Readonly<Record<string, string>>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;

interface Histogram {
  readonly bounds: readonly number[];
  readonly buckets: number[];
  sum: number;
  count: number;
}

function labelText(labels: Labels, more: Labels = {}): string {
  const pairs = Object.entries({ ...labels, ...more });
  if (pairs.length === 0) return '';
  const escape = (value: string) =>
    value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `{${pairs.map(([name, value]) => `${name}="${escape(value)}"`).join(',')}}`;
}

/** One named family; children by label text. */
class Family<T> {
  readonly children = new Map<string, { readonly labels: Labels; value: T }>();
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';

  constructor(name: string, help: string, type: Family<T>['type']) {
    this.name = name;
    this.help = help;
    this.type = type;
  }

  child(labels: Labels, initial: () => T): { value: T } {
    const key = labelText(labels);
    let child = this.children.get(key);
    if (!child) {
      child = { labels, value: initial() };
      this.children.set(key, child);
    }
    return child;
  }
}

/** The metrics of this process; callers report events, `/metrics` renders them. */
export interface Metrics {
  request(route: string, status: number, seconds: number): void;
  /** A durable transaction ended: its duration, and the number of pushes in it. */
  commit(seconds: number, pushes: number): void;
  signIn(outcome: 'ok' | 'wrong' | 'limited' | 'busy' | 'disabled'): void;
  /** Healing after a restore: scopes that devices found older than their replica, and what they brought back. */
  healed(what: 'scope' | 'row' | 'parked' | 'unparked', count: number): void;
  /** A message on a live socket whose type this version does not know was passed over. */
  passedOver(): void;
  /** A scope was read because another process wrote to it. */
  readForOthers(scopes: number): void;
  /** Messages to push services, by outcome. */
  pushed(outcome: string): void;
  /** Read for every scrape. */
  gauge(name: string, help: string, read: () => number): void;
  text(): string;
}

const head = (name: string, help: string, type: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

function histogramLines(name: string, labels: Labels, histogram: Histogram): string[] {
  let total = 0;
  const lines = histogram.bounds.map((bound, at) => {
    total += histogram.buckets[at] ?? 0;
    return `${name}_bucket${labelText(labels, { le: String(bound) })} ${total}`;
  });
  return [
    ...lines,
    `${name}_bucket${labelText(labels, { le: '+Inf' })} ${histogram.count}`,
    `${name}_sum${labelText(labels)} ${histogram.sum}`,
    `${name}_count${labelText(labels)} ${histogram.count}`,
  ];
}

class CounterFamily {
  readonly #family: Family<number>;

  constructor(name: string, help: string) {
    this.#family = new Family(name, help, 'counter');
  }

  add(labels: Labels, count = 1): void {
    this.of(labels).value += count;
  }

  /** The counter of these labels, for callers that keep it. */
  of(labels: Labels): { value: number } {
    return this.#family.child(labels, () => 0);
  }

  lines(): string[] {
    const { name, help, type, children } = this.#family;
    const values = [...children.values()].map(({ labels, value }) => `${name}${labelText(labels)} ${value}`);
    return [...head(name, help, type), ...values];
  }
}

function note(histogram: Histogram, value: number): void {
  const at = histogram.bounds.findIndex((bound) => value <= bound);
  if (at >= 0) histogram.buckets[at] = (histogram.buckets[at] ?? 0) + 1;
  histogram.sum += value;
  histogram.count += 1;
}

class HistogramFamily {
  readonly #family: Family<Histogram>;
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#family = new Family(name, help, 'histogram');
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    note(this.of(labels), value);
  }

  /** The histogram of these labels, for callers that keep it. */
  of(labels: Labels): Histogram {
    const bounds = this.#bounds;
    const empty = (): Histogram => ({ bounds, buckets: bounds.map(() => 0), sum: 0, count: 0 });
    return this.#family.child(labels, empty).value;
  }

  lines(): string[] {
    const { name, help, type, children } = this.#family;
    const values = [...children.values()].flatMap(({ labels, value }) => histogramLines(name, labels, value));
    return [...head(name, help, type), ...values];
  }
}

/** Metrics starting at zero. */
export function createMetrics(): Metrics {
  const requests = new CounterFamily(
    'posthaste_requests_total',
    'Answered requests by route and class of status.',
  );
  const signIns = new CounterFamily('posthaste_sign_ins_total', 'Sign-in tries by outcome.');
  const healed = new CounterFamily(
    'posthaste_healed_total',
    'After a restore: scopes found older than their devices, rows brought back, operations parked and applied.',
  );
  const unknown = new CounterFamily(
    'posthaste_unknown_messages_total',
    'Messages of newer clients on live sockets that were passed over.',
  );
  const others = new CounterFamily(
    'posthaste_others_read_total',
    'Scopes read because another server wrote to them.',
  );
  const pushed = new CounterFamily('posthaste_pushes_total', 'Reminders sent to push services by outcome.');
  const latency = new HistogramFamily(
    'posthaste_request_seconds',
    'Time from the request to its answer.',
    SECONDS,
  );
  const commits = new HistogramFamily('posthaste_commit_seconds', 'Time of durable transactions.', SECONDS);
  const groups = new HistogramFamily('posthaste_commit_pushes', 'Pushes in one durable transaction.', SIZES);
  const gauges = new Map<string, { readonly help: string; readonly read: () => number }>();
  // Every request counts here: what its route counts in is looked up by the route alone.
  const byRoute = new Map<string, { readonly seconds: Histogram; readonly classes: { value: number }[] }>();
  return {
    request(route, status, seconds) {
      let counted = byRoute.get(route);
      if (!counted) byRoute.set(route, (counted = { seconds: latency.of({ route }), classes: [] }));
      const hundreds = Math.floor(status / 100);
      (counted.classes[hundreds] ??= requests.of({ route, status: `${hundreds}xx` })).value += 1;
      note(counted.seconds, seconds);
    },
    commit(seconds, pushes) {
      commits.observe({}, seconds);
      groups.observe({}, pushes);
    },
    signIn: (outcome) => signIns.add({ outcome }),
    healed: (what, count) => healed.add({ what }, count),
    passedOver: () => unknown.add({}),
    readForOthers: (scopes) => others.add({}, scopes),
    pushed: (outcome) => pushed.add({ outcome }),
    gauge: (name, help, read) => void gauges.set(name, { help, read }),
    text() {
      const families = [requests, signIns, healed, unknown, others, pushed, latency, commits, groups].flatMap(
        (family) => family.lines(),
      );
      const read = [...gauges].flatMap(([name, { help, read: value }]) => [
        ...head(name, help, 'gauge'),
        `${name} ${value()}`,
      ]);
      return `${[...families, ...read].join('\n')}\n`;
    },
  };
}
