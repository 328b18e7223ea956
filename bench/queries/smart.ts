// Smart lists that follow edits: what one of them takes for an edit while it is open over nearly all tasks, what fifty with
// counts take, and how long the app is busy at a stretch while fifty are counted for the first time.
import { plainContext } from '#core/dates/plain-context.ts';
import type { Id } from '#core/ids.ts';
import { Children } from '#client/outline/children.ts';
import { Facts } from '#client/outline/row-index.ts';
import { DayHeadings } from '#client/query/day-headings.ts';
import { SmartLists } from '#client/query/smart-lists.ts';
import { SmartOutline } from '#client/query/smart-outline.ts';
import type { Action } from '#sync/rows/operation.ts';
import { Asking } from '#sync/query/asking.ts';
import { zoneClock } from '#sync/query/slot-test.ts';
import { TaskIndex } from '#sync/query/task-index.ts';
import type { World } from '#sync/query/world.ts';
import type { Row } from '#sync/rows/row.ts';
import { createFacade } from '#sync/exchange/facade.ts';
import { openReplica } from '../engine/replication.ts';
import { cpuMs, newId, scope } from '../engine/subject.ts';
import { type Distribution, distributionOf } from '../statistics.ts';
import type { Rich } from './rows.ts';

const PORTION_MS = 5;
const LISTS = 50;

/** Of all kinds; the first matches nearly all tasks. */
function queryOf(at: number): string {
  const kinds = [
    () => 'is:incomplete sort:due-date',
    () => 'is:due sort:due-date',
    () => `due:<="in ${at} days" -is:snoozed`,
    () => `in:"List ${at}" is:incomplete`,
    () => `label:"Label ${at % 8}" -has:notes sort:alphabetically`,
    () => `the no.${at}`,
    () => 'is:overdue OR label:"Label 3"',
    () => `created:"last ${at} days" is:leaf`,
    () => `duration:<=${at}m start:any`,
    () => `is:incomplete has:due limit:${at + 10} sort:due-date`,
  ];
  return (kinds[at % kinds.length] as () => string)();
}

export interface SmartTimes {
  readonly lists: number;
  readonly edit: Distribution;
  /** Until all lists are counted, and the portions of that; milliseconds of a core. */
  readonly counted: number;
  readonly portions: Distribution;
}

function smartRow(at: number, index: number): Row {
  const fields = {
    listType: 'smart' as const,
    name: `Smart ${at}`,
    query: queryOf(at),
    place: { parent: scope, key: `s${index}` },
  };
  const now = Date.now();
  return {
    id: newId(),
    type: 'list',
    scope,
    version: 1,
    fields,
    stamp: [1, now, 0, 1],
    createdAt: now,
    updatedAt: now,
  };
}

const days = new DayHeadings({
  today: Temporal.Now.plainDateISO('Europe/Berlin'),
  clock: zoneClock('Europe/Berlin'),
  locale: 'en-GB',
  weekStart: 1,
  evening: 18,
});

export function timeSmart({ rows }: Rich, lists: 1 | typeof LISTS, edits: number): SmartTimes {
  const smartRows = Array.from({ length: lists }, (_, at) => smartRow(at, at));
  const replica = createFacade(openReplica([...rows, ...smartRows]), () => undefined);
  const children = new Children(replica);
  const facts = new Facts(replica);
  const index = new TaskIndex(replica);
  index.readSome(Number.MAX_SAFE_INTEGER);
  const world: World = {
    replica,
    index,
    facts,
    showsSnoozed: () => false,
    people: () => [],
    account: 0,
    context: () => plainContext(Date.now(), 'Europe/Berlin'),
  };
  const smart = new SmartLists(new Asking(world));
  const open = smartRows[0]?.id as Id;
  const portions = count(smart, open);
  const outline = new SmartOutline({
    replica,
    index,
    children,
    isCollapsed: (id) => facts.isCollapsed(id),
    list: open,
    live: () => smart.list(open),
    nested: () => true,
    duplicates: () => true,
    held: () => null,
    days: () => days,
  });
  const spent: number[] = [];
  replica.subscribe((changes) => {
    facts.apply(changes);
    children.apply(changes);
    index.apply(changes);
    const startedAt = performance.now();
    smart.apply(changes);
    outline.update(changes, smart.takeTouched(open));
    for (const { id } of smartRows) smart.countOf(id);
    spent.push(performance.now() - startedAt);
  });
  const tasks = rows.filter(({ type }) => type === 'task').map(({ id }) => id);
  for (let at = 0; at < edits; at += 1) replica.issue([editOf(tasks[(at * 7_919) % tasks.length] as Id, at)]);
  const edit = distributionOf(spent.slice(edits >> 2));
  return { lists, edit, counted: portions.reduce((a, b) => a + b, 0), portions: distributionOf(portions) };
}

/** As the app counts them: portion by portion. */
function count(smart: SmartLists, open: Id): number[] {
  const portions: number[] = [];
  const work = (step: () => void) => {
    const before = cpuMs();
    const startedAt = performance.now();
    step();
    // What the system says of processors comes in steps of some milliseconds; no stretch is longer than the clock says.
    portions.push(Math.min(cpuMs() - before, performance.now() - startedAt));
  };
  work(() => smart.begin());
  smart.list(open)?.watch();
  for (let isDone = false; !isDone;) {
    const end = Date.now() + PORTION_MS;
    work(() => {
      isDone = smart.renew(() => Date.now() >= end, open);
    });
  }
  return portions;
}

function editOf(id: Id, at: number): Action {
  const set = (field: string, value: unknown) => ({ a: 'set', id, field, value }) as Action;
  switch (at % 4) {
    case 0:
      return set('title', `The renamed one no.${at}`);
    case 1:
      return set('due', { on: `2027-0${(at % 9) + 1}-15` });
    case 2:
      return set('status', { done: Date.now() });
    default:
      return set('status', null);
  }
}
