// What can be done with the task at the cursor or the selected ones, under their name: what “More” leads to. Typing narrows
// it to what fits; other commands follow, and the way to everything there is.
import { counted } from '#core/counted.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { Everything } from './everything.ts';
import { hint, type Item, itemOf, type Reach, type Step } from './item.ts';

export class TaskStep implements Step {
  readonly labels: readonly string[];
  readonly prompt = 'Type a command';
  readonly before = null;
  readonly question = null;
  readonly isChosen = true;
  readonly #reach: Reach;
  readonly #everything: Everything;

  private constructor(reach: Reach, everything: Everything, name: string) {
    this.#reach = reach;
    this.#everything = everything;
    this.labels = [name];
  }

  /** Null: no task is at the cursor or selected. */
  static begin(reach: Reach, everything: Everything): TaskStep | null {
    const { replica, workspace } = reach.program;
    const [first, ...others] = workspace.targets();
    if (first === undefined) return null;
    const name =
      others.length > 0 ? counted(others.length + 1, 'task') : nameOf(replica.row(first)) || 'Untitled';
    return new TaskStep(reach, everything, name);
  }

  items(query: string): readonly Item[] {
    const found = this.#everything.forTask(query.trim());
    if (query.trim() === '') return found.length > 0 ? found : [hint('Nothing can be done with it here')];
    return [...found, this.#search(query.trim())];
  }

  #search(text: string): Item {
    return itemOf({
      id: 'search.everything',
      title: `Look for “${text}” everywhere`,
      hint: '',
      icon: 'search',
      choose: () => this.#reach.program.palette.open(text),
    });
  }
}
