// Labels in the palette: choosing one shows its tasks; the other key toggles it on the targets.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { quoted } from '../text/editor.ts';
import { queryOf } from '../labels/carriers.ts';
import { hotkeyOf, labelName } from '../labels/catalog.ts';
import { allLabels } from '../labels/label-scopes.ts';
import { plainColor } from '#core/model.ts';
import { type FoldedQuery, type Prepared, prepare, type Range, rankFolded } from '../search/ranking.ts';
import { closing, type Item, itemOf, type Ranked, type Reach, type Source } from './item.ts';

interface Known {
  readonly row: Row;
  readonly group: string;
  readonly prepared: Prepared;
}

export class LabelSource implements Source {
  readonly scopes = '#';
  readonly #reach: Reach;
  #labels: readonly Known[] | null = null;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  refresh(): void {
    this.#labels = null;
  }

  get #all(): readonly Known[] {
    const { program, names } = this.#reach;
    this.#labels ??= allLabels(program.replica).map(({ row, group: shelf }) => {
      const group = labelName(shelf ?? undefined);
      const own = names.of(`label.${row.id}`);
      const path = group === '' ? [] : [group];
      return { row, group, prepared: prepare({ title: labelName(row), aliases: [], own, path }) };
    });
    return this.#labels;
  }

  find(query: FoldedQuery): readonly Ranked[] {
    return this.#all.flatMap((label) => {
      const hit = rankFolded(query, label.prepared);
      if (!hit) return [];
      const item = this.#item(label, hit.matches);
      return [{ item, score: hit.score + this.#reach.habit(item.id) }];
    });
  }

  /** All of them, in their order. */
  every(): readonly Item[] {
    return this.#all.map((label) => this.#item(label, []));
  }

  #item({ row, group }: Known, matches: readonly Range[]): Item {
    const { program, commands, run } = this.#reach;
    const name = labelName(row);
    const canToggle = commands.get('label.toggle')?.when(program) === null;
    const count = program.workspace.targets().length;
    const whom = count === 1 ? 'the task' : `${count} tasks`;
    const toggle = {
      verb: `add to ${whom}, or remove`,
      run: closing(this.#reach, () => run('label.toggle', { label: row.id })),
    };
    return itemOf({
      id: `label.${row.id}`,
      title: name,
      hint: group === '' ? 'Label' : `Label in ${quoted(group)}`,
      icon: 'label',
      color: fieldOf(row, 'color') ?? plainColor,
      kind: 'Labels',
      keys: program.labelKeys.capsOf(hotkeyOf(program.replica, row)),
      matches,
      choose: closing(this.#reach, () => run('search.for', { query: queryOf(row) })),
      refine: {
        verb: 'look inside',
        run: () => this.#reach.look(row),
      },
      ...(canToggle ? { second: toggle } : {}),
    });
  }
}
