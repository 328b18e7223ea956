// Turns what files of other programs hold into what will be here: folders, lists, labels and tasks with their registers and ids,
// parents first. Pure; of what is here it knows the labels (standing.ts compares the rest).
import type { ImportedFile, ImportedFolder, ImportedList, ImportedTask } from '#core/formats/import/shape.ts';
import { fitTitle } from '#core/formats/import/fit.ts';
import { deriveId, type Id, listsRoot } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { fold } from '#core/search/fold.ts';
import { fitName } from '../text/fitting.ts';
import { moreNotes } from '../text/long-text.ts';
import { writeEntityMark } from './digest.ts';
import { plannedEntity, PlannedLabels } from './planned-labels.ts';
import { planTask, type PlannedTask, type TaskPlanner } from './planned-task.ts';
import type {
  ImportOptions,
  IntoList,
  PlanContext,
  Planned,
  PlannedList,
  PlanSummary,
  SampleTask,
} from './port.ts';

/** Tasks of a list that the rehearsal shows. */
const SAMPLED = 20;
/** Formats of outlines, whose top items may be lists. */
const OUTLINES = /opml|outline|workflowy|dynalist/i;
const SOMEDAY = 'someday';

/** A plan: its entities in the order in which they are made, and its numbers. */
export interface ImportPlan {
  readonly entities: readonly Planned[];
  readonly summary: PlanSummary;
}

/** The ids of what has none in its file, kept while options change. */
export type FreshIds = (of: object) => Id;

interface Step {
  readonly task: ImportedTask;
  readonly parent: Id;
  /** From 1. */
  readonly level: number;
}

type OpenList = { -readonly [Name in keyof PlannedList]: PlannedList[Name] } & {
  readonly sample: SampleTask[];
};

class Planning {
  readonly #file: ImportedFile;
  readonly #options: ImportOptions;
  readonly #context: PlanContext;
  readonly #freshId: FreshIds;
  readonly #planner: TaskPlanner;
  /** Null: everything gets lists of its own. */
  readonly #into: IntoList | null;
  readonly #tasks: Planned[] = [];
  readonly #lists: Planned[] = [];
  readonly #folders = new Map<string, Id>();
  readonly #open: OpenList[] = [];
  /** Ids of the file that were given out: of two tasks with one, the second gets a fresh one. */
  readonly #given = new Set<string>();
  readonly #someday = new Set<ImportedTask>();
  #completed = 0;
  #unfound = 0;
  #hasSeveral = false;
  #leftOut = 0;

  constructor(
    file: ImportedFile,
    { options, context, freshId }: { options: ImportOptions; context: PlanContext; freshId: FreshIds },
  ) {
    this.#file = file;
    this.#options = options;
    this.#context = context;
    this.#freshId = freshId;
    this.#into = options.isInto ? (context.into ?? null) : null;
    this.#planner = {
      labels: new PlannedLabels(context, this.#into),
      options,
      labelsOfFile: new Map(file.labels.map((label) => [label.key, label])),
      someday: somedayKeys(file),
      now: context.phrase.now,
    };
  }

