// Defines commands with defaults for everything usual.
import type { Tally } from '../app/messages.ts';
import type { Program } from '../app/program.ts';
import type { ArgumentValues, Availability, CommandOf, CommandResult } from './command.ts';

/** A command that acts on the running program. */
export type Command = CommandOf<Program>;

type Said = Pick<Command, 'id' | 'title' | 'group'>;
type Usual = Partial<
  Pick<
    Command,
    | 'aliases'
    | 'args'
    | 'inPalette'
    | 'isListed'
    | 'icon'
    | 'repeats'
    | 'isAboutTask'
    | 'titleNow'
    | 'chosen'
    | 'choices'
  >
>;

export interface CommandSpec extends Said, Usual {
  readonly when?: (program: Program) => Availability;
  readonly run: (program: Program, args: ArgumentValues) => CommandResult;
}

/** The command did its work and has nothing to say. */
export const done: CommandResult = { type: 'done' };
/** The command does not apply: the key goes on to the next context. */
export const passed: CommandResult = { type: 'passed' };

/** `tally`: counted together with the same command just before. */
export function announced(announce: string, tally?: Tally): CommandResult {
  return { type: 'done', announce, ...(tally === undefined ? {} : { tally }) };
}

/** Refuses a command. `reason` is a whole sentence; `tone` 'info' if nothing went wrong. */
export function refused(reason: string, tone?: 'info'): CommandResult {
  return { type: 'refused', reason, ...(tone === undefined ? {} : { tone }) };
}

/** Fills in the defaults of a command: in the palette, no key repeat, no arguments. */
export function define(spec: CommandSpec): Command {
  return {
    id: spec.id,
    title: spec.title,
    group: spec.group,
    aliases: spec.aliases ?? [],
    args: spec.args ?? [],
    inPalette: spec.inPalette ?? true,
    repeats: spec.repeats ?? false,
    isAboutTask: spec.isAboutTask ?? spec.group === 'Tasks',
    ...(spec.icon === undefined ? {} : { icon: spec.icon }),
    ...(spec.isListed === undefined ? {} : { isListed: spec.isListed }),
    ...(spec.choices === undefined ? {} : { choices: spec.choices }),
    chosen: spec.chosen ?? (() => null),
    titleNow: spec.titleNow ?? (() => spec.title),
    when: (program) => spec.when?.(program) ?? null,
    run: spec.run,
  };
}
