// Commands that make macros. A macro itself is a command of its own (shelf.ts).
import { parseId } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import type { Argument, ArgumentValues, CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';
import { quoted } from '../text/editor.ts';
import { ofDialog } from '../commands/options.ts';
import { examples } from './examples.ts';
import { keepRecording, sayMissed } from './keeping.ts';
import { lazyMacros } from './lazy.ts';
import { type Macro, most } from './macro.ts';
import { freeName, linkOf } from './naming.ts';
import { openEditor } from './opening.ts';
import type { MacroShelf } from './shelf.ts';
import { tryMacro } from './trial/lazy.ts';
import { macroIn, sharedText } from './shared-text.ts';

const TOO_LARGE = 'This macro is too large to be kept: it can have 64 KB.';

type Shelf = (program: Program) => MacroShelf;

const which = (prompt: string): Argument => ({ name: 'macro', kind: 'choice', prompt });

function ofMacro(
  shelfOf: Shelf,
  spec: Pick<Command, 'id' | 'title' | 'aliases'> & {
    readonly prompt: string;
    readonly more?: readonly Argument[];
    readonly act: (shelf: MacroShelf, macro: Macro, args: ArgumentValues) => CommandResult;
  },
): Command {
  const { prompt, act, more = [], ...said } = spec;
  return define({
    ...said,
    group: 'Application',
    icon: 'macro',
    args: [which(prompt), ...more],
    choices: (program) => shelfOf(program).all.map(({ id, name }) => ({ value: id, title: name })),
    when: (program) =>
      shelfOf(program).all.length > 0 ? null : 'There are no macros yet. Record one first.',
    run(program, args) {
      const id = parseId(args['macro'] ?? '');
      const macro = id === null ? null : shelfOf(program).get(id);
      return macro === null ? refused('That macro is gone.') : act(shelfOf(program), macro, args);
    },
  });
}

/** Stores a macro, and says so. */
function keep(
  shelf: MacroShelf,
  macro: Macro,
  { label, said }: { readonly label: string; readonly said: string },
): CommandResult {
  const { id, ...content } = macro;
  return shelf.save(id, content, label) ? announced(said) : refused(TOO_LARGE);
}

function stop(shelf: MacroShelf): CommandResult {
  const { program } = shelf;
  program.leaveText();
  program.catchUp();
  program.endGesture();
  const { recording } = shelf;
  const kept = keepRecording(shelf);
  if (kept === null)
    return refused(`There’s no macro, as there’s no step.${sayMissed(recording?.missed ?? [])}`, 'info');
  if (!kept.ok) return refused(kept.problem);
  const { start, isNew, said } = kept.value;
  return openEditor(shelf, start, (editor) => {
    if (isNew) editor.nameIt();
    editor.tell(said);
  });
}

function turnLinks(shelf: MacroShelf, macro: Macro): CommandResult {
  const { program } = shelf;
  const takesLinks = !macro.takesLinks;
  const name = quoted(macro.name);
  const label = `${takesLinks ? 'let' : 'no longer let'} links and programs start ${name}`;
  if (takesLinks)
    void program.platform
      .copyText(linkOf(macro.id))
      .then((isCopied) => isCopied && program.act(() => program.say(`Copied the link that starts ${name}.`)));
  const said = takesLinks
    ? `Links may start ${name} now, and programs where you let them.`
    : `Links and programs no longer start ${name}.`;
  return keep(shelf, { ...macro, takesLinks }, { label, said });
}

async function importMacro(shelf: MacroShelf): Promise<void> {
  const { program } = shelf;
  const [text, parts] = await Promise.all([
    program.platform.readClipboard(),
    lazyMacros.load().catch(() => null),
  ]);
  program.act(() => {
    if (text === null) return program.say('The clipboard couldn’t be read.', { error: true });
    const read = macroIn(text);
    if (!read.ok) return program.say(read.problem, { error: true });
    const name = freeName(shelf, read.value.name);
    // What comes from elsewhere is started by hand until its owner says otherwise.
    const macro = { ...read.value, id: program.replica.newId(), name, takesLinks: false };
    const problems = macro.steps.map((step) => parts?.stepProblem(program, macro, step) ?? null);
    const at = problems.findIndex((problem) => problem !== null);
    const fault = at < 0 ? '' : ` Step ${at + 1} can’t run yet: ${problems[at]}`;
    const said = `Added the macro ${quoted(name)}.${fault}`;
    const result = keep(shelf, macro, { label: `added the macro ${quoted(name)}`, said });
    if (result.type === 'refused') program.say(result.reason, { error: true });
    else program.say(said, { undo: true });
  });
}

const recording = (shelfOf: Shelf): readonly Command[] => [
  define({
    id: 'macro.record',
    title: 'Record a macro',
    aliases: ['macro recorder', 'automate', 'watch what I do'],
    group: 'Application',
    icon: 'macro',
    when: (program) => (shelfOf(program).recording === null ? null : 'A macro is being recorded already.'),
    run: (program) => shelfOf(program).startRecording(),
  }),
  define({
    id: 'macro.stop',
    title: 'Stop recording',
    aliases: ['end macro', 'finish recording', 'save macro'],
    group: 'Application',
    icon: 'macro',
    when: (program) => (shelfOf(program).recording === null ? 'No macro is being recorded.' : null),
    run: (program) => stop(shelfOf(program)),
  }),
];

const editing = (shelfOf: Shelf): readonly Command[] => [
  define({
    id: 'macro.new',
    title: 'New macro',
    aliases: ['create macro', 'write a macro', 'own command'],
    group: 'Application',
    icon: 'macro',
    run(program) {
      const shelf = shelfOf(program);
      const name = freeName(shelf, 'New macro');
      const created = { name, steps: [], variables: [], takesLinks: false };
      const start = { id: program.replica.newId(), at: 0 };
      return openEditor(shelf, start, (editor) => editor.nameIt(), created);
    },
  }),
  ofMacro(shelfOf, {
    id: 'macro.edit',
    title: 'Edit a macro…',
    aliases: ['change macro', 'steps of a macro', 'macro editor'],
    prompt: 'Edit which macro?',
    act: (shelf, { id }) => openEditor(shelf, { id, at: 0 }),
  }),
  ofMacro(shelfOf, {
    id: 'macro.try',
    title: 'Try a macro on the selection…',
    aliases: ['dry run of a macro', 'what would a macro change', 'preview a macro'],
    prompt: 'Try which macro?',
    act: tryMacro,
  }),
  ofDialog('steps.add', 'Add a step'),
  ofDialog('steps.variable', 'Add a variable'),
  ofDialog('steps.earlier', 'Move the step up', { repeats: true }),
  ofDialog('steps.later', 'Move the step down', { repeats: true }),
  ofDialog('steps.duplicate', 'Duplicate the step'),
  ofDialog('steps.remove', 'Remove the step or variable'),
  ofDialog('steps.record', 'Record more steps'),
  ofDialog('steps.key', 'Give the macro a key'),
  ofDialog('steps.run', 'Run the macro'),
  ofDialog('steps.check', 'Try it on the selection'),
];

const changing = (shelfOf: Shelf): readonly Command[] => [
  ofMacro(shelfOf, {
    id: 'macro.duplicate',
    title: 'Duplicate a macro…',
    aliases: ['clone macro', 'variant of a macro'],
    prompt: 'Duplicate which macro?',
    act(shelf, macro) {
      const name = freeName(shelf, macro.name);
      const copy = { ...macro, id: shelf.program.replica.newId(), name };
      return keep(shelf, copy, { label: `duplicated ${quoted(macro.name)}`, said: `Made ${quoted(name)}.` });
    },
  }),
  ofMacro(shelfOf, {
    id: 'macro.rename',
    title: 'Rename a macro…',
    aliases: ['name of a macro', 'call macro'],
    prompt: 'Rename which macro?',
    more: [{ name: 'name', kind: 'text', prompt: 'Its new name' }],
    act(shelf, macro, args) {
      const wanted = (args['name'] ?? '').trim().slice(0, most.name);
      if (wanted === '') return refused('A macro needs a name.');
      const name = wanted === macro.name ? wanted : freeName(shelf, wanted);
      const label = `renamed the macro ${quoted(macro.name)}`;
      return keep(
        shelf,
        { ...macro, name },
        { label, said: `Renamed ${quoted(macro.name)} to ${quoted(name)}.` },
      );
    },
  }),
  ofMacro(shelfOf, {
    id: 'macro.links',
    title: 'Let links and programs start a macro…',
    aliases: [
      'run macro by url',
      'allow links to run macros',
      'copy the link of a macro',
      'api',
      'let links start a macro',
    ],
    prompt: 'Let links and programs start which macro, or no longer?',
    act: turnLinks,
  }),
  ofMacro(shelfOf, {
    id: 'macro.delete',
    title: 'Delete a macro…',
    aliases: ['remove macro', 'throw away macro'],
    prompt: 'Delete which macro?',
    act(shelf, { id, name }) {
      shelf.remove(id, `deleted the macro ${quoted(name)}`);
      return announced(`Deleted the macro ${quoted(name)}.`);
    },
  }),
];

const sharing = (shelfOf: Shelf): readonly Command[] => [
  ofMacro(shelfOf, {
    id: 'macro.share',
    title: 'Copy a macro as text…',
    aliases: ['share macro', 'export macro'],
    prompt: 'Copy which macro?',
    act({ program }, macro) {
      void program.platform
        .copyText(sharedText(macro))
        .then((isCopied) =>
          program.act(() =>
            program.say(
              isCopied
                ? `Copied ${quoted(macro.name)}. Paste it wherever you want to share it.`
                : 'It couldn’t be copied.',
              { error: !isCopied },
            ),
          ),
        );
      return done;
    },
  }),
  define({
    id: 'macro.example',
    title: 'Add an example macro…',
    aliases: ['macro templates', 'sample macros', 'ready-made macros'],
    group: 'Application',
    icon: 'macro',
    args: [
      {
        name: 'example',
        kind: 'choice',
        prompt: 'Which one?',
        choices: examples.map(({ name }) => ({ value: name, title: name })),
      },
    ],
    run(program, args) {
      const shelf = shelfOf(program);
      const found = examples.find(({ name }) => name === args['example']);
      if (found === undefined) return refused('There’s no such example.');
      const name = freeName(shelf, found.name);
      const added = `the macro ${quoted(name)}`;
      return keep(
        shelf,
        { ...found, id: program.replica.newId(), name },
        { label: `added ${added}`, said: `Added ${added}. Find it in the palette by its name.` },
      );
    },
  }),
  define({
    id: 'macro.import',
    title: 'Add the macro in the clipboard',
    aliases: ['import macro', 'paste macro'],
    group: 'Application',
    icon: 'macro',
    run(program) {
      void importMacro(shelfOf(program));
      return done;
    },
  }),
];

/** The commands about macros. */
export const macroCommands = (shelfOf: Shelf): readonly Command[] => [
  ...recording(shelfOf),
  ...editing(shelfOf),
  ...changing(shelfOf),
  ...sharing(shelfOf),
];
