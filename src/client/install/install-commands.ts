// Commands that install the app on the device.
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done } from '../commands/define.ts';

/** Instructions for every browser. */
const INSTALL_GUIDE = '/guides/web-app';

function canInstall({ platform }: Program): Availability {
  return platform.install.way() === 'installed'
    ? 'Posthaste is already installed. This is its window.'
    : null;
}

/** Ends the offer, whatever the answer. */
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
    program.dialog.show({ type: 'install', way });
  }
  // If the browser has no prompt of its own, the guide explains it.
  else platform.openLink(INSTALL_GUIDE);
  return done;
}

function canTakeLinks({ platform }: Program): Availability {
  if (platform.install.takeLinks !== null) return null;
  return 'This browser only opens these links in the installed app.';
}

/** Installing the app, and opening `web+posthaste:` links in it. */
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
      return announced('Your browser will ask to open web+posthaste: links here.');
    },
  }),
];
