// Lines of the time machine by their number: the subject, the past outline, and later additions. Their words are in
// telling.ts.
import type { Id } from '#core/ids.ts';
import type { Difference } from './differences.ts';
import type { Travel } from './travel.ts';
import type { TimeLineView } from './view.ts';

export class Lines {
  readonly #travel: Travel;
  readonly #onlyDifferences: boolean;

  constructor(travel: Travel, onlyDifferences: boolean) {
    this.#travel = travel;
    this.#onlyDifferences = onlyDifferences;
  }

  /** Number of lines of the past outline. */
  get #count(): number {
    return this.#onlyDifferences ? this.#travel.around.length : this.#travel.length;
  }

  get length(): number {
    return 1 + this.#count + this.#travel.later.length;
  }

  kindAt(index: number): TimeLineView['kind'] {
    if (index === 0) return 'head';
    return index <= this.#count ? 'line' : 'later';
  }

  idAt(index: number): Id | null {
    const { root, later, around } = this.#travel;
    if (index <= 0) return root;
    const count = this.#count;
    if (index > count) return later[index - 1 - count] ?? null;
    return (this.#onlyDifferences ? around[index - 1] : this.#travel.at(index - 1)?.id) ?? null;
  }

  /** 0 for an id without a line. */
  indexOf(id: Id): number {
    const { later, around } = this.#travel;
    const line = this.#onlyDifferences ? around.indexOf(id) : this.#travel.indexOf(id);
    if (line >= 0) return line + 1;
    const came = later.indexOf(id);
    return came < 0 ? 0 : 1 + this.#count + came;
  }

  /** Changes since then on that line. */
  partsOf(index: number): readonly Difference[] {
    const id = this.idAt(index);
    return id === null || this.kindAt(index) === 'later' ? [] : this.#travel.differences(id);
  }
}
