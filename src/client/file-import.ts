// What becomes of a file that was chosen: a document, an outline or table of another program, unsent changes, or lines of text. Loaded when one was chosen. Not
// here: choosing it, pasting and exporting (commands/transfer.ts).
import { counted } from '#core/counted.ts';
import { done } from './commands/define.ts';
import { finish, pasteTasks } from './commands/transfer.ts';
import type { ParsedImport } from './documents.ts';
import { documentsDoor, tableDoor, unsentDoor } from './documents-door.ts';
import { quoted } from './editor.ts';
import { issueInBatches } from './importing.ts';
import type { Program } from './program.ts';
import { isUnsentFile } from './unsent-file.ts';
import type { ReadAgain } from './unsent-reading.ts';

interface Given {
  readonly name: string;
  readonly text: string;
}

const MOST_NAMED = 3;
/** Where a file says what it is. */
const HEAD = 4_000;

/** Files that the system handed over: what comes from outside is asked about first. */
export function offerFiles(program: Program, files: readonly Given[]): void {
  const names = files.map(({ name }) => quoted(name));
  const [only] = files;
  if (!only) return;
  // What it would become is shown, and that is the question.
  if (files.length === 1 && mayBeTable(only)) {
    importText(program, only);
    return;
  }
  program.leaveText();
  program.editor.flush();
  program.linkWaits = () => {
    // Lines of text need a list to go to.
    if (program.workspace.root === null) program.open({ type: 'list', id: program.workspace.inbox });
    importAll(program, files);
  };
  const what = names.length > MOST_NAMED ? `${names.length} files` : names.join(', ');
  program.dialog.set({ type: 'confirm', text: `Import ${what}?`, action: 'Import', command: 'link.goOn' });
}

/** Those that show first what they would become, one after the other. */
function importAll(program: Program, files: readonly Given[]): void {
  for (const file of files.filter((one) => !mayBeTable(one))) importText(program, file);
  const next = ([file, ...rest]: readonly Given[]) => {
    if (file) importText(program, file, () => next(rest));
  };
  next(files.filter(mayBeTable));
}

const mayBeTable = ({ name, text }: Given) =>
  /\.(?:opml|csv)$/i.test(name) || /<opml[\s>]/.test(text.slice(0, HEAD));

/** JSON documents, outlines and tables say what they are; anything else is lines of text. */
export function importText(program: Program, file: Given, next?: () => void): void {
  if (mayBeTable(file)) {
    program.held.enter(tableDoor, ({ previewTable }) => {
      previewTable(program, file, next);
      return done;
    });
    return;
  }
  if (isUnsentFile(file.text)) {
    importUnsent(program, file);
    return;
  }
  const isDocument = /\.json$/i.test(file.name) || /^\s*\{/.test(file.text);
  if (!isDocument) {
    const result = pasteTasks(program, file.text);
    if (result.type === 'refused') program.say(result.reason, { error: true });
    else if (result.type === 'done' && result.announce) program.say(result.announce, { undo: true });
    return;
  }
  program.held.enter(documentsDoor, ({ documentToActions }) => {
    importParsed(program, file.name, documentToActions(program, file.text));
    return done;
  });
}

function importParsed(program: Program, name: string, parsed: ParsedImport): void {
  if (!parsed.ok) {
    program.dialog.set({ type: 'import', busy: false, progress: 0, problems: parsed.problems });
    return;
  }
  const label = `imported ${quoted(name)}`;
  const total = parsed.actions.filter((action) => action.a === 'create' && action.type === 'task').length;
  issueInBatches(program, parsed.actions, {
    label,
    done: (failed, why) => finish(program, total, { failed, why }),
  });
}

/** Changes that never reached the server, made here. What was refused then comes after the others. */
function importUnsent(program: Program, file: { readonly name: string; readonly text: string }): void {
  program.held.enter(unsentDoor, ({ readAgain }) => {
    makeUnsent(program, file.name, readAgain(file.text, program.replica));
    return done;
  });
}

/** `fileName`: what the changes come from, as it is said. */
export function makeUnsent(program: Program, fileName: string, { read, sent, again }: ReadAgain): void {
  if (!read.ok) {
    program.dialog.set({ type: 'import', busy: false, progress: 0, problems: [read.problem] });
    return;
  }
  const actions = [...sent, ...again];
  const left = read.changes.recovered.length - again.length + read.unreadable;
  issueInBatches(program, actions, {
    label: `imported ${quoted(fileName)}`,
    done(failed) {
      const missing = failed + left;
      const problem = `${counted(missing, 'change')} could not be made here: what they are about is gone, or they are not readable.`;
      const progress = actions.length > failed ? 1 : 0;
      if (missing > 0) program.dialog.set({ type: 'import', busy: false, progress, problems: [problem] });
      const made = actions.length - failed;
      program.say(`Made ${counted(made, 'change')} from ${fileName}.`, { undo: true });
    },
  });
}