  run(): ImportPlan {
    const { lists } = this.#file;
    const all = this.#options.topIsLists && isOneOutline(this.#file) ? lists.flatMap(topAsLists) : lists;
    this.#hasSeveral = all.length - this.#options.without.length > 1;
    for (const list of all) this.#list(list);
    this.#hasSeveral ||= this.#someday.size > 0;
    if (this.#someday.size > 0) this.#list(somedayList([...this.#someday]));
    const entities = [
      ...this.#planner.labels.made,
      ...this.#planner.labels.again,
      ...this.#lists,
      ...this.#tasks,
    ];
    return { entities, summary: this.#summary(entities.length) };
  }

  #list(list: ImportedList): void {
    const { inbox, scope } = this.#context;
    const number = this.#open.length;
    const isLeftOut = this.#options.without.includes(number);
    const name = fitName(list.name.trim()).text || 'Imported';
    const { folders, isInbox, archivedAt } = list;
    const into = this.#into;
    const id = into !== null ? into.id : isInbox ? inbox : this.#idOf(list, list.id);
    this.#open.push({
      id,
      name,
      folders: folders.map((folder) => folder.name),
      tasks: isLeftOut ? countOf(list.tasks) : 0,
      isInbox,
      isLeftOut,
      isArchived: archivedAt !== null,
      sample: [],
    });
    if (isLeftOut) {
      this.#leftOut += 1;
      return;
    }
    if (into !== null) {
      const tops =
        this.#hasSeveral && !isInbox && list.tasks.length > 0 ? [headingOf(list, name)] : list.tasks;
      this.#walk(tops, { id, number });
      return;
    }
    if (!isInbox) {
      const notes = list.notes === '' ? {} : { notes: list.notes };
      const archived = archivedAt === null ? {} : { archivedAt };
      this.#lists.push(
        plannedEntity({
          id,
          type: 'list',
          parent: this.#folder(folders, listsRoot(scope)),
          fields: { listType: 'list', name, ...notes, ...archived },
          mine: list.isBookmarked ? { bookmarkedAt: this.#planner.now } : null,
          isFound: list.id !== null,
          mark: list.id === null ? null : writeEntityMark({ name, notes: list.notes }),
          list: number,
        }),
      );
    }
    this.#walk(list.tasks, { id, number });
  }

  #folder(folders: readonly ImportedFolder[], root: Id): Id {
    let parent = root;
    let path = '';
    for (const folder of folders) {
      path += `/${folder.id ?? fold(folder.name.trim())}`;
      const known = this.#folders.get(path);
      const id = known ?? this.#derived(folder.id ?? `${this.#file.kind} folder ${path}`);
      if (known === undefined) {
        this.#folders.set(path, id);
        const called = fitName(folder.name.trim()).text || 'Untitled';
        const fields = { listType: 'folder', name: called };
        // Without an id it is known by its name.
        const mark = writeEntityMark(folder.id === null ? {} : { name: called });
        this.#lists.push(plannedEntity({ id, type: 'list', parent, fields, mark }));
      }
      parent = id;
    }
    return parent;
  }

  /** Derived where the file has an id for it, so that every import of it makes the same; else fresh. */
  #idOf(of: object, own: string | null): Id {
    if (own === null || this.#given.has(own)) return this.#freshId(of);
    this.#given.add(own);
    return this.#derived(own);
  }

  #derived(own: string): Id {
    const { inbox, turn = 0 } = this.#context;
    // In a list it is another thing than in the account, and the same for everybody in that list.
    if (this.#into !== null) return deriveId('import into', this.#into.id, own, String(turn));
    return turn === 0 ? deriveId('import', inbox, own) : deriveId('import', inbox, own, String(turn));
  }

  /** Every task below, parents first. Deep trees are no recursion. */
  #walk(tops: readonly ImportedTask[], { id, number }: { readonly id: Id; readonly number: number }): void {
    const waiting: Step[] = [];
    const push = (tasks: readonly ImportedTask[], parent: Id, level: number) => {
      for (let at = tasks.length - 1; at >= 0; at -= 1) {
        const task = tasks[at];
        if (task) waiting.push({ task, parent, level });
      }
    };
    push(tops, id, 1);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { task, level } = next;
      if (this.#isForSomeday(task)) {
        this.#someday.add(task);
        continue;
      }
      if (task.done !== null && !this.#options.hasCompleted && !hasOpen(task)) continue;
      const id = this.#task(next, number);
      // Below the deepest level things stand beside each other.
      push(task.children, level < limits.depth ? id : next.parent, Math.min(level + 1, limits.depth));
    }
  }

  /** It goes to the list of such tasks, and is not there yet. */
  #isForSomeday(task: ImportedTask): boolean {
    const { someday } = this.#planner;
    return (
      this.#options.somedayIsList && task.labels.some((key) => someday.has(key)) && !this.#someday.has(task)
    );
  }

  #task({ task, parent, level }: Step, number: number): Id {
    const isFound = task.id !== null && !this.#given.has(task.id);
    const id = this.#idOf(task, task.id);
    const planned = planTask(task, { isFound, parent }, this.#planner);
    const { fields, mine, createdAt } = planned;
    this.#tasks.push({
      id,
      type: 'task',
      mark: null,
      parent,
      fields,
      mine,
      createdAt,
      isFound,
      list: number,
    });
    if (!isFound) this.#unfound += 1;
    if (task.done !== null) this.#completed += 1;
    const open = this.#open[number];
    if (open) {
      open.tasks += 1;
      if (open.sample.length < SAMPLED) open.sample.push(this.#sample(task, level, planned));
    }
    const under = level < limits.depth ? id : parent;
    this.#more(id, planned.rest, { isFound, list: number, parent: under });
    return id;
  }

  #sample(task: ImportedTask, level: number, { fields }: PlannedTask): SampleTask {
    return {
      title: task.title,
      level,
      isDone: task.done !== null,
      hasNotes: fields['notes'] !== undefined,
      labels: [
        ...(task.priority !== null && this.#options.hasPriorities ? [task.priority] : []),
        ...task.labels.flatMap((key) => this.#planner.labelsOfFile.get(key)?.name ?? []),
      ],
      due: task.due,
    };
  }

  /** Notes that do not fit into one task go on in subtasks. */
  #more(
    task: Id,
    rest: string,
    { isFound, list, parent }: Pick<Planned, 'isFound' | 'list' | 'parent'>,
  ): void {
    let number = 0;
    const nextId = () => deriveId('import more', task, String((number += 1)));
    for (const action of moreNotes(task, rest, nextId)) {
      if (action.a !== 'create') continue;
      const { id, fields } = action;
      this.#tasks.push({
        id,
        type: 'task',
        mark: null,
        parent,
        fields,
        mine: null,
        createdAt: null,
        isFound,
        list,
      });
    }
  }

  #summary(size: number): PlanSummary {
    const { all, fresh } = this.#planner.labels.counts;
    const { into } = this.#context;
    return {
      kind: this.#file.kind,
      tasks: this.#tasks.length,
      completed: this.#completed,
      labels: all,
      newLabels: fresh,
      folders: this.#folders.size,
      lists: this.#open,
      leftOut: this.#leftOut,
      losses: this.#file.losses,
      notes: this.#file.remarks,
      size,
      unfound: this.#unfound,
      offers: {
        ...offersOf(this.#file, this.#planner.someday),
        into: into === undefined ? null : { name: into.name, isShared: into.isShared },
      },
      into: this.#into === null ? null : { id: this.#into.id, name: this.#into.name },
    };
  }
}

