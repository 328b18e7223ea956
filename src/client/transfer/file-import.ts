// Imports texts that are no tasks of another program: our own documents, unsent changes, or lines. Loaded when one was
// chosen. Choosing, pasting and exporting are in transfer-commands.ts, files of other programs in client/importing.
import { counted } from '#core/counted.ts';
import { fileKind } from '#core/formats/file-kind.ts';
import { done } from '../commands/define.ts';
import { finish, pasteTasks } from './transfer-commands.ts';
import type { ParsedImport } from './documents.ts';
import { lazyDocuments, lazyUnsent } from './documents-lazy.ts';
import { quoted } from '../text/editor.ts';
import { issueInBatches } from './importing.ts';
import type { Program } from '../app/program.ts';
import { isUnsentFile } from '../sync-status/unsent-file.ts';
import type { ReadAgain } from '../sync-status/unsent-reading.ts';

const MOST_NAMED = 3;

/** A file of lines, our own document, or unsent changes. */
interface TextFile {
  readonly name: string;
  readonly text: string;
  /** A note on how it was decoded; null: by its own declaration. */
  readonly note: string | null;
}

/** Imports texts. `isAsked`: they come from outside, so the person is asked first. */
export function importTexts(
  program: Program,
  files: readonly TextFile[],
  { isAsked }: { readonly isAsked: boolean },
): void {
  program.leaveText();
  program.editor.flush();
  if (!isAsked) {
    for (const file of files) importText(program, file);
    return;
  }
  program.onConfirm = () => {
    // Lines of text need a list to go to.
    if (program.workspace.root === null) program.open({ type: 'list', id: program.workspace.inbox });
    for (const file of files) importText(program, file);
  };
  const names = files.map(({ name }) => quoted(name));
  const what = names.length > MOST_NAMED ? `${names.length} files` : names.join(', ');
  program.dialog.show({
    type: 'confirm',
    text: `Import ${what}?`,
    action: 'Import',
    command: 'dialog.confirm',
  });
}

/** JSON documents and unsent changes are recognized; anything else is lines of text. */
function importText(program: Program, file: TextFile): void {
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
  if (program.gate !== null) {
    program.say(program.gate.why);
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
    rescues: true,
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
