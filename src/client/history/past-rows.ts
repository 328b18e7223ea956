// The rows of the past outline as they would be drawn: the same facts as of the rows of now (outline/row-facts.ts), taken from
// the past.
import { sayRepeat } from '#core/dates/words.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { mineId, type Id } from '#core/ids.ts';
import { isReminderRegister } from '#core/reminders.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import type { RowView } from '../app/view.ts';
import type { DateContext } from '../clock/dates.ts';
import { RowFacts } from '../outline/row-facts.ts';
import type { Travel } from './travel.ts';

export class PastRows {
  readonly #travel: Travel;
  readonly #facts: RowFacts;

  constructor(travel: Travel, context: DateContext) {
    this.#travel = travel;
    const { past, scope } = travel.comparing;
    const mine = (id: Id): Row | undefined => past.row(mineId(scope, id));
    const registers = (id: Id) => Object.entries(registersOf(mine(id)));
    this.#facts = new RowFacts(
      {
        replica: past,
        children: travel.children,
        outline: {
          isTree: true,
          at: (index) => travel.at(index)?.id,
          levelAt: (index) => travel.at(index)?.level ?? 1,
          indexOf: (id) => travel.indexOf(id),
          positionOf: () => ({ index: 1, size: 1 }),
        },
        selection: { cursor: null, has: () => false },
        facts: {
          isCollapsed: () => false,
          hasFiles: (id) => past.children(id).some(({ type }) => type === 'attachment'),
          commentsOf: (id) =>
            past.children(id).filter((row) => row.type === 'comment' && !isTrashed(row)).length,
          bookmarks: { has: (id) => (fieldOf(mine(id), 'bookmarkedAt') ?? null) !== null },
          reminds: (id) => registers(id).some(([name, value]) => isReminderRegister(name) && value !== null),
          ownLabelsOf: (id) =>
            registers(id).flatMap(([name, value]) =>
              value === true && name.startsWith('label:') ? [name.slice('label:'.length) as Id] : [],
            ),
        },
        away: { snoozedUntil: (id) => fieldOf(mine(id), 'snooze') ?? null },
        isTrash: false,
      },
      context,
    );
    this.#facts.sayWith(sayRepeat);
  }

  /** Null: it is no task, or does not stand in the outline then. Nothing in it is late: that was then. */
  of(id: Id): RowView | null {
    const { past } = this.#travel.comparing;
    const index = this.#travel.indexOf(id);
    if (index < 0 || past.row(id)?.type !== 'task') return null;
    const row = this.#facts.rowAt(index, null, []);
    const below = this.#travel.children.of(id).items.filter((item) => past.row(item.id)?.type === 'task');
    return {
      ...row,
      due: row.due && { ...row.due, overdue: false },
      dueTone: row.done ? 'done' : 'later',
      childCount: below.length,
      childrenDone: below.filter(({ done }) => done).length,
    };
  }
}
