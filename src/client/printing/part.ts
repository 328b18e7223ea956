// Printing: what is open, whole, by a command or by the browser's own menu.
import { definePart, type Part } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { define, done, refused } from '../commands/define.ts';
import type { CommandResult } from '../commands/command.ts';
import { paperOf } from './paper.ts';

class Printing {
  readonly #program: Program;
  #hasNotes = false;

  constructor(program: Program) {
    this.#program = program;
  }

  idle(): void {
    const { platform } = this.#program;
    platform.loadViews().then(
      () => this.#follow(),
      // The browser's own menu prints what is on screen then; the command tries again.
      () => undefined,
    );
  }

  #follow(): void {
    const program = this.#program;
    // A dialog prints itself: the sheet of keys.
    program.platform.paper?.follow(() =>
      program.dialog.get() === null ? paperOf(program, this.#hasNotes) : null,
    );
  }

  print(hasNotes: boolean): CommandResult {
    const { paper } = this.#program.platform;
    if (!paper) return refused('Printing is still being loaded. Try again in a moment.');
    this.#program.leaveText();
    this.#follow();
    this.#hasNotes = hasNotes;
    try {
      paper.print();
    } finally {
      this.#hasNotes = false;
    }
    return done;
  }
}

/** Prints all lines of what is open, with their notes where they are asked for. */
export const printing: Part<Printing> = definePart({
  name: 'Printing',
  create: (program) => new Printing(program),
  commands: [
    define({
      id: 'application.print',
      title: 'Print',
      aliases: ['paper', 'pdf'],
      group: 'Application',
      run: (program) => program.part(printing).print(false),
    }),
    define({
      id: 'application.printNotes',
      title: 'Print with notes',
      aliases: ['paper', 'pdf'],
      group: 'Application',
      run: (program) => program.part(printing).print(true),
    }),
  ],
});
