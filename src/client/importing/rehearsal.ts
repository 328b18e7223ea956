// The rehearsal of an import: what files hold, what they would become here, what has no place, and the options; on Enter it is made.
// Nothing is written before. Reading and planning happen in the platform's importer; web/dialogs/importing draws it.
import type { Loss } from '#core/formats/import/shape.ts';
import type { Program } from '../app/program.ts';
import { movedTo, moveOf } from '../dialogs/list-cursor.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { whyNot } from '../transfer/importing.ts';
import { contextOf, isThere, openList } from './context.ts';
import type { Id } from '#core/ids.ts';
import { type Made, makeImport } from './making.ts';
import { OptionRows } from './options.ts';
import type { Importer, PlanSummary, ReadAnswer } from './port.ts';
import { countTasks, roomProblem } from './room.ts';
import { counted, entitiesSaid, figure, leadOf, leftLines, reportText, saidOfLoss } from './report.ts';
import { sampleOf } from './sample.ts';
import { Standing } from './standing.ts';
import type { RehearsalAction, RehearsalLoss, RehearsalView } from './view.ts';

/** Entities compared in one go: a few milliseconds. */
const PORTION = 400;
const MOST_LOSSES = 40;

const BY_KEY: Readonly<Record<string, RehearsalAction>> = {
  'options.choose': { action: 'import' },
  'import.toggle': { action: 'toggle' },
  'import.report': { action: 'report' },
};

/** A plan, and how it stands to what is here. */
interface Reckoned {
  readonly summary: PlanSummary;
  readonly standing: Standing;
  /** Why it can't be made now; null: it can. */
  readonly refusal: string | null;
}

/** What is imported: quoted names of files, and what reads them. */
export interface Given {
  readonly name: string;
  readonly importer: Importer;
}

export class Rehearsal implements OpenDialog {
  readonly type = 'rehearsal';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #given: Given;
  readonly #options = new OptionRows();
  #step: RehearsalView['step'] = 'reading';
  #progress = 0;
  #reckoned: Reckoned | null = null;
  #problem: string | null = null;
  /** What was chosen beside, and does not come. */
  #beside: readonly string[] = [];
  #active = 0;
  /** Counts plans: an older one that is still under way is dropped. */
  #plans = 0;
  #isPlanning = false;
  #isStopped = false;
  /** The list that was open as the files were given. */
  readonly #openList: Id | null;

  constructor(program: Program, given: Given) {
    this.#program = program;
    this.#given = given;
    this.#openList = openList(program);
  }

  /** How far reading is, from 0 to 1. */
  hear(progress: number): void {
    if (this.#step !== 'reading') return;
    this.#progress = progress;
    this.refresh();
  }

  /** The files were read and hold tasks: plans them, and shows what would come. */
  async open({ problems, texts }: ReadAnswer): Promise<void> {
    this.#beside = [
      ...problems,
      ...texts.map(({ name }) => `${name} has lines of text, or comes from Posthaste. Import it by itself.`),
    ];
    await this.#plan();
  }

  leave(): void {
    this.#plans += 1;
    if (this.#step !== 'importing') this.#given.importer.end();
  }

  /** Escape stops an import between two batches. */
  clearFilter(): boolean {
    if (this.#step !== 'importing') return false;
    this.#isStopped = true;
    return true;
  }

  byKey(command: string): RehearsalAction | null {
    if (this.#step !== 'shown') return null;
    const to = moveOf(command);
    return to === null ? (BY_KEY[command] ?? null) : { action: 'move', to };
  }

  submit(action: RehearsalAction): void {
    switch (action.action) {
      case 'move':
        this.#active = movedTo(this.#active, this.#rows.length, action.to);
        break;
      case 'choose':
        this.#active = action.index;
        break;
      case 'toggle':
        this.#active = action.index ?? this.#active;
        this.#toggle();
        break;
      case 'import':
        this.#import();
        return;
      case 'stop':
        this.#isStopped = true;
        return;
      case 'keep':
        this.#program.dialog.close();
        return;
      case 'takeBack':
        this.#program.dialog.close();
        this.#program.run('edit.undo');
        return;
      case 'report':
        this.#saveReport();
        return;
    }
    this.refresh();
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'rehearsal', rehearsal: this.#view() });
  }

  /** The list that it goes into was deleted meanwhile, or its person is no longer in it. */
  get #isIntoGone(): boolean {
    const into = this.#reckoned?.summary.into ?? null;
    return into !== null && !isThere(this.#program, into.id);
  }

  get #goneList(): string {
    return `“${this.#reckoned?.summary.into?.name ?? ''}” was deleted, or you’re no longer in it.`;
  }

  get #rows() {
    return this.#reckoned === null ? [] : this.#options.rows(this.#reckoned.summary, this.#reckoned.standing);
  }

  #toggle(): void {
    const row = this.#rows[this.#active];
    if (row === undefined) return;
    this.#options.toggle(row.id);
    void this.#plan();
  }

