// Runs a command line: from its words to the output and the exit code. Nothing here touches the process (main.ts).
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Call, type Command, commandNamed, everywhere } from './command.ts';
import { exitCodes, Failure, wrongUse } from './failure.ts';
import { commandHelp, overview } from './manual.ts';
import { Names } from './names.ts';
import { Outbox } from './outbox.ts';
import { plainText } from './printing.ts';
import { PrivateFolder } from './private-folder.ts';
import { commands } from './registry.ts';
import { Seen } from './seen.ts';
import { Session } from './session.ts';
import type { World } from './world.ts';

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parse(command: Command, words: readonly string[]): { values: Values; words: readonly string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    [...command.options, ...everywhere].map(({ name, short, value, isRepeatable }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
        ...(isRepeatable ? { multiple: true } : {}),
      },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    const [said = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw wrongUse(`${said}. See: posthaste help ${command.name}`);
  }
  const { values, positionals, tokens = [] } = parsed;
  // Without this the first of two values would vanish.
  const named = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const twice = named.find(
    (name, at) =>
      named.indexOf(name) < at && options[name]?.type === 'string' && options[name].multiple !== true,
  );
  if (twice !== undefined) throw wrongUse(`--${twice} appears twice. Use it once.`);
  // The message does not repeat the word: it may be a password.
  if (command.usage === '' && positionals.length > 0)
    throw wrongUse(
      command.wordless ?? `Nothing follows “${command.name}”. See: posthaste help ${command.name}`,
    );
  return { values, words: positionals };
}

function callOf(world: World, parsed: ReturnType<typeof parse>): Call {
  const { values, words } = parsed;
  const folder = new PrivateFolder(world.environment);
  const session = new Session(world, folder);
  const names = new Names(world, folder, session);
  const isJson = values['json'] === true;
  return {
    world,
    commands,
    folder,
    session,
    names,
    outbox: new Outbox(world, { folder, session, names }),
    seen: new Seen(folder),
    words,
    isJson,
    has: (name) => values[name] !== undefined,
    option(name) {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    all(name) {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : [];
    },
    show: (json, text) => world.print(isJson ? JSON.stringify(json, null, 2) : text),
  };
}

function say(world: World, failure: Failure, isJson: boolean): number {
  const { kind, message } = failure;
  world.warn(
    isJson
      ? JSON.stringify({ success: false, code: kind, error: message })
      : `posthaste: ${plainText(message)}`,
  );
  return exitCodes[kind].code;
}

async function runCommand(command: Command, call: Call): Promise<void> {
  try {
    if (command.sendsOutbox && call.session.token !== null) await call.outbox.sendDue();
    await command.run(call);
  } finally {
    const hint = await call.session.hint();
    if (hint !== null) call.world.warn(hint);
    await call.session.close();
  }
}

/** Runs one command line and resolves with the exit code. */
export async function runCommandLine(words: readonly string[], world: World): Promise<number> {
  const [name = '', ...rest] = words;
  const isJson = words.includes('--json');
  if (/^(?:|--help|-h)$/.test(name)) {
    world.print(overview(commands));
    return name === '' ? exitCodes.usage.code : 0;
  }
  if (name === '--version') {
    world.print(world.version);
    return 0;
  }
  const command = commandNamed(commands, name);
  try {
    if (!command) throw wrongUse(`There's no command “${name}”. See: posthaste help`);
    const parsed = parse(command, rest);
    const call = callOf(world, parsed);
    if (call.has('help')) {
      world.print(commandHelp(command));
      return 0;
    }
    await runCommand(command, call);
    return 0;
  } catch (error) {
    if (error instanceof Failure) return say(world, error, isJson);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return say(world, new Failure('unexpected', text), isJson);
  }
}
