// A command for every setting, generated from its definition, and the one that opens the dialog.
import { aliasesOf, allSettings, commandOf } from './catalog.ts';
import { changeSetting } from './changing.ts';
import { openSettings } from './lazy.ts';
import type { AnySetting } from './setting.ts';
import { announced, type Command, define, refused } from '../commands/define.ts';

const group = 'Settings' as const;
/** For the middle of a sentence. */
const lower = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);
const wordsFor = (setting: AnySetting) => [setting.title, ...aliasesOf(setting), 'settings', 'preferences'];

function toggleCommand(setting: AnySetting): Command {
  const name = lower(setting.title);
  return define({
    id: commandOf(setting),
    title: `Toggle ${name}`,
    aliases: wordsFor(setting),
    group,
    titleNow: ({ settings }) => `Turn ${settings.get(setting) === true ? 'off' : 'on'}: ${name}`,
    run: (program) => announced(changeSetting(program, setting, program.settings.get(setting) !== true)),
  });
}

function valueCommand(setting: AnySetting): Command {
  const { title, kind, choices } = setting;
  const offered = choices.map((choice) => ({ value: String(choice.value), title: choice.title }));
  return define({
    id: commandOf(setting),
    title: `${title}…`,
    aliases: wordsFor(setting),
    group,
    args: [
      kind === 'choice'
        ? { name: 'value', kind: 'choice', prompt: title, choices: offered }
        : { name: 'value', kind: 'text', prompt: title },
    ],
    chosen: ({ settings }) => String(settings.get(setting)),
    run(program, { value = '' }) {
      const problem = setting.problem(value);
      return problem === null
        ? announced(changeSetting(program, setting, setting.read(value)))
        : refused(problem);
    },
  });
}

/** A command for each setting that has none of its own. */
export const commandsOfSettings = (settings: readonly AnySetting[]): readonly Command[] =>
  settings
    .filter(({ command }) => command === undefined)
    .map((setting) => (setting.kind === 'toggle' ? toggleCommand(setting) : valueCommand(setting)));

/** Opening the settings, and changing each of them. */
export const settingCommands: readonly Command[] = [
  define({
    id: 'settings.open',
    title: 'Settings',
    aliases: ['preferences', 'options', 'configure', 'customise', 'customize'],
    group,
    run: (program) => openSettings(program),
  }),
  ...commandsOfSettings(allSettings),
];
