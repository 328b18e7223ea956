// Commands that make macros. A macro itself is a command of its own (shelf.ts).
import { parseId } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import type { Argument, ArgumentValues, CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';
import { quoted } from '../text/editor.ts';
import { examples } from './examples.ts';
import { lazyMacros } from './lazy.ts';
import { type Macro, most } from './macro.ts';
import type { MacroShelf } from './shelf.ts';
import { macroIn, sharedText } from './shared-text.ts';

const TOO_LARGE = 'This macro is too large to be kept: it can have 64 KB.';

type Shelf = (program: Program) => MacroShelf;

const which = (prompt: string): Argument => ({ name: 'macro', kind: 'choice', prompt });

/** A name that no macro has: the given one, or with a number. */
function freeName(shelf: MacroShelf, wanted: string): string {
  const taken = new Set(shelf.all.map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}

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

function record(shelf: MacroShelf): CommandResult {
  const { program } = shelf;
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyMacros, ({ Recording }) => {
    shelf.recording = new Recording(program);
    return announced('Recording a macro. Do its steps, then choose “Stop recording”.');
  });
}

function stop(shelf: MacroShelf, wanted: string): CommandResult {
  const { program, recording } = shelf;
  program.leaveText();
  program.catchUp();
  const steps = (recording?.steps ?? []).slice(0, most.steps);
  if (steps.length === 0) {
    shelf.recording = null;
    return refused('Nothing was recorded, so there’s no macro.', 'info');
  }
  const name = freeName(shelf, wanted.trim().slice(0, most.name));
  const id = program.replica.newId();
  program.endGesture();
  // What was recorded stays until it is kept.
  if (!shelf.save(id, { name, steps, variables: [], takesLinks: false }, `recorded ${quoted(name)}`))
    return refused(TOO_LARGE);
  shelf.recording = null;
  const count = steps.length === 1 ? '1 step' : `${steps.length} steps`;
  return announced(`Recorded ${quoted(name)} with ${count}. Find it in the palette by its name.`);
}

async function importMacro(shelf: MacroShelf): Promise<void> {
  const { program } = shelf;
  const text = await program.platform.readClipboard();
  program.act(() => {
    if (text === null) return program.say('The clipboard couldn’t be read.', { error: true });
    const read = macroIn(text);
    if (!read.ok) return program.say(read.problem, { error: true });
    const name = freeName(shelf, read.value.name);
    // What comes from elsewhere is started by hand until its owner says otherwise.
    const content = { ...read.value, name, takesLinks: false };
    if (!shelf.save(program.replica.newId(), content, `added ${quoted(name)}`))
      return program.say(TOO_LARGE, { error: true });
    program.say(`Added the macro ${quoted(name)}.`, { undo: true });
  });
}

const recording = (shelfOf: Shelf): readonly Command[] => [
  define({
    id: 'macro.record',
    title: 'Record a macro',
    aliases: ['macro recorder', 'automate', 'new macro'],
    group: 'Application',
    icon: 'macro',
    when: (program) => (shelfOf(program).recording === null ? null : 'A macro is being recorded already.'),
    run: (program) => record(shelfOf(program)),
  }),
  define({
    id: 'macro.stop',
    title: 'Stop recording…',
    aliases: ['end macro', 'finish recording', 'save macro'],
    group: 'Application',
    icon: 'macro',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the macro' }],
    when: (program) => (shelfOf(program).recording === null ? 'No macro is being recorded.' : null),
    run: (program, args) => stop(shelfOf(program), args['name'] ?? ''),
  }),
];

const changing = (shelfOf: Shelf): readonly Command[] => [
  ofMacro(shelfOf, {
    id: 'macro.duplicate',
    title: 'Duplicate a macro…',
    aliases: ['clone macro', 'variant of a macro'],
    prompt: 'Duplicate which macro?',
    act(shelf, macro) {
      const name = freeName(shelf, macro.name);
      shelf.save(shelf.program.replica.newId(), { ...macro, name }, `duplicated ${quoted(macro.name)}`);
      return announced(`Made ${quoted(name)}.`);
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
      shelf.save(macro.id, { ...macro, name }, `renamed the macro ${quoted(macro.name)}`);
      return announced(`Renamed ${quoted(macro.name)} to ${quoted(name)}.`);
    },
  }),
  ofMacro(shelfOf, {
    id: 'macro.links',
    title: 'Let links start a macro…',
    aliases: ['run macro by url', 'allow links to run macros', 'copy the link of a macro'],
    prompt: 'Let links start which macro, or no longer?',
    act(shelf, macro) {
      const takesLinks = !macro.takesLinks;
      const name = quoted(macro.name);
      const did = `${takesLinks ? 'let' : 'no longer let'} links start ${name}`;
      shelf.save(macro.id, { ...macro, takesLinks }, did);
      if (!takesLinks) return announced(`Links no longer start ${name}.`);
      void shelf.program.platform.copyText(`web+posthaste:run-macro/id/${macro.id}`);
      return announced(`Links may start ${name} now. Its link was copied.`);
    },
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
                ? `Copied ${quoted(macro.name)}. Paste it to who may use it.`
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
      shelf.save(program.replica.newId(), { ...found, name }, `added the macro ${quoted(name)}`);
      return announced(`Added the macro ${quoted(name)}. Find it in the palette by its name.`);
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
  ...changing(shelfOf),
  ...sharing(shelfOf),
];