  async #plan(): Promise<void> {
    const program = this.#program;
    const { importer } = this.#given;
    this.#plans += 1;
    const number = this.#plans;
    const isOver = () => number !== this.#plans || !program.dialog.isOf(this);
    this.#isPlanning = true;
    try {
      const planned = await importer.plan(this.#options.options, contextOf(program, this.#openList));
      if (isOver()) return;
      if (!planned.ok) {
        this.#shown(null, planned.problem);
        return;
      }
      const standing = await this.#compare(planned.value.size, isOver);
      if (standing === null) return;
      const more = standing.counts.fresh + standing.restored;
      const refusal = more === 0 ? null : roomProblem(countTasks(program.replica.all()), more);
      this.#shown({ summary: planned.value, standing, refusal }, null);
    } catch (error) {
      if (!isOver()) this.#shown(null, error instanceof Error ? error.message : String(error));
    }
  }

  /** Null: another plan has begun. */
  async #compare(size: number, isOver: () => boolean): Promise<Standing | null> {
    const { replica } = this.#program;
    let standing = new Standing(replica, { restores: this.#options.restores ?? false });
    for (let from = 0; from < size; from += PORTION) {
      // oxlint-disable-next-line no-await-in-loop -- Between two portions the page draws and answers keys.
      const portion = await this.#given.importer.portion(from, PORTION);
      if (isOver()) return null;
      standing.add(portion);
    }
    standing.finish();
    const { trashed, fresh, same, updated, left } = standing.counts;
    // All of it was deleted here, or its import undone: who imports it again wants it back.
    if (this.#options.restores === null && trashed > 0 && fresh + same + updated + left === 0) {
      this.#options.restores = true;
      standing = (await this.#compare(size, isOver)) ?? standing;
    }
    return isOver() ? null : standing;
  }

  #shown(reckoned: Reckoned | null, problem: string | null): void {
    const program = this.#program;
    program.act(() => {
      const isFirst = this.#step === 'reading';
      const activeId = this.#rows[this.#active]?.id;
      this.#reckoned = reckoned;
      this.#problem = problem;
      this.#isPlanning = false;
      this.#step = 'shown';
      // Another plan may have other lists: the line stays the same.
      const at = this.#rows.findIndex(({ id }) => id === activeId);
      this.#active = at < 0 ? Math.min(this.#active, Math.max(0, this.#rows.length - 1)) : at;
      this.refresh();
      const view = this.#view();
      if (isFirst) program.messages.announce([view.lead, ...view.notes].join(' '));
      else program.messages.announce(view.action);
    });
  }

  #import(): void {
    const program = this.#program;
    const reckoned = this.#reckoned;
    if (this.#step !== 'shown' || reckoned === null || this.#isPlanning) return;
    const { standing, summary, refusal } = reckoned;
    if (standing.actions.length === 0 || refusal !== null) return;
    if (this.#isIntoGone) {
      program.say(`${this.#goneList} Nothing was imported: choose again where it goes.`, { error: true });
      this.#options.toggle('isInto');
      void this.#plan();
      this.refresh();
      return;
    }
    this.#step = 'importing';
    this.#progress = 0;
    // From here on the files are not needed.
    this.#given.importer.end();
    makeImport(program, standing.actions, {
      label: `imported ${this.#given.name}`,
      goesOn: () => !this.#isStopped && !this.#isIntoGone,
      progress: (share) => this.#showProgress(share),
      done: (made) => this.#done(made, summary, standing),
    });
    if (this.#step === 'importing') this.refresh();
  }

  /** In the dialog; once that was closed, in the status line. */
  #showProgress(share: number): void {
    this.#progress = share;
    const { dialog, messages } = this.#program;
    if (dialog.isOf(this)) {
      this.refresh();
      return;
    }
    const text = `Importing in the background: ${Math.floor(share * 100)} %`;
    messages.show({ text, undo: false, tone: 'info' }, { silent: true });
  }

  #done({ done, refused, why }: Made, summary: PlanSummary, standing: Standing): void {
    const program = this.#program;
    const isHere = program.dialog.isOf(this);
    program.sidebar.invalidate();
    if (done < standing.actions.length) {
      this.#step = 'stopped';
      this.#progress = done / standing.actions.length;
      if (isHere) this.refresh();
      const why = this.#isIntoGone ? `The import was stopped. ${this.#goneList}` : 'The import was stopped.';
      program.say(why, { undo: true });
      return;
    }
    this.#step = 'shown';
    if (isHere) program.dialog.close();
    if (refused > 0) {
      const problems = [`${counted(refused, 'change')} couldn’t be made${whyNot(why)}.`];
      program.dialog.show({ type: 'import', busy: false, progress: 1, problems });
    }
    const list = summary.lists.find(({ isLeftOut, tasks }) => !isLeftOut && tasks > 0);
    program.say(saidOf(standing), { undo: true });
    // Drawing a list is work enough for a frame of its own.
    if (list !== undefined && isHere)
      program.later(() => program.open({ type: 'list', id: standing.idOf(list.id) }));
  }

