// Help, shell completion, and the MCP server.
import { type Command, commandNamed } from '../command.ts';
import { completionOf, isShell, shells } from '../completion.ts';
import { lineReader } from '../entry.ts';
import { wrongUse } from '../failure.ts';
import { commandHelp, overview } from '../manual.ts';

const help: Command = {
  name: 'help',
  usage: '[command]',
  summary: 'List all commands, or explain one.',
  options: [],
  run(call) {
    const [name] = call.words;
    const command = name === undefined ? null : commandNamed(call.commands, name);
    if (command === undefined) throw wrongUse(`There's no command “${name}”. See: posthaste help`);
    const text = command === null ? overview(call.commands) : commandHelp(command);
    call.show({ success: true, help: text }, text);
    return Promise.resolve();
  },
};

const completion: Command = {
  name: 'completion',
  usage: shells.join(' | '),
  summary: 'Print a script that makes your shell complete commands and options.',
  details: [
    'bash: source <(posthaste completion bash)   zsh: source <(posthaste completion zsh)',
    'fish: posthaste completion fish > ~/.config/fish/completions/posthaste.fish',
  ],
  options: [],
  run(call) {
    const [shell = ''] = call.words;
    if (!isShell(shell)) throw wrongUse(`Which shell? ${shells.join(', ')}.`);
    call.world.print(completionOf(shell, call.commands).replace(/\n$/, ''));
    return Promise.resolve();
  },
};

const mcp: Command = {
  name: 'mcp',
  usage: '',
  summary: 'Give an agent your tasks over the Model Context Protocol, on standard input and output.',
  details: [
    "The history shows an agent's changes under its token's name, and you can undo them like any change. Give it its",
    "own token from the app, with its name: POSTHASTE_TOKEN. With a read-only token, or --read-only, it can't change anything.",
  ],
  options: [{ name: 'read-only', summary: 'offer only tools that read' }],
  async run(call) {
    const { serveAgents } = await import('../mcp.ts');
    const { world, names } = call;
    await serveAgents(call.session, {
      isReadOnly: call.has('read-only'),
      version: world.version,
      newId: () => world.newId(),
      read: lineReader(world, names),
      pause: (ms) => world.pause(ms),
      saying: () => ({ at: world.now(), zone: world.zone, locale: world.locale }),
    });
  },
};

/** The commands help, completion and mcp. */
export const shellCommands: readonly Command[] = [help, completion, mcp];
