// Commands that put the app among the programs of the device.
import type { Program } from '../program.ts';
import type { Availability, CommandResult } from './command.ts';
import { announced, type Command, define, done } from './define.ts';

/** How each browser installs it. */
const INSTALL_GUIDE = '/guides/web-app';

function canInstall({ platform }: Program): Availability {
  return platform.install.way() === 'installed' ? 'It is installed: this is its own window.' : null;
}

/** It has been answered, whichever way. */
function endOffer({ platform: { device } }: Program): void {
  for (const { id, offers } of device.notices.get()) if (offers === 'install') device.dismiss(id);
}

function installApp(program: Program): CommandResult {
  const { platform } = program;
  const { install } = platform;
  const way = install.way();
  endOffer(program);
  if (way === 'ask') {
    void install
      .ask()
      .then((isInstalled) =>
        program.act(() =>
          program.say(isInstalled ? 'Posthaste is installed.' : 'Posthaste was not installed.'),
        ),
      );
  } else if ((way === 'share' || way === 'dock') && program.dialog.get() === null) {
    program.leaveText();
    program.editor.flush();
    program.dialog.set({ type: 'install', way });
  }
  // Where the browser offers nothing itself, and in the middle of something else, the guide says how it is done.
  else platform.openLink(INSTALL_GUIDE);
  return done;
}

function canTakeLinks({ platform }: Program): Availability {
  if (platform.install.takeLinks !== null) return null;
  return 'This browser opens such links with the installed app alone.';
}

export const installCommands: readonly Command[] = [
  define({
    id: 'application.install',
    title: 'Install Posthaste on this device',
    aliases: ['add to home screen', 'add to dock', 'install the app', 'own window', 'desktop app', 'pwa'],
    group: 'Application',
    when: canInstall,
    run: installApp,
  }),
  define({
    id: 'application.takeLinks',
    title: 'Open links to tasks here',
    aliases: ['web+posthaste', 'protocol handler', 'url scheme', 'deep links'],
    group: 'Application',
    when: canTakeLinks,
    run({ platform }) {
      platform.install.takeLinks?.();
      return announced('Your browser asks whether links that begin with web+posthaste: open here.');
    },
  }),
];
