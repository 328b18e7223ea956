// The desktop client in the app: commands that only it has. Where there is no program around the page, there is nothing of this.
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { type Command, define, done, refused } from '../commands/define.ts';
import type { DesktopAccounts, DesktopPort } from './port.ts';
import { RemovingAccount } from './removing.ts';

const ONLY_ONE = 'There’s only one account in this app. Run “Add an account or server” first.';

/** The accounts of this machine, as the program said them last. */
class Accounts implements PartHooks {
  readonly #end: () => void;
  #known: DesktopAccounts = { here: '', profiles: [] };

  constructor(desktop: DesktopPort) {
    this.#end = desktop.onProfiles((accounts) => (this.#known = accounts));
  }

  get others(): DesktopAccounts['profiles'] {
    return this.#known.profiles.filter(({ host }) => host !== this.#known.here);
  }

  get title(): string {
    const own = this.#known.profiles.find(({ host }) => host === this.#known.here);
    return own?.title ?? 'this account';
  }

  close(): void {
    this.#end();
  }
}

function commandsOf(desktop: DesktopPort, accounts: Accounts): readonly Command[] {
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

function desktopPart(desktop: DesktopPort): Part<Accounts> {
  const accounts = new Accounts(desktop);
  return definePart<Accounts>({
    name: 'Desktop',
    create: () => accounts,
    commands: commandsOf(desktop, accounts),
  });
}

/** Adds what the desktop client has, where the app runs in it. */
export const desktopClient = definePart({
  name: 'Desktop client',
  create({ platform, parts }: Program) {
    if (platform.desktop) parts.add([desktopPart(platform.desktop)]);
    return {};
  },
});
