// Answers the command line: which account of the app is meant, and what comes of the call.
import { type DesktopAnswer, type DesktopCall, desktopCallSchema } from '#wire/desktop.ts';
import { isLink } from './link-queue.ts';
import type { OpenedProfile } from './opened-profile.ts';
import type { DesktopProfile } from './profiles.ts';
import { serverAddress } from './settings.ts';

const ASKS = 'posthaste:get-selected-tasks';

export interface AnsweringPorts {
  /** The one that was used last comes first. */
  profiles(): readonly DesktopProfile[];
  opened(host: string): OpenedProfile | undefined;
  /** Opens a link in the window of a profile. */
  open(host: string, link: string): void;
}

function read(line: string): DesktopCall | null {
  try {
    const call = desktopCallSchema.safeParse(JSON.parse(line));
    return call.success ? call.data : null;
  } catch {
    // No JSON: of another program.
    return null;
  }
}

async function answerCall(ports: AnsweringPorts, call: DesktopCall): Promise<DesktopAnswer> {
  const server = serverAddress(call.server);
  const there = ports.profiles().filter((profile) => server !== null && profile.server === server);
  if (call.type === 'link') {
    const [profile] = there;
    if (!isLink(call.link)) return { type: 'refused', problem: 'That’s no link of Posthaste.' };
    if (profile === undefined) return { type: 'elsewhere' };
    ports.open(profile.host, call.link);
    return { type: 'taken' };
  }
  // Nothing is opened for it: what isn't on the screen isn't selected.
  const opened = there.map(({ host }) => ports.opened(host)).find((each) => each?.links.isOpen);
  if (!opened) return { type: 'elsewhere' };
  const text = new Promise<string>((resolve) => opened.wantSelected.push(resolve));
  opened.links.add(ASKS);
  return { type: 'selected', text: await text };
}

/** The answer to one line, as a line. What is selected is told once the page has said it, which it does where its person allows that. */
export async function answerLine(ports: AnsweringPorts, line: string): Promise<string> {
  const call = read(line);
  const answer: DesktopAnswer =
    call === null
      ? { type: 'refused', problem: 'The app doesn’t know this question.' }
      : await answerCall(ports, call);
  return JSON.stringify(answer);
}