  #saveReport(): void {
    const reckoned = this.#reckoned;
    if (reckoned === null) return;
    const { summary, standing } = reckoned;
    const { counts, left } = standing;
    const restores = this.#options.restores ?? false;
    const text = reportText(this.#given.name, { summary, counts, left, restores });
    this.#program.platform.saveFile('Import report.md', 'text/markdown', text);
    this.#program.say('Saved the report.');
  }

  #view(): RehearsalView {
    // While it is under way, only how far it is.
    const reckoned = this.#step === 'shown' ? this.#reckoned : null;
    const rows = reckoned === null ? [] : this.#rows;
    const base = {
      step: this.#step,
      progress: this.#progress,
      name: this.#given.name,
      rows,
      active: this.#active,
      isPlanning: this.#isPlanning,
    };
    if (reckoned === null)
      return {
        ...base,
        lead: '',
        tiles: [],
        losses: [],
        notes: this.#problem === null ? [] : [this.#problem],
        sample: null,
        action: '',
      };
    const { summary, standing, refusal } = reckoned;
    return {
      ...base,
      lead: leadOf(summary),
      tiles: tilesOf(summary, standing),
      losses: summary.losses.slice(0, MOST_LOSSES).map(lossOf),
      notes: [
        ...(refusal === null ? [] : [refusal]),
        ...leftLines(standing.left),
        ...againLines(summary, standing),
        ...summary.notes,
        ...this.#beside,
      ],
      sample: sampleOf(this.#program, { summary, row: rows[this.#active] }),
      action: refusal === null ? actionOf(standing) : '',
    };
  }
}

function tilesOf(summary: PlanSummary, { counts }: Standing): RehearsalView['tiles'] {
  const { fresh, same, updated, left, trashed, skipped, entities, moved } = counts;
  const tiles: readonly (readonly [value: number, text: string, always?: true])[] = [
    [fresh, fresh === 1 ? 'new task' : 'new tasks', true],
    [same + left, 'already here'],
    [updated + entities, 'changed in the file'],
    [moved, 'in another order'],
    [trashed + skipped, 'in the trash'],
    [summary.labels, summary.labels === 1 ? 'label' : 'labels', true],
    [summary.completed, 'completed'],
  ];
  return tiles.flatMap(([value, text, always]) => (value > 0 || always ? [{ value, text }] : []));
}

const lossOf = (loss: Loss): RehearsalLoss => ({
  ...saidOfLoss(loss),
  isGone: loss.becomes === 'nowhere',
  examples: loss.examples,
});

/** What another import of the same files would do. */
function againLines({ unfound, tasks }: PlanSummary, { counts }: Standing): readonly string[] {
  if (unfound === 0) return [];
  const which = unfound === tasks ? 'Tasks in this file have' : `${figure(unfound)} tasks have`;
  const again = counts.same + counts.updated + counts.left > 0 ? ' They come again.' : '';
  return [`${which} no id of their own, so importing it twice makes them twice.${again}`];
}

function actionOf(standing: Standing): string {
  const { fresh, updated } = standing.counts;
  if (standing.actions.length === 0) return '';
  if (fresh > 0) return `Import ${counted(fresh, 'task')}`;
  return updated > 0 ? `Update ${counted(updated, 'task')}` : 'Import';
}

function saidOf(standing: Standing): string {
  const { fresh, updated, left, entities, moved } = standing.counts;
  const restored = standing.restored;
  const parts = [
    ...(fresh > 0 ? [`Added ${counted(fresh, 'task')}.`] : []),
    ...(updated > 0 ? [`Updated ${counted(updated, 'task')}.`] : []),
    ...(entities > 0 ? [`Updated ${entitiesSaid(entities)}.`] : []),
    ...(moved > 0 ? [`Moved ${counted(moved, 'thing')}.`] : []),
    ...(restored > 0 ? [`Restored ${counted(restored, 'task')}.`] : []),
    ...(left > 0 ? [`Left ${counted(left, 'task')} as changed here.`] : []),
  ];
  return parts.length === 0 ? 'Imported.' : parts.join(' ');
}
