// Imports a chosen file: a document, an outline or table of another program, unsent changes, or lines of text. Loaded
// when one was chosen. Choosing, pasting and exporting are in transfer-commands.ts.
import { counted } from '#core/counted.ts';
import { fileKind, isTableKind } from '#core/formats/file-kind.ts';
import { done } from '../commands/define.ts';
import { finish, pasteTasks } from './transfer-commands.ts';
import type { ParsedImport } from './documents.ts';
import { lazyDocuments, lazyTable, lazyUnsent } from './documents-lazy.ts';
import { quoted } from '../text/editor.ts';
import { type GivenFile, isText, type TextFile } from './given-file.ts';
import { issueInBatches } from './importing.ts';
import type { Program } from '../app/program.ts';
import { isUnsentFile } from '../sync-status/unsent-file.ts';
import type { ReadAgain } from '../sync-status/unsent-reading.ts';

const MOST_NAMED = 3;

/** Imports files that the system handed over; asks first, because they come from outside. */
export function offerFiles(program: Program, given: readonly GivenFile[]): void {
  const sorted = given.map(asReadable);
  const files = sorted.filter(isText);
  refuseUnread(program, sorted, files.length > 0);
  const names = files.map(({ name }) => quoted(name));
  const [only] = files;
  if (!only) return;
  // The preview of its result is the question.
  if (files.length === 1 && mayBeTable(only)) {
    importText(program, only);
    return;
  }
  program.leaveText();
  program.editor.flush();
  program.onConfirm = () => {
    // Lines of text need a list to go to.
    if (program.workspace.root === null) program.open({ type: 'list', id: program.workspace.inbox });
    importAll(program, files);
  };
  const what = names.length > MOST_NAMED ? `${names.length} files` : names.join(', ');
  program.dialog.show({
    type: 'confirm',
    text: `Import ${what}?`,
    action: 'Import',
    command: 'dialog.confirm',
  });
}

/** Imports files with a preview one after the other. */
function importAll(program: Program, files: readonly TextFile[]): void {
  for (const file of files.filter((one) => !mayBeTable(one))) importText(program, file);
  const next = ([file, ...rest]: readonly TextFile[]) => {
    if (file) importText(program, file, () => next(rest));
  };
  next(files.filter(mayBeTable));
}

const mayBeTable = ({ name, text }: TextFile) => isTableKind(fileKind(name, text).type);

/** Text in a format that nothing reads counts as no text. */
function asReadable(file: GivenFile): GivenFile {
  const kind = isText(file) ? fileKind(file.name, file.text) : null;
  return kind?.type === 'unread' ? { name: file.name, problem: kind.problem } : file;
}

export function importFile(program: Program, given: GivenFile): void {
  const file = asReadable(given);
  if (isText(file)) importText(program, file);
  else refuseUnread(program, [file]);
}

/** Reports files without text, and imports nothing of them. */
function refuseUnread(program: Program, files: readonly GivenFile[], hasOthers = false): void {
  const problems = files.flatMap((file) => (isText(file) ? [] : [`${file.name} ${file.problem}`]));
  if (problems.length === 0) return;
  if (hasOthers) program.say(problems.join(' '), { error: true });
  else program.dialog.show({ type: 'import', busy: false, progress: 0, problems });
}

/** JSON documents, outlines and tables are recognized; anything else is lines of text. */
function importText(program: Program, file: TextFile, next?: () => void): void {
  if (mayBeTable(file)) {
    program.inputQueue.enter(lazyTable, ({ previewTable }) => {
      previewTable(program, file, next);
      return done;
    });
    return;
  }
  if (isUnsentFile(file.text)) {
    importUnsent(program, file);
    return;
  }
  if (fileKind(file.name, file.text).type === 'lines') {
    const result = pasteTasks(program, file.text);
    if (result.type === 'refused') program.say(result.reason, { error: true });
    else if (result.type === 'done' && result.announce)
      program.say([result.announce, file.note ?? ''].join(' ').trimEnd(), { undo: true });
    return;
  }
  program.inputQueue.enter(lazyDocuments, ({ documentToActions }) => {
    importParsed(program, file.name, documentToActions(program, file.text));
    return done;
  });
}

function importParsed(program: Program, name: string, parsed: ParsedImport): void {
  if (!parsed.ok) {
    program.dialog.show({ type: 'import', busy: false, progress: 0, problems: parsed.problem });
    return;
  }
  const label = `imported ${quoted(name)}`;
  const total = parsed.value.filter((action) => action.a === 'create' && action.type === 'task').length;
  issueInBatches(program, parsed.value, {
    label,
    done: (failed, why) => finish(program, total, { failed, why }),
  });
}

/** Makes changes here that never reached the server; refused ones come last. */
function importUnsent(program: Program, file: { readonly name: string; readonly text: string }): void {
  program.inputQueue.enter(lazyUnsent, ({ readAgain }) => {
    makeUnsent(program, file.name, readAgain(file.text, program.replica));
    return done;
  });
}

/** `fileName`: the source, for messages. */
export function makeUnsent(program: Program, fileName: string, { read, sent, again }: ReadAgain): void {
  if (!read.ok) {
    program.dialog.show({ type: 'import', busy: false, progress: 0, problems: [read.problem] });
    return;
  }
  const actions = [...sent, ...again];
  const left = read.value.changes.recovered.length - again.length + read.value.unreadable;
  issueInBatches(program, actions, {
    label: `imported ${quoted(fileName)}`,
    done(failed) {
      const missing = failed + left;
      const problem = `${counted(missing, 'change')} couldn’t be applied here. What they change is gone, or they’re damaged.`;
      const progress = actions.length > failed ? 1 : 0;
      if (missing > 0) program.dialog.show({ type: 'import', busy: false, progress, problems: [problem] });
      const made = actions.length - failed;
      program.say(`Applied ${counted(made, 'change')} from ${fileName}.`, { undo: true });
    },
  });
}
