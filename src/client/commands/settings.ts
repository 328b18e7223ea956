// One command for every setting, made from what the setting says of itself, and the one that shows them all.
import { allSettings, commandOf } from '../settings/catalog.ts';
import { changeSetting } from '../settings/changing.ts';
import { openSettings } from '../settings/door.ts';
import type { AnySetting } from '../settings/setting.ts';
import { announced, type Command, define, refused } from './define.ts';

const group = 'Settings' as const;
/** In the middle of a sentence. */
const lower = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);
const aliasesOf = ({ aliases = [], title }: AnySetting) => [title, ...aliases, 'settings', 'preferences'];

function toggleCommand(setting: AnySetting): Command {
  const name = lower(setting.title);
  return define({
    id: commandOf(setting),
    title: `Turn on or off: ${name}`,
    aliases: aliasesOf(setting),
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
    aliases: aliasesOf(setting),
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

export const settingCommands: readonly Command[] = [
  define({
    id: 'settings.open',
    title: 'Settings',
    aliases: ['preferences', 'options', 'configure', 'customise', 'customize'],
    group,
    run: (program) => openSettings(program),
  }),
  ...allSettings
    .filter(({ command }) => command === undefined)
    .map((setting) => (setting.kind === 'toggle' ? toggleCommand(setting) : valueCommand(setting))),
];
