// Holds back new tasks and lists after a plan lapsed. Everything else goes on: editing, completing, moving, undo, restoring, and
// whatever was typed or made before. It asks nobody and keeps nothing: the plan's part puts it in place and takes it away.
import type { Action } from '#sync/rows/operation.ts';
import { builtInOf } from '../search/built-in.ts';
import type { Gate, Program } from '../app/program.ts';
import { orphanedTyping } from '../text/orphaned-typing.ts';

/** Commands that begin with something new. What else makes tasks is met by `hold`. */
const MAKING: ReadonlySet<string> = new Set([
  'task.createBelow',
  'task.createAbove',
  'task.createChild',
  'task.duplicate',
  'list.create',
  'list.createSmart',
  'folder.create',
  'search.create',
]);

/** The gate of a lapsed plan. */
export class LapsedGate implements Gate {
  readonly #program: Program;
  readonly #ended: () => string;

  /** `ended`: what is over, as the beginning of a sentence. */
  constructor(program: Program, ended: () => string) {
    this.#program = program;
    this.#ended = ended;
  }

  get why(): string {
    const { dialog, keymap, platform } = this.#program;
    const [caps] = keymap.keysOf('plan.open');
    // In a dialog these keys are text.
    const isInDialog = dialog.get() !== null;
    const how =
      caps === undefined || platform.touch || isInDialog
        ? `To add again, ${isInDialog ? 'close this and ' : ''}choose “Plan and payment…”.`
        : `To add again, press ${caps.join(' ')}.`;
    return `${this.#ended()}, so you can’t add tasks and lists. ${how}`;
  }

  holds(command: string): boolean {
    if (!MAKING.has(command)) return false;
    // What was being written is done; only the next one can't be begun.
    this.#program.leaveText();
    // A name may be on its way: it is text, and no keys for the tasks.
    if (command !== 'task.duplicate') this.#program.part(orphanedTyping).missed(this.why);
    return true;
  }

  hold(
    actions: readonly Action[],
    { rescues = false }: { readonly rescues?: boolean },
  ): ReturnType<Gate['hold']> {
    if (rescues || !actions.some((action) => this.#isNew(action))) return null;
    // After what the command says.
    this.#program.later(() => this.#program.say(this.why));
    const verdicts = actions.map(() => 'forbidden' as const);
    return { operations: [], verdicts, changes: [], inverses: [] };
  }

  /** Today, Upcoming and the like are lists that everybody has. */
  #isNew(action: Action): boolean {
    if (action.a !== 'create') return false;
    return (
      action.type === 'task' ||
      (action.type === 'list' && builtInOf(this.#program.replica.scope, action.id) === null)
    );
  }
}
