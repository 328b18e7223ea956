// Commands that go through the app in the browser: opening a place in it, and asking which tasks are selected.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { readSelected, selectedFileName } from '#client/links/selected.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { findList } from '../names.ts';
import { askApp } from '../running-app.ts';
import { writeWhole } from '../private-folder.ts';

const PLACES: ReadonlySet<string> = new Set(['inbox', 'today', 'search', 'quick-entry']);
const LOOK_EVERY_MS = 150;
const PRINT = { name: 'print', summary: 'only print the address' } as const;

/** The program that opens addresses, overridden by `BROWSER`. */
function opener({ environment }: Call['world']): readonly string[] {
  const own = environment['BROWSER'];
  if (own) return own.split(' ').filter((word) => word !== '');
  if (platform() === 'darwin') return ['open'];
  return platform() === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}

async function openAddress(call: Call, address: string): Promise<void> {
  const [program = '', ...words] = opener(call.world);
  const code = await call.world.launch(program, [...words, address]);
  if (code !== 0) throw new Failure('unexpected', `${program} could not open ${address}`);
}

async function addressOf(call: Call, text: string): Promise<string> {
  const base = `${call.session.appUrl}/app`;
  if (text === '') return `${base}/`;
  if (PLACES.has(text)) return `${base}/open/${text}`;
  const task = call.seen.find(text);
  if (task !== null) {
    // An id may be that of a list.
    const list = findList(text, (await call.names.all()).lists);
    return list === null || list === 'several'
      ? `${base}/open/tasks/id/${task}`
      : `${base}/open/lists/id/${list.id}`;
  }
  return `${base}/open/lists/id/${(await call.names.list(text)).id}`;
}

const SILENT =
  "The app didn't answer. In Settings, tab Behavior, turn on “Let links see which tasks are selected.”";
/** How long a running app may take to say that it has a link. */
const TAKING_MS = 3_000;

/** The link of the app for an address of it. */
const linkOf = (call: Call, address: string) =>
  `posthaste:${address.slice(`${call.session.appUrl}/app`.length).replace(/^\/(?:open\/)?/, '')}`;

/** Opens it in the desktop app, if that runs with an account of this server. False: it doesn't. */
async function openInApp(call: Call, address: string): Promise<boolean> {
  // Somebody who chose a program has it.
  if (call.world.environment['BROWSER']) return false;
  const link = linkOf(call, address);
  const answer = await askApp(call.world, { type: 'link', server: serverOf(call), link }, TAKING_MS);
  return answer?.type === 'taken';
}

/** The origin of the server that the command line works with. */
const serverOf = (call: Call) => new URL(call.session.appUrl).origin;

const open: Command = {
  name: 'open',
  usage: '[task | list | inbox | today | search | quick-entry]',
  summary: 'Open a task, a list, or a place in the app.',
  details: [
    'In the desktop app, if it runs with an account of this server; else in the browser. Set BROWSER to choose',
    'the program that opens addresses.',
  ],
  options: [PRINT],
  async run(call) {
    const address = await addressOf(call, call.words.join(' '));
    if (!call.has('print') && !(await openInApp(call, address))) await openAddress(call, address);
    call.show({ success: true, url: address }, call.has('print') ? address : `Opened ${address}`);
  },
};

/** Files that the app saved in the folder, with their modification times. */
function savedIn(folder: string): ReadonlyMap<string, number> {
  const [stem = ''] = selectedFileName.split('.json');
  const names = readdirSync(folder).filter((name) => name.startsWith(stem) && name.endsWith('.json'));
  return new Map(names.map((name) => join(folder, name)).map((file) => [file, statSync(file).mtimeMs]));
}

/** A file that is new or changed since `before`; null: none yet. */
function newIn(folder: string, before: ReadonlyMap<string, number>): string | null {
  const [found] = [...savedIn(folder)].find(([file, at]) => before.get(file) !== at) ?? [];
  return found ?? null;
}

const selected: Command = {
  name: 'selected',
  usage: '',
  summary: 'Write the ids of the selected tasks in the app, and of the open list, to a JSON file.',
  details: [
    'Asks the desktop app, if it runs with an account of this server; else the app in your browser, which',
    'downloads the file that is then moved. The app only answers if “Links may ask which tasks are selected” is on',
    'in Settings. The selection is the one in the window you used last.',
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'file',
      summary: 'the file to write; by default one in the folder of posthaste',
    },
    {
      name: 'downloads',
      value: 'folder',
      summary: 'where the browser saves downloads; ~/Downloads by default',
    },
    { name: 'timeout', value: 'seconds', summary: 'how long to wait for the app; 15 by default' },
  ],
  async run(call) {
    const { world, folder } = call;
    const seconds = Number(call.option('timeout') ?? 15);
    if (!Number.isFinite(seconds) || seconds <= 0) throw wrongUse('--timeout needs a number of seconds.');
    const answer = await askApp(world, { type: 'selected', server: serverOf(call) }, seconds * 1_000);
    if (answer?.type === 'refused') throw new Failure('missing', SILENT);
    const said = answer?.type === 'selected' ? readSelected(answer.text) : null;
    if (said !== null) {
      const written = resolve(
        world.folder,
        call.option('output') ?? join(folder.path, 'selected-tasks.json'),
      );
      writeWhole(written, `${JSON.stringify(said, null, 2)}\n`);
      call.show({ success: true, file: written, ...said }, written);
      return;
    }
    const home = world.environment['HOME'] || homedir();
    const downloads = resolve(world.folder, call.option('downloads') ?? join(home, 'Downloads'));
    const output = resolve(world.folder, call.option('output') ?? join(folder.path, 'selected-tasks.json'));
    if (!existsSync(downloads))
      throw new Failure('missing', `There's no folder ${downloads}. Set the right one with --downloads.`);
    const before = savedIn(downloads);
    await openAddress(call, `${call.session.appUrl}/app/open/get-selected-tasks`);
    for (let waited = 0; waited < seconds * 1_000; waited += LOOK_EVERY_MS) {
      const file = newIn(downloads, before);
      const found = file === null ? null : readSelected(readFileSync(file, 'utf8'));
      if (file !== null && found !== null) {
        writeWhole(output, `${JSON.stringify(found, null, 2)}\n`);
        rmSync(file);
        call.show({ success: true, file: output, ...found }, output);
        return;
      }
      await world.pause(LOOK_EVERY_MS);
    }
    throw new Failure('missing', SILENT);
  },
};

/** The commands open and selected. */
export const appCommands: readonly Command[] = [open, selected];
