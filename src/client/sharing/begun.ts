// A list that is being shared: what comes of it is said where its dialog was closed meanwhile, also after the app was started again.
import { parseId, type Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';

/** The list, in what this browser remembers. */
const BEGUN = 'sharing.begun';

const nameIn = ({ replica }: Program, list: Id): string => quoted(nameOf(replica.row(list)) || 'Untitled');

/** What was begun on this device. */
export class BegunSharing {
  readonly #program: Program;
  /** Undefined: not read yet. */
  #list: Id | null | undefined;
  #isEarlier = true;

  constructor(program: Program) {
    this.#program = program;
  }

  /** It was begun before the app was started now: nothing here waits for an answer. */
  get isEarlier(): boolean {
    return this.list !== null && this.#isEarlier;
  }

  begin(list: Id): void {
    this.#list = list;
    this.#isEarlier = false;
    this.#program.platform.preferences.set(BEGUN, list);
  }

  /** The person has seen what came of it. */
  end(): void {
    if (this.list === null) return;
    this.#list = null;
    this.#program.platform.preferences.set(BEGUN, '');
  }

  /** The list; null: nothing is under way. */
  get list(): Id | null {
    this.#list ??= parseId(this.#program.platform.preferences.get(BEGUN) ?? '');
    return this.#list;
  }

  /** It wasn’t shared, for this reason. Said where no dialog does. */
  failed(list: Id, message: string): void {
    if (this.list !== list) return;
    this.end();
    this.#program.say(`${nameIn(this.#program, list)} wasn’t shared. ${message}`, { error: true });
  }

  /** What is said now; null: nothing has come of it yet, or its dialog says it. */
  words(): string | null {
    const { list } = this;
    const { replica, dialog, labelKeys } = this.#program;
    const row = list === null ? undefined : replica.row(list);
    if (list === null || row === undefined || row.scope === replica.scope) return null;
    const { type } = dialog.get() ?? {};
    if (type === 'share' || type === 'publicLinks') return null;
    this.end();
    const [keys] = labelKeys.keymap.keysOf('list.share');
    const how =
      keys === undefined ? '“People and link of this list” shows' : `Press ${keys.join(' ')} in it for`;
    return `${nameIn(this.#program, list)} is shared now. ${how} its link.`;
  }
}
