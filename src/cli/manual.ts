// Documentation generated from the commands: help in the terminal, and the tables of docs/cli.md.
import { type Command, everywhere, type Option } from './command.ts';
import { exitCodes } from './failure.ts';

const usageOf = ({ name, usage }: Command) => `posthaste ${name}${usage === '' ? '' : ` ${usage}`}`;

function optionText({ name, short, value }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
}

const columns = (rows: readonly (readonly [left: string, right: string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
};

/** Help for the whole program: commands, global options, exit codes. */
export function overview(commands: readonly Command[]): string {
  return [
    'Usage: posthaste <command> [options]',
    '',
    columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Everywhere:',
    columns(everywhere.map((option) => [optionText(option), option.summary])),
    '',
    'For details, run posthaste help <command>. Exit codes:',
    columns([
      ['0', 'done'],
      ...Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const),
    ]),
  ].join('\n');
}

/** Help for one command. */
export function commandHelp(command: Command): string {
  const { summary, aliases = [], details = [], options } = command;
  return [
    `Usage: ${usageOf(command)}`,
    '',
    summary,
    ...(details.length === 0 ? [] : ['', ...details]),
    ...(aliases.length === 0 ? [] : ['', `Also: ${aliases.join(', ')}`]),
    '',
    columns([...options, ...everywhere].map((option) => [optionText(option), option.summary])),
  ].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
const code = (text: string) => `\`${text}\``;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** docs/cli.md from its first table on. */
export function commandTables(commands: readonly Command[]): string {
  return [
    table(
      ['Command', 'Also', 'What it does'],
      commands.map((command) => [
        code(usageOf(command)),
        (command.aliases ?? []).map(code).join(', '),
        command.summary,
      ]),
    ),
    '',
    ...commands
      .filter(({ options }) => options.length > 0)
      .flatMap(({ name, options }) => [
        `### ${name}`,
        '',
        table(
          ['Option', 'What it does'],
          options.map((option) => [
            code(optionText(option)),
            `${option.summary}${option.isRepeatable ? '; can be repeated' : ''}`,
          ]),
        ),
        '',
      ]),
    '### Everywhere',
    '',
    table(
      ['Option', 'What it does'],
      everywhere.map((option) => [code(optionText(option)), option.summary]),
    ),
    '',
    '## Exit codes',
    '',
    table(
      ['Code', 'Meaning'],
      [
        ['0', 'done'],
        ...Object.values(exitCodes).map(({ code: number, meaning }) => [String(number), meaning]),
      ],
    ),
  ].join('\n');
}
