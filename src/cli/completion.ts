// Shell completion of commands and options, generated from the registry. Values are left to the shell.
import { type Command, everywhere, type Option } from './command.ts';

/** Shells that a completion script can be printed for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];
/** Whether `text` names a supported shell. */
export const isShell = (text: string): text is Shell => (shells as readonly string[]).includes(text);

const flags = (options: readonly Option[]) =>
  [...options, ...everywhere]
    .flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
    .join(' ');

interface Named {
  readonly name: string;
  readonly command: Command;
}

/** In single quotes, as sh, zsh and fish read them. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function bash(named: readonly Named[]): string {
  const cases = named.map(({ name, command }) => {
    const words = name === 'completion' ? `${shells.join(' ')} ${flags([])}` : flags(command.options);
    return `    ${name}) words=${quoted(words)} ;;`;
  });
  return `_posthaste() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(named.map(({ name }) => name).join(' '))} -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words= ;;
  esac
  if [[ "$word" == -* || "\${COMP_WORDS[1]}" == completion ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _posthaste posthaste
`;
}

function zsh(named: readonly Named[]): string {
  const described = (name: string, summary: string) =>
    quoted(`${name}:${summary.replaceAll(':', String.raw`\:`)}`);
  const options = (all: readonly Option[]) =>
    [...all, ...everywhere].map(({ name, summary }) => described(`--${name}`, summary)).join(' ');
  return `#compdef posthaste
_posthaste() {
  local -a words_of
  if (( CURRENT == 2 )); then
    words_of=(${named.map(({ name, command }) => described(name, command.summary)).join(' ')})
    _describe command words_of
    return
  fi
  case "\${words[2]}" in
${named
  .map(({ name, command }) =>
    name === 'completion'
      ? `    completion) words_of=(${shells.join(' ')}) ;;`
      : `    ${name}) words_of=(${options(command.options)}) ;;`,
  )
  .join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* || "\${words[2]}" == completion ]]; then
    _describe option words_of
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = _posthaste ]; then _posthaste "$@"; else compdef _posthaste posthaste; fi
`;
}

function fish(named: readonly Named[]): string {
  const lines = named.flatMap(({ name, command }) => {
    const first = `complete -c posthaste -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary)}`;
    const own = [...command.options, ...everywhere].map(({ name: option, short, value, summary }) =>
      [
        `complete -c posthaste -n '__fish_seen_subcommand_from ${name}' -l ${option}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(value === undefined ? [] : ['-r']),
        `-d ${quoted(summary)}`,
      ].join(' '),
    );
    return [first, ...own];
  });
  const choices = `complete -c posthaste -n '__fish_seen_subcommand_from completion' -f -a ${quoted(shells.join(' '))}`;
  return `${[...lines, choices].join('\n')}\n`;
}

/** The completion script of a shell, to be sourced from its startup file. */
export function completionOf(shell: Shell, commands: readonly Command[]): string {
  const named = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  );
  return { bash, zsh, fish }[shell](named);
}
