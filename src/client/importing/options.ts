// The lines of the rehearsal that can be turned on and off: the lists of the file, and the options that change anything in it.
import type { ImportOptions, PlanSummary } from './port.ts';
import type { Standing } from './standing.ts';
import type { RehearsalRow } from './view.ts';

/** Completed tasks come, priorities become labels; what is left out is said. */
const START: Omit<ImportOptions, 'without'> = {
  hasPriorities: true,
  hasCompleted: true,
  isInto: false,
  somedayIsList: false,
  topIsLists: false,
};

type Switch = keyof typeof START;

interface Offer {
  readonly name: Exclude<Switch, 'isInto'>;
  readonly text: string;
  readonly hint: string;
  readonly count: (summary: PlanSummary) => number;
}

const OFFERS: readonly Offer[] = [
  {
    name: 'hasPriorities',
    text: 'Priorities as labels',
    hint: 'In the group “Priority,” one for each task.',
    count: ({ offers }) => offers.priorities,
  },
  {
    name: 'hasCompleted',
    text: 'Completed tasks',
    hint: 'With the day they were completed, if the file has it.',
    count: ({ offers }) => offers.completed,
  },
  {
    name: 'somedayIsList',
    text: 'Someday as a list',
    hint: 'Otherwise they get the label “someday.”',
    count: ({ offers }) => offers.someday,
  },
  {
    name: 'topIsLists',
    text: 'Top items as lists',
    hint: 'Otherwise everything is one list.',
    count: ({ offers }) => offers.topItems,
  },
];

/** What the person has chosen so far. */
export class OptionRows {
  #options: ImportOptions = { ...START, without: [] };
  /** What is in the trash comes back. Null: not chosen. */
  restores: boolean | null = null;

  get options(): ImportOptions {
    return this.#options;
  }

  toggle(id: string): void {
    if (id === 'restores') {
      this.restores = this.restores !== true;
      return;
    }
    const [, list] = /^list (\d+)$/.exec(id) ?? [];
    const { without } = this.#options;
    if (list !== undefined) {
      const number = Number(list);
      const others = without.filter((other) => other !== number);
      this.#options = {
        ...this.#options,
        without: others.length < without.length ? others : [...without, number],
      };
      return;
    }
    if (id === 'isInto') {
      this.#options = { ...this.#options, isInto: !this.#options.isInto };
      return;
    }
    const offer = OFFERS.find(({ name }) => name === id);
    if (!offer) return;
    const isOn = !this.#options[offer.name];
    // Their numbers are those of other lists then.
    const moved = offer.name === 'topIsLists' || offer.name === 'somedayIsList' ? { without: [] } : {};
    this.#options = { ...this.#options, [offer.name]: isOn, ...moved };
  }

  rows(summary: PlanSummary, standing: Standing): readonly RehearsalRow[] {
    const lists = summary.lists.map((list, at): RehearsalRow => ({
      id: `list ${at}`,
      kind: 'list',
      text: list.isInbox ? 'Inbox' : list.name,
      hint: [
        ...(list.folders.length > 0 ? [`in ${list.folders.join(' / ')}`] : []),
        ...(list.isArchived ? ['archived'] : []),
      ].join(', '),
      count: list.tasks,
      state: list.isLeftOut
        ? 'left out'
        : summary.into !== null
          ? ''
          : list.isInbox || standing.known.has(standing.idOf(list.id))
            ? 'here'
            : 'new',
      isOn: !list.isLeftOut,
    }));
    const options = OFFERS.flatMap(({ name, text, hint, count }): readonly RehearsalRow[] => {
      const found = count(summary);
      if (found === 0) return [];
      return [{ id: name, kind: 'option', text, hint, count: found, state: '', isOn: this.#options[name] }];
    });
    const { trashed } = standing.counts;
    const { into } = summary.offers;
    const rows = into === null ? [...lists, ...options] : [...lists, this.#intoRow(into), ...options];
    if (trashed === 0) return rows;
    return [
      ...rows,
      {
        id: 'restores',
        kind: 'option',
        text: 'Restore from the trash',
        hint: 'Otherwise they stay there.',
        count: trashed,
        state: '',
        isOn: this.restores === true,
      },
    ];
  }

  #intoRow({ name, isShared }: NonNullable<PlanSummary['offers']['into']>): RehearsalRow {
    const who = isShared ? 'Everyone in the list sees it then. ' : '';
    return {
      id: 'isInto',
      kind: 'option',
      text: `Into “${name}”`,
      hint: `${who}Otherwise it becomes lists of its own.`,
      count: -1,
      state: '',
      isOn: this.#options.isInto,
    };
  }
}
