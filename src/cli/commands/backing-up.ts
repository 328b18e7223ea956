// The command that keeps backups of the whole account in a folder, for schedulers.
import { join, resolve } from 'node:path';
import { exportNames, isExportName, type ExportName } from '#core/formats/export/names.ts';
import { readAccount, type WholeAccount } from '../account.ts';
import { filesOf, isLiving, NOT_INCLUDED } from '../backup/contents.ts';
import { openFolder, prune, type Pruned, writeBackup } from '../backup/files.ts';
import type { Call, Command } from '../command.ts';
import { wrongUse } from '../failure.ts';
import { takeLock } from '../file-lock.ts';

const DEFAULT: readonly ExportName[] = ['json', 'markdown'];
const LOCK = '.posthaste-backup.lock';

function formatsOf(call: Call): readonly ExportName[] {
  const asked = call.all('format').flatMap((text) => text.split(',').map((name) => name.trim()));
  const known = asked.filter(isExportName);
  if (known.length < asked.length) throw wrongUse(`--format needs ${exportNames.join(', ')}.`);
  return known.length === 0 ? DEFAULT : [...new Set(known)];
}

function keepOf(call: Call): number {
  const said = call.option('keep');
  if (said === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,5}$/.test(said)) throw wrongUse('--keep needs a number, 1 or more.');
  return Number(said);
}

function prunedLines({ removed, left, isHeld }: Pruned): readonly string[] {
  return [
    ...(removed.length === 0 ? [] : [`Removed ${removed.length} old: ${removed.join(', ')}.`]),
    ...(left.length === 0
      ? []
      : [`Left ${left.join(', ')}: there are files in it that weren't written by backups, or were changed.`]),
    ...(isHeld
      ? [
          'This backup is less than half as large as the last one, so no old one was removed. Check your tasks.',
        ]
      : []),
  ];
}

/** Tells accounts apart, whatever token is used: the id of the Inbox. */
async function ownerOf({ session }: Call, { entities }: WholeAccount): Promise<string> {
  const inbox = entities.find(({ fields }) => fields['listType'] === 'inbox');
  if (inbox) return inbox.id;
  const { lists } = await session.askPatiently((client) => client.listLists());
  return lists.find(({ list_type: type }) => type === 'inbox')?.id ?? session.account;
}

async function backUp(call: Call, folder: string): Promise<void> {
  const { session, world } = call;
  const formats = formatsOf(call);
  const keep = keepOf(call);
  // Who is not signed in learns that before anything is written.
  session.client();
  openFolder(folder);
  const unlock = takeLock(join(folder, LOCK), 'Another backup into this folder is running', world.now());
  try {
    const account = await readAccount(session);
    const owner = await ownerOf(call, account);
    const files = filesOf(account, formats, world.zone);
    const attached = files.some(({ name }) => name === NOT_INCLUDED);
    const name = writeBackup(folder, {
      account: owner,
      at: world.now(),
      entities: account.entities.length,
      isOfOneMoment: account.isOfOneMoment,
      files,
    });
    const pruned = prune(folder, { account: owner, name, keep });
    const tasks = account.entities.filter((entity) => entity.type === 'task' && isLiving(entity)).length;
    const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const lines = [
      `Backed up ${tasks} tasks to ${folder}/${name}.`,
      ...(account.isOfOneMoment
        ? []
        : ['Tasks changed while they were read: parts of the backup are of different moments.']),
      ...(attached ? [`Attached files aren't included. ${NOT_INCLUDED} lists them.`] : []),
      ...prunedLines(pruned),
    ];
    const json = {
      success: true,
      folder,
      name,
      files: files.map((file) => file.name),
      tasks,
      bytes,
      is_of_one_moment: account.isOfOneMoment,
      removed: pruned.removed,
      left: pruned.left,
    };
    call.show(json, lines.join('\n'));
  } finally {
    unlock();
  }
}

/** The command backup. */
export const backingUpCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: '<folder>',
    summary: 'Keep a backup of everything in a folder, for a scheduler.',
    details: [
      'Each backup is a folder named by date and time in UTC, with JSON to restore (import it in the app) and Markdown to read. It appears',
      'only when it is complete and was read again. Old ones are removed only then, only as --keep says, and only files that backups',
      'wrote. The folder is made if its parent is there.',
    ],
    options: [
      { name: 'keep', short: 'k', value: 'count', summary: 'keep this many; without it, all' },
      {
        name: 'format',
        short: 'f',
        value: exportNames.join('|'),
        isRepeatable: true,
        summary: 'json and markdown by default; can be repeated',
      },
    ],
    sendsOutbox: true,
    async run(call) {
      const [folder, ...more] = call.words;
      if (folder === undefined || more.length > 0) throw wrongUse('Name one folder for the backups.');
      await backUp(call, resolve(call.world.folder, folder));
    },
  },
];
