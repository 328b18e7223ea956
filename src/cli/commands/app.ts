// Commands that go through the app in the browser: opening a place of it, and asking which tasks are selected.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { readSelected, selectedFileName } from '#client/links/selected.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { findList } from '../names.ts';
import { writeWhole } from '../private-folder.ts';

const PLACES: ReadonlySet<string> = new Set(['inbox', 'today', 'search', 'quick-entry']);
const LOOK_EVERY_MS = 150;
const PRINT = { name: 'print', summary: 'only say the address' } as const;

/** The program that opens addresses. `BROWSER` may name another one. */
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

const open: Command = {
  name: 'open',
  usage: '[task | list | inbox | today | search | quick-entry]',
  summary: 'Open a task, a list or a place in the app.',
  details: ['BROWSER may name the program that opens addresses.'],
  options: [PRINT],
  async run(call) {
    const address = await addressOf(call, call.words.join(' '));
    if (!call.has('print')) await openAddress(call, address);
    call.show({ success: true, url: address }, call.has('print') ? address : `Opened ${address}`);
  },
};

/** Files that the app saved there, with what tells a new one from an old one. */
function savedIn(folder: string): ReadonlyMap<string, number> {
  const [stem = ''] = selectedFileName.split('.json');
  const names = readdirSync(folder).filter((name) => name.startsWith(stem) && name.endsWith('.json'));
  return new Map(names.map((name) => join(folder, name)).map((file) => [file, statSync(file).mtimeMs]));
}

/** One that was not there, or not so, before; null: not yet. */
function newIn(folder: string, before: ReadonlyMap<string, number>): string | null {
  const [found] = [...savedIn(folder)].find(([file, at]) => before.get(file) !== at) ?? [];
  return found ?? null;
}

const selected: Command = {
  name: 'selected',
  usage: '',
  summary: 'Write the ids of the tasks selected in the app, and of its open list, into a JSON file.',
  details: [
    'Asks the app in your browser, which saves the file as a download; from there it is moved. The app answers only when “Links may',
    'ask which tasks are selected” is turned on in its settings. Selected is what was, in the window that you left last.',
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'file',
      summary: 'the file to write; otherwise one in the folder of posthaste',
    },
    {
      name: 'downloads',
      value: 'folder',
      summary: 'where the browser saves downloads; ~/Downloads unless said',
    },
    { name: 'timeout', value: 'seconds', summary: 'how long to wait for the app; 15 unless said' },
  ],
  async run(call) {
    const { world, folder } = call;
    const seconds = Number(call.option('timeout') ?? 15);
    if (!Number.isFinite(seconds) || seconds <= 0) throw wrongUse('--timeout takes a number of seconds.');
    const home = world.environment['HOME'] || homedir();
    const downloads = resolve(world.folder, call.option('downloads') ?? join(home, 'Downloads'));
    const output = resolve(world.folder, call.option('output') ?? join(folder.path, 'selected-tasks.json'));
    if (!existsSync(downloads))
      throw new Failure('missing', `There is no folder ${downloads}. Say it with --downloads.`);
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
    throw new Failure(
      'missing',
      'The app said nothing. In its settings, tab Behavior, turn on: Links may ask which tasks are selected.',
    );
  },
};

export const appCommands: readonly Command[] = [open, selected];
