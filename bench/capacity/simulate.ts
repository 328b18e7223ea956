// A day of very many accounts, minute by minute: what they ask of a service. Each account lives its own day, drawn from the assumptions; what is
// counted is how much of each kind of work falls into each minute. Deterministic for a seed.
import { SeededRandom } from '../../test/simulator/random.ts';
import type { People } from './assumptions.ts';

export const MINUTES = 1_440;

/** Kinds of work. */
export const WORK = [
  'operations',
  'pushes',
  'deltas',
  'syncs',
  'rowsRead',
  'requests',
  'reminders',
  'mailsIn',
  'mailsOut',
] as const;
export type Work = (typeof WORK)[number];

/** By minute of the day in UTC. */
export interface Day {
  readonly work: Readonly<Record<Work, Float64Array>>;
  /** Open live sockets. */
  readonly sockets: Float64Array;
  readonly filesMb: number;
}

/** One of two normal values by Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A whole number with this mean: the rest is a chance. */
function about(mean: number, random: () => number): number {
  const whole = Math.floor(mean);
  return whole + (random() < mean - whole ? 1 : 0);
}

function zoneOf(zones: People['zones'], random: () => number): number {
  let left = random();
  for (const [hours, share] of zones) {
    left -= share;
    if (left < 0) return hours;
  }
  return zones.at(-1)?.[0] ?? 0;
}

/** When people begin something: around ten and around half past two, local time, and few in the evening. */
function startMinute(random: () => number): number {
  const [at, spread] = random() < 0.45 ? [9.5, 1.3] : random() < 0.7 ? [14.5, 1.8] : [20, 1.7];
  return (at + spread * normal(random)) * 60;
}

const inDay = (minute: number): number => ((Math.floor(minute) % MINUTES) + MINUTES) % MINUTES;

class Service {
  readonly work = Object.fromEntries(WORK.map((kind) => [kind, new Float64Array(MINUTES)])) as Record<
    Work,
    Float64Array
  >;
  /** Sockets that open less those that close. */
  readonly #turns = new Float64Array(MINUTES);
  #openAtMidnight = 0;
  filesMb = 0;

  add(kind: Work, minute: number, count = 1): void {
    const counts = this.work[kind];
    const at = inDay(minute);
    counts[at] = (counts[at] ?? 0) + count;
  }

  open(from: number, minutes: number): void {
    const [begin, end] = [inDay(from), inDay(from + minutes)];
    this.#turns[begin] = (this.#turns[begin] ?? 0) + 1;
    this.#turns[end] = (this.#turns[end] ?? 0) - 1;
    if (end < begin) this.#openAtMidnight += 1;
    this.add('syncs', from);
  }

  get sockets(): Float64Array {
    let open = this.#openAtMidnight;
    return this.#turns.map((turn) => (open += turn));
  }
}

/** The times in which the app is open, in minutes of UTC. */
function openings(
  people: People,
  zone: number,
  random: () => number,
): readonly (readonly [number, number])[] {
  const utc = (local: number) => local - zone * 60;
  if (random() < people.keepOpen) {
    const [least, most] = people.openHours;
    return [[utc(startMinute(random)), (least + random() * (most - least)) * 60]];
  }
  return Array.from(
    { length: Math.max(1, about(people.visits, random)) },
    () => [utc(startMinute(random)), people.visitMinutes * (0.2 + 1.6 * random())] as const,
  );
}

function live(people: People, service: Service, random: () => number): void {
  const zone = zoneOf(people.zones, random);
  if (random() < people.programs)
    for (let left = about(people.programRequests, random); left > 0; left -= 1)
      service.add('requests', random() * MINUTES);
  if (random() >= people.active) return;
  const times = openings(people, zone, random);
  const others = about(people.otherDevices, random);
  for (const [from, minutes] of times)
    for (let device = 0; device <= others; device += 1) service.open(from, minutes);
  const shares = random() < people.sharing;
  const { median, spread } = people.operations;
  const operations = Math.min(5_000, Math.round(median * Math.exp(spread * normal(random))));
  let left = 0;
  for (let made = 0; made < operations; made += 1) {
    const [from, minutes] = times[Math.floor(random() * times.length)] ?? [0, 1];
    const at = from + random() * minutes;
    service.add('operations', at);
    left -= 1;
    if (left <= 0) {
      service.add('pushes', at);
      left = about(people.operationsPerPush, random);
    }
    const heard =
      others + (shares && random() < people.sharedOperations ? about(people.othersOpen, random) : 0);
    if (heard > 0) service.add('deltas', at, heard);
  }
  const [first] = times[0] ?? [0];
  if (random() < people.fullReads) service.add('rowsRead', first, people.rows);
  for (let each = about(people.reminders, random); each > 0; each -= 1)
    service.add('reminders', first + random() * 600);
  for (let each = about(people.mailsIn, random); each > 0; each -= 1)
    service.add('mailsIn', first + random() * 600);
  for (let each = about(people.mailsOut, random); each > 0; each -= 1) service.add('mailsOut', first);
  service.filesMb += about(people.files, random) * people.fileMb;
}

/** A day of so many accounts. */
export function simulate(accounts: number, people: People, seed: number): Day {
  const source = new SeededRandom(seed);
  const random = () => source.fraction();
  const service = new Service();
  for (let account = 0; account < accounts; account += 1) live(people, service, random);
  const { work, sockets, filesMb } = service;
  return { work, sockets, filesMb };
}

export const peak = (counts: Float64Array): number =>
  counts.reduce((most, count) => Math.max(most, count), 0);
export const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);
