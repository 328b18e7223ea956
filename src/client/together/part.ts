// What people do together on a task: who has it, and what they write about it. A part of the rest; the row's own picture of both is
// in outline/row-facts.ts, which this part tells who the people are.
import { tellingSetting } from '#core/mentions.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { RowPerson } from '../app/view.ts';
import { toggle } from '../settings/setting.ts';
import { personIn, sayPerson } from './people.ts';
import { togetherCommands, togetherKeys } from './together-commands.ts';

const tellsMentions = toggle({
  key: tellingSetting,
  title: 'Notifications of mentions and tasks',
  aliases: ['mentioned', 'assigned to me', 'push', 'comments', 'alerts'],
  tab: 'General',
  scope: 'account',
  fallback: true,
  help: 'When someone in a shared list mentions you or gives you a task, devices with notifications on tell you. Muted lists never do.',
});

class Together implements PartHooks {
  readonly #program: Program;
  /** Kept per person, so that a row that shows the same person is the same. */
  #people = new Map<string, RowPerson | null>();

  constructor(program: Program) {
    this.#program = program;
    program.rowFacts.showPeople((row) => {
      const account = fieldOf(row, 'assignee');
      if (account === undefined) return null;
      const key = `${row.scope} ${account}`;
      const known = this.#people.get(key);
      if (known !== undefined) return known;
      const person = personIn(program, row.scope, account);
      const shown: RowPerson | null = person && {
        name: sayPerson(person),
        text: person.text,
        color: person.color,
        ink: person.ink,
        isFormer: person.isFormer,
      };
      this.#people.set(key, shown);
      return shown;
    });
  }

  apply(changes: readonly RowChange[]): void {
    const touches = (type: string) => changes.some(({ before, after }) => (after ?? before)?.type === type);
    if (touches('member')) {
      this.#people = new Map();
      this.#program.rowFacts.refresh(null);
    }
    const { dialog } = this.#program;
    if ((touches('comment') || touches('task')) && dialog.get()?.type === 'comments') dialog.refresh();
  }
}

/** Assignees and comments of tasks. */
export const together = definePart({
  name: 'Working together',
  create: (program) => new Together(program),
  commands: togetherCommands,
  keys: togetherKeys,
  settings: [tellsMentions],
  dialogs: { comments: { name: 'Comments', isWide: true } },
});
