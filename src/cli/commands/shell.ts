// Help, completion for shells, and the server for agents.
import { type Command, commandNamed } from '../command.ts';
import { completionOf, isShell, shells } from '../completion.ts';
import { wrongUse } from '../failure.ts';
import { commandHelp, overview } from '../manual.ts';

const help: Command = {
  name: 'help',
  usage: '[command]',
  summary: 'What there is, or how one command works.',
  options: [],
  run(call) {
    const [name] = call.words;
    const command = name === undefined ? null : commandNamed(call.commands, name);
    if (command === undefined) throw wrongUse(`There is no command “${name}”. See: posthaste help`);
    const text = command === null ? overview(call.commands) : commandHelp(command);
    call.show({ success: true, help: text }, text);
    return Promise.resolve();
  },
};

const completion: Command = {
  name: 'completion',
  usage: shells.join(' | '),
  summary: 'Print what makes your shell complete commands and options.',
  details: [
    'bash: source <(posthaste completion bash)   zsh: source <(posthaste completion zsh)',
    'fish: posthaste completion fish > ~/.config/fish/completions/posthaste.fish',
  ],
  options: [],
  run(call) {
    const [shell = ''] = call.words;
    if (!isShell(shell)) throw wrongUse(`Say a shell: ${shells.join(', ')}.`);
    call.world.print(completionOf(shell, call.commands).replace(/\n$/, ''));
    return Promise.resolve();
  },
};

const mcp: Command = {
  name: 'mcp',
  usage: '',
  summary: 'Serve tasks to an agent by the Model Context Protocol, over standard input and output.',
  details: [
    'What an agent writes stands in the history under the name of its token, and is taken back like any change. Give it a token of its',
    'own, made in the app with its name: POSTHASTE_TOKEN. A token for reading only, or --read-only, lets it change nothing.',
  ],
  options: [{ name: 'read-only', summary: 'offer nothing that changes anything' }],
  async run(call) {
    const { serveAgents } = await import('../mcp.ts');
    const { version } = call.world;
    await serveAgents(call.session, {
      isReadOnly: call.has('read-only'),
      version,
      newId: () => call.world.newId(),
    });
  },
};

export const shellCommands: readonly Command[] = [help, completion, mcp];
