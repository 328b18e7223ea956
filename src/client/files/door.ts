// The door to attached files: only this is loaded with the commands. What it leads to is dialog.ts and attaching.ts.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';
import type { FileContent, FilesPort } from './port.ts';

export const filesDoor = door('Files', async () => {
  const [{ FilesDialog }, { attachFiles }] = await Promise.all([
    import('./dialog.ts'),
    import('./attaching.ts'),
    loadLedger(),
  ]);
  return { FilesDialog, attachFiles };
});

type Part = Awaited<ReturnType<typeof filesDoor.load>>;

/** The files themselves are read from the disk: what is pressed meanwhile waits for that too. */
function withFiles(program: Program, work: (loaded: Part, port: FilesPort) => void): CommandResult {
  program.held.open(
    filesDoor.name,
    () => Promise.all([filesDoor.load(), program.platform.files()]),
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
    program.openDialog = new FilesDialog(program, port, task);
    program.openDialog.refresh();
  });
}

/** Files that were pasted, or dropped onto a task. */
export function giveFiles(program: Program, files: readonly FileContent[], on: Id | null): void {
  const task = on ?? program.workspace.cursor;
  const row = task === null ? undefined : program.replica.row(task);
  if (task === null || row?.type !== 'task' || program.workspace.isTrash) {
    program.say('Files are attached to a task. Go to one first.', { error: true });
    return;
  }
  withFiles(program, ({ attachFiles }, port) => {
    void attachFiles(program, port, task, files).then((problem) => {
      if (problem !== null) program.act(() => program.say(problem, { error: true }));
    });
  });
}

/** Asks for files while the key that wanted them is being answered: browsers allow it only then. */
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
          ? 'The browser did not let the clipboard be read. Allow it, or paste with the key.'
          : files.length === 0
            ? 'There is no file or picture on the clipboard.'
            : await attachFiles(program, port, task, files);
      if (problem !== null) program.act(() => program.say(problem, { error: true }));
    });
  });
}
