// Imports files that were chosen, opened or dropped: they are read away from the page, and what holds tasks of another program is
// rehearsed. Lines of text, our own documents and unsent changes go their own ways (transfer/file-import.ts). A lazy part.
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { done, refused } from '../commands/define.ts';
import { giveFiles } from '../files/lazy.ts';
import { whenGiven } from '../macros/given.ts';
import { quoted } from '../text/editor.ts';
import { importTexts } from '../transfer/file-import.ts';
import { readContextOf } from './context.ts';
import type { Importer, ImportSource, ReadAnswer } from './port.ts';
import { Rehearsal } from './rehearsal.ts';

/** How files came: chosen for import, opened by the system, or dropped beside the tasks. */
export type ImportWay = 'picked' | 'opened' | 'dropped';

/** Until then nothing is shown of the reading: most files take less. */
const UNSEEN_MS = 150;
const MOST_NAMED = 3;
/** A whole folder is hardly meant for one task. */
const MOST_ATTACHED = 50;
const MOST_PROBLEMS = 20;

const namesOf = (files: readonly { readonly name: string }[]) =>
  files.length > MOST_NAMED
    ? `${files.length} files`
    : files.map(({ name }) => quoted(baseOf(name))).join(', ');

const baseOf = (name: string) => name.replace(/^.*\//, '');

/** Reads the files. Resolves with what is left to do: it asks before anything of them is imported, or says what they lack. */
export async function importSources(
  program: Program,
  sources: readonly ImportSource[],
  way: ImportWay,
): Promise<() => CommandResult> {
  if (sources.length === 0) return () => done;
  let importer: Importer;
  try {
    importer = await program.platform.openImporter();
  } catch {
    return () => refused('Part of the app is missing. Check your connection, and try again.');
  }
  const dialog = new Rehearsal(program, { name: namesOf(sources), importer });
  let isShown = false;
  const show = () => {
    if (isShown) return;
    isShown = true;
    program.leaveText();
    program.editor.flush();
    program.dialog.open(dialog);
  };
  const stop = program.after(UNSEEN_MS, show);
  const answer = await importer.read(sources, readContextOf(program), (progress) => {
    if (isShown) program.act(() => dialog.hear(progress));
  });
  stop();
  return () => {
    // Escape ended it.
    if (isShown && !program.dialog.isOf(dialog)) return done;
    if (answer.hasTasks && program.gate !== null) {
      if (isShown) program.dialog.close();
      else importer.end();
      program.say(program.gate.why);
      return done;
    }
    if (answer.hasTasks) {
      show();
      void dialog.open(answer);
      return done;
    }
    if (isShown) program.dialog.close();
    else importer.end();
    withoutTasks(program, answer, { sources, way });
    return done;
  };
}

/** What holds no tasks of another program. */
function withoutTasks(
  program: Program,
  { texts, problems }: ReadAnswer,
  { sources, way }: { readonly sources: readonly ImportSource[]; readonly way: ImportWay },
): void {
  // A picture or a text that is dropped beside the tasks belongs to the task at the cursor.
  if (way === 'dropped' && sources.length <= MOST_ATTACHED) {
    giveFiles(program, sources, null);
    return;
  }
  if (texts.length === 0) {
    program.dialog.show({
      type: 'import',
      busy: false,
      progress: 0,
      problems: problems.slice(0, MOST_PROBLEMS),
    });
    return;
  }
  if (problems.length > 0) program.say(problems.join(' '), { error: true });
  importTexts(program, texts, { isAsked: way === 'opened' });
}

/** Imports what the system opened with the app, or what was dropped beside the tasks. */
export function offerSources(program: Program, sources: readonly ImportSource[], way: ImportWay): void {
  if (program.dialog.controller?.takeFiles?.(sources) === true) return;
  whenGiven(program, importSources(program, sources, way), (finish) => finish());
}