const somedayKeys = ({ labels }: ImportedFile): ReadonlySet<string> =>
  new Set(labels.flatMap(({ key, name }) => (fold(name.trim()) === SOMEDAY ? [key] : [])));

/** An outline is one list, named by its file. */
const isOneOutline = ({ formats, lists }: ImportedFile) =>
  lists.length === 1 && formats.every((format) => OUTLINES.test(format));

/** Top items with items under them as lists; the others stay in the one list. */
function topAsLists(list: ImportedList): readonly ImportedList[] {
  const single = list.tasks.filter(({ children }) => children.length === 0);
  const made = list.tasks
    .filter(({ children }) => children.length > 0)
    .map((task): ImportedList => ({
      ...list,
      // As a task it has another id, and is another thing.
      id: task.id === null ? null : `${task.id} list`,
      name: task.title === '' ? 'Untitled' : task.title,
      notes: task.notes,
      isBookmarked: task.isBookmarked,
      tasks: task.children,
    }));
  return single.length === 0 ? made : [...made, { ...list, tasks: single }];
}

const somedayList = (tasks: readonly ImportedTask[]): ImportedList => ({
  id: SOMEDAY,
  name: 'Someday',
  folders: [],
  notes: '',
  isInbox: false,
  archivedAt: null,
  isBookmarked: false,
  color: null,
  tasks,
});

const headings = new WeakMap<ImportedList, ImportedTask>();

/** A list as a task of the list that all goes into, with its tasks under it. */
function headingOf(list: ImportedList, name: string): ImportedTask {
  const known = headings.get(list);
  if (known) return known;
  const { id, folders, notes, archivedAt, isBookmarked, tasks } = list;
  const made: ImportedTask = {
    id: id === null ? null : `${id} heading`,
    title: fitTitle([...folders.map((folder) => folder.name), name].join(' / ')).text,
    notes,
    done: archivedAt === null ? null : { at: archivedAt },
    createdAt: null,
    due: null,
    start: null,
    snooze: null,
    repeat: null,
    scalars: {},
    priority: null,
    isHeading: true,
    labels: [],
    reminders: [],
    metadata: {},
    isCollapsed: false,
    isBookmarked,
    children: tasks,
  };
  headings.set(list, made);
  return made;
}

function* everyTask(tops: readonly ImportedTask[]): Generator<ImportedTask> {
  const waiting = [...tops];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const child of next.children) waiting.push(child);
  }
}

function countOf(tops: readonly ImportedTask[]): number {
  let count = 0;
  for (const _ of everyTask(tops)) count += 1;
  return count;
}

function hasOpen(task: ImportedTask): boolean {
  for (const each of everyTask(task.children)) if (each.done === null) return true;
  return false;
}

function offersOf(file: ImportedFile, somedayOf: ReadonlySet<string>): Omit<PlanSummary['offers'], 'into'> {
  const counts = { priorities: 0, completed: 0, someday: 0, topItems: 0 };
  for (const list of file.lists)
    for (const task of everyTask(list.tasks)) {
      if (task.priority !== null) counts.priorities += 1;
      if (task.done !== null) counts.completed += 1;
      if (task.labels.some((key) => somedayOf.has(key))) counts.someday += 1;
    }
  const [outline] = isOneOutline(file) ? file.lists : [];
  counts.topItems = outline?.tasks.filter(({ children }) => children.length > 0).length ?? 0;
  return counts;
}

/** Plans an import. Linear in its tasks. */
export function planImport(
  file: ImportedFile,
  given: { readonly options: ImportOptions; readonly context: PlanContext; readonly freshId: FreshIds },
): ImportPlan {
  return new Planning(file, given).run();
}
