// Lazy part of the first run.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';

/** The dialog of the first run. Loaded when idle or first needed. */
export const lazyFirstRun = lazyPart('The first steps', async () => {
  const [run] = await Promise.all([
    import('./first-run.ts'),
    // Keys pressed in it must be answered at once.
    loadAnswers(),
  ]);
  return run;
});

/** Preference that records the first run on this device. */
export const FIRST_RUN = 'firstRun';

export const START_TITLE = 'Get started';

/** The name of the lesson: touch devices may have no keys. */
export const lessonTitle = ({ touch }: Pick<Program['platform'], 'touch'>): string =>
  touch ? 'Learn with five practice tasks' : 'Learn the first five keys';

/** Titles of the commands on the first screen, before the commands are loaded. Null: any other command. */
export function titleAtFirst(command: string, platform: Pick<Program['platform'], 'touch'>): string | null {
  if (command === 'setup.open') return START_TITLE;
  return command === 'lesson.start' ? lessonTitle(platform) : null;
}

export function openFirstRun(program: Program): CommandResult {
  return program.inputQueue.enter(lazyFirstRun, ({ FirstRun }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new FirstRun(program));
    return done;
  });
}
