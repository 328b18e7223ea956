// The desktop client in the app: commands that only it has. Where there is no program around the page, there is nothing of this.
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { type Command, define, done, refused } from '../commands/define.ts';
import type { DesktopAccounts, DesktopPort, DesktopSwitch, DesktopSystem } from './port.ts';
import { RemovingAccount } from './removing.ts';

const ONLY_ONE = 'There’s only one account in this app. Run “Add an account or server” first.';

/** What the program said last: the accounts of this machine, and what of it is on. */
class Known implements PartHooks {
  readonly #ends: readonly (() => void)[];
  #known: DesktopAccounts = { here: '', profiles: [] };
  system: DesktopSystem = { menuBar: null, tray: null, autostart: null, spelling: [], customFile: '' };
  /** Told once what is on the next time that the program says it. */
  #next: ((system: DesktopSystem) => void) | null = null;

  constructor(desktop: DesktopPort) {
    this.#ends = [
      desktop.onProfiles((accounts) => (this.#known = accounts)),
      desktop.onSystem((system) => this.#heed(system)),
    ];
  }

  #heed(system: DesktopSystem): void {
    this.system = system;
    const next = this.#next;
    this.#next = null;
    next?.(system);
  }

  /** What is asked for now is done when the program says what is on. */
  onceDone(listener: (system: DesktopSystem) => void): void {
    this.#next = listener;
  }

  get others(): DesktopAccounts['profiles'] {
    return this.#known.profiles.filter(({ host }) => host !== this.#known.here);
  }

  get title(): string {
    const own = this.#known.profiles.find(({ host }) => host === this.#known.here);
    return own?.title ?? 'this account';
  }

  close(): void {
    for (const end of this.#ends) end();
  }
}

function commandsOf(desktop: DesktopPort, accounts: Known): readonly Command[] {
  return [
    define({
      id: 'desktop.addAccount',
      title: 'Add an account or server…',
      aliases: ['second account', 'another server', 'new profile', 'sign in to another account'],
      group: 'Account',
      icon: 'device',
      run() {
        desktop.say({ type: 'add' });
        return done;
      },
    }),
    define({
      id: 'desktop.switchAccount',
      title: 'Switch to another account…',
      aliases: ['other account', 'other server', 'change profile', 'next account'],
      group: 'Account',
      icon: 'device',
      args: [{ name: 'account', kind: 'choice', prompt: 'Which account?' }],
      choices: () => accounts.others.map(({ host, title }) => ({ value: host, title })),
      when: () => (accounts.others.length === 0 ? ONLY_ONE : null),
      run(_program, { account = '' }) {
        if (!accounts.others.some(({ host }) => host === account))
          return refused('That account isn’t on this machine any more.');
        desktop.say({ type: 'switch', host: account });
        return done;
      },
    }),
    define({
      id: 'desktop.removeAccount',
      title: 'Remove this account from this machine…',
      aliases: ['remove profile', 'forget this server', 'delete local tasks'],
      group: 'Account',
      icon: 'device',
      run(program) {
        program.leaveText();
        program.editor.flush();
        program.dialog.open(new RemovingAccount(program, desktop, accounts.title));
        return done;
      },
    }),
  ];
}

interface Switch {
  readonly id: string;
  readonly what: DesktopSwitch;
  readonly title: string;
  /** For its two states: what it says of what it will do, and what it did. */
  readonly on: readonly [title: string, said: string];
  readonly off: readonly [title: string, said: string];
  readonly aliases: readonly string[];
}

const switches: readonly Switch[] = [
  {
    id: 'desktop.menuBar',
    what: 'menuBar',
    title: 'Show or hide the menu bar',
    on: ['Show the menu bar', 'The menu bar is shown. F10 opens it.'],
    off: ['Hide the menu bar', 'The menu bar is hidden.'],
    aliases: ['menus', 'menubar'],
  },
  {
    id: 'desktop.tray',
    what: 'tray',
    title: 'Show or hide the icon in the tray',
    on: [
      'Show an icon in the tray',
      'Posthaste is in the tray, and goes on there when you close its windows.',
    ],
    off: [
      'Hide the icon in the tray',
      'The icon in the tray is gone. Closing the last window ends Posthaste.',
    ],
    aliases: ['tray icon', 'status icon', 'run in the background', 'indicator'],
  },
  {
    id: 'desktop.autostart',
    what: 'autostart',
    title: 'Start with the computer, or not',
    on: ['Start with the computer', 'Posthaste starts when you sign in to this computer.'],
    off: ['Don’t start with the computer', 'Posthaste starts only when you open it.'],
    aliases: ['autostart', 'login item', 'launch at login', 'open at startup'],
  },
];

const CANT = 'This system has no such thing.';
const FAILED = 'That couldn’t be changed on this computer.';

function switchCommand(desktop: DesktopPort, known: Known, given: Switch): Command {
  const { id, what, title, on, off, aliases } = given;
  return define({
    id,
    title,
    aliases,
    group: 'Settings',
    icon: 'device',
    titleNow: () => (known.system[what] === true ? off : on)[0],
    when: () => (known.system[what] === null ? CANT : null),
    run(program) {
      const isOn = known.system[what] !== true;
      known.onceDone((system) =>
        program.act(() => {
          if (system[what] === isOn) program.say((isOn ? on : off)[1]);
          else program.say(FAILED, { error: true });
        }),
      );
      desktop.say({ type: 'keep', what, isOn });
      return done;
    },
  });
}

/** `en-us, de` as languages are written; null: one of them is none. */
function languagesOf(text: string): readonly string[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const read = words.map((word) => {
    const [language = '', country = '', ...rest] = word.split(/[-_]/);
    const whole = language.toLowerCase() + (country === '' ? '' : `-${country.toUpperCase()}`);
    return rest.length === 0 && /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(whole) ? whole : null;
  });
  return read.includes(null) || read.length > 10 ? null : read.filter((word) => word !== null);
}

function saySpelling(program: Program, asked: readonly string[]): (system: DesktopSystem) => void {
  return ({ spelling }) => {
    const missing = asked.filter((language) => !spelling.includes(language));
    const checked =
      spelling.length === 0 ? 'Spelling isn’t checked.' : `Spelling is checked in ${spelling.join(', ')}.`;
    const lacks = missing.length === 0 ? '' : ` This computer has no dictionary for ${missing.join(', ')}.`;
    program.act(() => program.say(checked + lacks));
  };
}

function systemCommands(desktop: DesktopPort, known: Known): readonly Command[] {
  return [
    define({
      id: 'desktop.customCode',
      title: 'Edit custom JavaScript…',
      aliases: ['own code', 'scripts', 'plugins', 'user script', 'custom.js'],
      group: 'Settings',
      icon: 'code',
      run(program) {
        known.onceDone(({ customFile }) =>
          program.act(() =>
            program.say(
              `Your code is in ${customFile}. Turn on “Custom JavaScript,” then reload the app to run it.`,
            ),
          ),
        );
        desktop.say({ type: 'custom' });
        return done;
      },
    }),
    ...switches.map((given) => switchCommand(desktop, known, given)),
    define({
      id: 'desktop.spelling',
      title: 'Choose the languages of spell check…',
      aliases: ['spelling', 'spellcheck', 'dictionary', 'language of spelling'],
      group: 'Settings',
      icon: 'device',
      args: [
        {
          name: 'languages',
          kind: 'text',
          prompt: 'Languages, such as en-US, de-DE. “System” is what your computer says',
        },
      ],
      run(program, { languages = '' }) {
        const isSystem = /^\s*system\s*$/i.test(languages);
        const asked = isSystem ? null : languagesOf(languages);
        if (!isSystem && asked === null)
          return refused('Type languages by their codes, separated by commas: en-US, de-DE.');
        known.onceDone(saySpelling(program, asked ?? []));
        desktop.say({ type: 'spelling', languages: asked });
        return done;
      },
    }),
  ];
}

function desktopPart(desktop: DesktopPort): Part<Known> {
  const accounts = new Known(desktop);
  return definePart<Known>({
    name: 'Desktop',
    create: () => accounts,
    commands: [...commandsOf(desktop, accounts), ...systemCommands(desktop, accounts)],
  });
}

/** Adds what the desktop client has, where the app runs in it. */
export const desktopClient = definePart({
  name: 'Desktop client',
  create({ platform, parts }: Program) {
    const { desktop } = platform;
    if (!desktop) return {};
    parts.add([desktopPart(desktop)]);
    let isClosed = false;
    desktop.onParts((more) => {
      // A script of the same build made them.
      if (!isClosed) parts.add(more as readonly Part[]);
    });
    return { close: () => (isClosed = true) };
  },
});
