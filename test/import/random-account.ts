// Accounts drawn from a seed for tests of exports: nested folders, lists and tasks with every field, and texts that file formats
// trip over.
import type { DocumentType, ExportedEntity, NamedPeople } from '#core/formats/exported.ts';
import { deriveId, inboxId, labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import type { RepeatRule, RepeatUnit, Weekday } from '#core/model.ts';
import { registerOf, type Reminder } from '#core/reminders.ts';
import { momentOf, type When } from '#core/when.ts';
import { SeededRandom } from '../simulator/random.ts';

export const SCOPE = deriveId('exports');
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
export const PEOPLE: NamedPeople = new Map([
  [1, 'Ada'],
  [2, 'Zoë, the "2nd"'],
]);

const WORDS = [
  'milk',
  'Größe',
  '買い物',
  '🏳️‍🌈 flag',
  'a,b;c',
  '"quoted"',
  "it's",
  '=SUM(A1)',
  '+1 555',
  '-minus',
  '@home',
  "'=x",
  '\\n back\\slash',
  '<b>&amp;</b>',
  '[[link]]',
  '[a](https://example.org/x?y=1)',
  '* star',
  '# hash',
  'TODO',
  '[#A] urgent',
  'COMMENT on it',
  'tag :a:b:',
  'x done',
  '2026-01-01',
  '(A) first',
  'due:2026-01-01',
  '+project',
  'rec:1w',
  'שלום',
  '%{y}',
  '_under_',
  '|bar|',
  '- [ ] box',
  'semi;colon',
  'ﬀ',
  '  wide  space ',
];
const LINES = [
  '',
  'plain line',
  '  indented',
  '* not a headline',
  ':PROPERTIES:',
  ':END:',
  'DEADLINE: <2026-01-01 Thu>',
  '#+END_SRC',
  '#+BEGIN_SRC',
  ',* comma',
  '- [ ] box',
  '- item',
  'END:VTODO',
  'BEGIN:VCALENDAR',
  'a "quoted, cell"',
  '=1+1',
  '</outline>',
  'a very long line '.repeat(12).trim(),
  'tab\there',
  '日本語のメモ',
  '🙂🙂🙂',
  '| a | b |',
  'Due: tomorrow',
  '\\',
];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC', 'Pacific/Auckland', '+02:00'];
const UNITS: readonly RepeatUnit[] = [
  'minutes',
  'hours',
  'days',
  'weeks',
  'months',
  'years',
  'nth-weekday',
  'nth-business-day-of-month',
  'nth-weekend-day-of-month',
];
const WEEKDAYS: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

class Drawing {
  readonly entities: ExportedEntity[] = [];
  readonly #random: SeededRandom;
  readonly #labels: Id[] = [];
  readonly #seed: number;
  #made = 0;
  #names = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
  }

  #id(): Id {
    this.#made += 1;
    return deriveId('exports', String(this.#seed), String(this.#made));
  }

  #text(most: number): string {
    const random = this.#random;
    return Array.from({ length: random.between(1, most) }, () => random.pick(WORDS)).join(' ');
  }

  /** Each once, so that lists can be told apart in formats that know names only. */
  #name(): string {
    this.#names += 1;
    return `${this.#random.chance(0.5) ? `${this.#text(2).trim()} ` : 'List'}${this.#names}`;
  }

  #notes(): string {
    const random = this.#random;
    return Array.from({ length: random.between(1, 6) }, () => random.pick(LINES)).join('\n');
  }

  #when(): When {
    const random = this.#random;
    const at = START + random.below(400) * DAY + random.below(DAY / 60_000) * 60_000;
    const day = new Date(at).toISOString();
    if (random.chance(0.4)) return { on: day.slice(0, 10) };
    if (random.chance(0.4)) return { local: day.slice(0, 16) };
    const fraction = random.chance(0.2) ? random.below(60_000) : 0;
    // One hour comes twice there.
    if (random.chance(0.1)) return { at: Date.UTC(2026, 9, 25, random.below(3), 30), zone: 'Europe/Berlin' };
    return { at: at + fraction, zone: random.pick(ZONES) };
  }

  #repeat(): RepeatRule {
    const random = this.#random;
    const unit = random.pick(UNITS);
    const isNth = unit.startsWith('nth');
    const days = WEEKDAYS.filter(() => random.chance(0.4));
    const weekdays = days.length === 0 ? WEEKDAYS.slice(0, 5) : days;
    const hasDays = unit === 'nth-weekday' || (unit === 'weeks' && random.chance(0.5));
    const hasMonthDays = unit === 'months' && random.chance(0.4);
    return {
      value: isNth ? random.pick([1, 2, 3, -1]) : random.between(1, 5),
      ...(isNth && random.chance(0.2) ? { also: [4] } : {}),
      unit,
      metadata: hasDays
        ? { weekdays: unit === 'nth-weekday' && random.chance(0.7) ? weekdays.slice(0, 1) : weekdays }
        : hasMonthDays
          ? { monthDays: [random.between(1, 31), 'last day'] }
          : null,
      from: random.pick(['due date', 'completion']),
      missed: random.chance(0.7) ? 'skip' : 'every',
      anchorDay: unit === 'months' && !hasMonthDays && random.chance(0.3) ? 31 : null,
    };
  }

  #reminder(): Reminder {
    const random = this.#random;
    return random.chance(0.5) ? { before: random.pick([0, 5, 90, 1_440, 2_880]) } : { when: this.#when() };
  }

  #add(
    type: DocumentType,
    fields: Record<string, unknown>,
    place: { parent: Id; key: string } | null,
    more: Partial<ExportedEntity> = {},
  ): Id {
    const id = more.id ?? this.#id();
    const createdAt = START - this.#random.below(500 * DAY);
    this.entities.push({ id, type, createdAt, fields, ...place, ...more });
    return id;
  }

  draw(): readonly ExportedEntity[] {
    const random = this.#random;
    const root = labelsRoot(SCOPE);
    const group = this.#add('labelGroup', { name: 'Size / kind' }, { parent: root, key: 'a1' });
    const urgent = this.#add(
      'labelGroup',
      { name: 'Priority', exclusive: true },
      { parent: root, key: 'a2' },
    );
    const names = ['errand', 'two words', 'semi;colon, comma', 'Größe', 'a/b', '@sign', '#hash', 'ARCHIVE'];
    for (const [at, name] of names.entries())
      this.#labels.push(
        this.#add('label', { name }, { parent: random.chance(0.3) ? group : root, key: `b${at}` }),
      );
    for (const [at, name] of ['p1', 'A', 'other'].entries())
      this.#labels.push(this.#add('label', { name }, { parent: urgent, key: `c${at}` }));
    const top = listsRoot(SCOPE);
    this.#list({ parent: top, key: 'a' }, { listType: 'inbox' }, inboxId(SCOPE));
    const folder = this.#add('list', { listType: 'folder', name: this.#name() }, { parent: top, key: 'b' });
    const inner = this.#add('list', { listType: 'folder', name: 'In / side' }, { parent: folder, key: 'a' });
    this.#list({ parent: inner, key: 'a' });
    this.#list({ parent: folder, key: 'b' });
    this.#list({ parent: top, key: 'c' }, { archivedAt: START });
    this.#list({ parent: top, key: 'd' }, {}, null, true);
    this.#add('list', { listType: 'smart', name: 'Smart', query: 'due:today' }, { parent: top, key: 'e' });
    return this.entities;
  }

  #list(
    place: { parent: Id; key: string },
    fields: Record<string, unknown> = {},
    id: Id | null = null,
    isShared = false,
  ): void {
    const random = this.#random;
    const isInbox = fields['listType'] === 'inbox';
    const name = isInbox ? {} : { name: this.#name() };
    const notes = random.chance(0.4) && !isInbox ? { notes: this.#notes() } : {};
    const list = this.#add('list', { listType: 'list', ...name, ...notes, ...fields }, place, {
      ...(id === null ? {} : { id }),
      ...(isShared ? { isShared: true as const } : {}),
    });
    if (random.chance(0.3) && !isInbox)
      this.#add('mine', { of: list, bookmarkedAt: START }, null, { id: mineId(SCOPE, list) });
    const parents: Id[] = [list];
    const count = random.between(1, 8);
    for (let at = 0; at < count; at += 1) {
      const parent = random.chance(0.5) ? (parents.at(-1) ?? list) : random.pick(parents);
      parents.push(this.#task({ parent, key: `a${String(at).padStart(3, '0')}` }));
    }
  }

  #task(place: { parent: Id; key: string }): Id {
    const random = this.#random;
    const maybe = (chance: number, make: () => Record<string, unknown>) =>
      random.chance(chance) ? make() : {};
    const due = maybe(0.6, () => ({ due: this.#when() }));
    const start = maybe(0.3, () => ({ start: this.#when() }));
    const hasDate = 'due' in due || 'start' in start;
    const labels = this.#labels.filter(() => random.chance(0.15));
    const task = this.#add(
      'task',
      {
        title: this.#text(4),
        ...maybe(0.4, () => ({ notes: this.#notes() })),
        ...due,
        ...start,
        ...(hasDate ? maybe(0.5, () => ({ repeat: this.#repeat() })) : {}),
        ...maybe(0.3, () => ({ duration: random.between(1, 3_000) })),
        ...maybe(0.3, () => ({ status: { done: START + random.below(DAY * 300) } })),
        ...maybe(0.2, () => ({ 'meta:a "key"': this.#text(2), 'meta:b': '1' })),
        ...maybe(0.1, () => ({ assignee: 2 })),
        ...maybe(0.05, () => ({ del: { at: START, by: 1 } })),
        ...Object.fromEntries(labels.map((label) => [`label:${label}`, true])),
      },
      place,
    );
    const mine = {
      ...maybe(0.2, () => ({ snooze: this.#when() })),
      ...maybe(0.2, () => ({ bookmarkedAt: START })),
      ...maybe(0.2, () => ({ collapsed: true })),
      ...maybe(0.3, () => {
        const reminder = this.#reminder();
        return { [registerOf(reminder)]: reminder };
      }),
    };
    if (Object.keys(mine).length > 0)
      this.#add('mine', { of: task, ...mine }, null, { id: mineId(SCOPE, task) });
    if (random.chance(0.1))
      this.#add('comment', { author: 1, text: 'Hello @[2],\nhow?' }, { parent: task, key: 'c' });
    if (random.chance(0.1)) this.#add('attachment', { name: 'a, b.pdf' }, { parent: task, key: 'd' });
    return task;
  }
}

/** The entities of an account. */
export const randomAccount = (seed: number): readonly ExportedEntity[] => new Drawing(seed).draw();

/** A date in a form in which equal ones are equal: seconds that are none are left out. */
export function plainWhen(when: When | null): unknown {
  if (when === null) return null;
  if ('local' in when) return { local: when.local.replace(/:00$/, '').padEnd(16, ':00') };
  return 'at' in when ? { at: momentOf(when, 'UTC'), zone: when.zone } : when;
}
