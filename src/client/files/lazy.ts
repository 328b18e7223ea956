// Lazy part of attached files: only this file is loaded with the commands. The rest is dialog.ts and attaching.ts.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';
import type { FileContent, FilesPort } from './port.ts';

/** The dialog of a task's files, and attaching them. Loaded when idle or first needed. */
export const lazyFiles = lazyPart('Files', async () => {
  const [{ FilesDialog }, { attachFiles }] = await Promise.all([
    import('./dialog.ts'),
    import('./attaching.ts'),
    loadAnswers(),
  ]);
  return { FilesDialog, attachFiles };
});

type Part = Awaited<ReturnType<typeof lazyFiles.load>>;

/** The files themselves are read from disk; keys pressed meanwhile wait for that too. */
function withFiles(program: Program, work: (loaded: Part, port: FilesPort) => void): CommandResult {
  program.inputQueue.open(
    lazyFiles.name,
    () => Promise.all([lazyFiles.load(), program.platform.files()]),
    ([loaded, port]) => {
      work(loaded, port);
      return done;
    },
  );
  return done;
}

export function showFiles(program: Program, task: Id): CommandResult {
  return withFiles(program, ({ FilesDialog }, port) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new FilesDialog(program, port, task));
  });
}

/** Attaches files that were pasted, or dropped onto a task. */
export function giveFiles(program: Program, files: readonly FileContent[], on: Id | null): void {
  const task = on ?? program.workspace.cursor;
  const row = task === null ? undefined : program.replica.row(task);
  if (task === null || row?.type !== 'task' || program.workspace.isTrash) {
    program.say('Files go on tasks. Select a task first.', { error: true });
    return;
  }
  withFiles(program, ({ attachFiles }, port) => {
    void attachFiles(program, port, task, files).then((problem) => {
      if (problem !== null) program.act(() => program.say(problem, { error: true }));
    });
  });
}

/** Asks for files within the handling of the key: browsers allow it only then. */
export function pickAndAttach(program: Program, task: Id): CommandResult {
  return withFiles(program, ({ attachFiles }, port) => {
    void port.pick().then(async (files) => {
      if (files.length === 0) return;
      const problem = await attachFiles(program, port, task, files);
      if (problem !== null) program.act(() => program.say(problem, { error: true }));
    });
  });
}

export function attachClipboard(program: Program, task: Id): CommandResult {
  return withFiles(program, ({ attachFiles }, port) => {
    void port.clipboard().then(async (files) => {
      const problem =
        files === null
          ? 'Your browser blocked the clipboard. Allow it, or paste with the key.'
          : files.length === 0
            ? 'There’s no file or picture on the clipboard.'
            : await attachFiles(program, port, task, files);
      if (problem !== null) program.act(() => program.say(problem, { error: true }));
    });
  });
}
