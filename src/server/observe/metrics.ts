// Counters, gauges and histograms of this process, and their text for Prometheus. Labels are words from our own code
// (route templates, not paths), so that their number is bounded and nothing private is in them.

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

export interface Metrics {
  request(route: string, status: number, seconds: number): void;
  /** A durable transaction ended: how long it took, and how many pushes it held. */
  commit(seconds: number, pushes: number): void;
  signIn(outcome: 'ok' | 'wrong' | 'limited' | 'busy' | 'disabled'): void;
  /** Read anew for every scrape. */
  gauge(name: string, help: string, read: () => number): void;
  text(): string;
}

export function createMetrics(): Metrics {
  const requests = new Family<number>(
    'posthaste_requests_total',
    'Answered requests by route and class of status.',
    'counter',
  );
  const latency = new Family<Histogram>(
    'posthaste_request_seconds',
    'Time from the request to its answer.',
    'histogram',
  );
  const commits = new Family<Histogram>(
    'posthaste_commit_seconds',
    'Time of durable transactions.',
    'histogram',
  );
  const groups = new Family<Histogram>(
    'posthaste_commit_pushes',
    'Pushes in one durable transaction.',
    'histogram',
  );
  const signIns = new Family<number>('posthaste_sign_ins_total', 'Sign-in tries by outcome.', 'counter');
  const gauges = new Map<string, { readonly help: string; readonly read: () => number }>();

  function add(family: Family<number>, labels: Labels): void {
    family.child(labels, () => 0).value += 1;
  }

  function observe(
    family: Family<Histogram>,
    labels: Labels,
    sample: { value: number; bounds: readonly number[] },
  ): void {
    const { value, bounds } = sample;
    const histogram = family.child(labels, () => ({
      bounds,
      buckets: bounds.map(() => 0),
      sum: 0,
      count: 0,
    })).value;
    const at = bounds.findIndex((bound) => value <= bound);
    if (at >= 0) histogram.buckets[at] = (histogram.buckets[at] ?? 0) + 1;
    histogram.sum += value;
    histogram.count += 1;
  }

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

  const head = (name: string, help: string, type: string) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
  ];

  return {
    request(route, status, seconds) {
      add(requests, { route, status: `${Math.floor(status / 100)}xx` });
      observe(latency, { route }, { value: seconds, bounds: SECONDS });
    },
    commit(seconds, pushes) {
      observe(commits, {}, { value: seconds, bounds: SECONDS });
      observe(groups, {}, { value: pushes, bounds: SIZES });
    },
    signIn: (outcome) => add(signIns, { outcome }),
    gauge(name, help, read) {
      gauges.set(name, { help, read });
    },
    text() {
      const counters = [requests, signIns].flatMap((family) => [
        ...head(family.name, family.help, family.type),
        ...[...family.children.values()].map(
          ({ labels, value }) => `${family.name}${labelText(labels)} ${value}`,
        ),
      ]);
      const histograms = [latency, commits, groups].flatMap((family) => [
        ...head(family.name, family.help, family.type),
        ...[...family.children.values()].flatMap(({ labels, value }) =>
          histogramLines(family.name, labels, value),
        ),
      ]);
      const read = [...gauges].flatMap(([name, { help, read: value }]) => [
        ...head(name, help, 'gauge'),
        `${name} ${value()}`,
      ]);
      return `${[...counters, ...histograms, ...read].join('\n')}\n`;
    },
  };
}
