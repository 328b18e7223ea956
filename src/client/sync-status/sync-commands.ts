// Commands on sync: the status dialog, unsent changes as a file, damaged records, notices.
import { counted } from '#core/counted.ts';
import { type Id, parseId } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import { withDetaching } from './detaching-lazy.ts';
import { showSyncStatus } from '../dialogs/answers.ts';
import { writeUnsent } from './unsent-file.ts';

const JSON_TYPE = 'application/json';

function openStatus(program: Program): CommandResult {
  program.leaveText();
  program.editor.flush();
  showSyncStatus(program, 'sync');
  return done;
}

/** Without an account nothing is ever sent, so the file gets everything. */
function download(program: Program): CommandResult {
  program.editor.flush();
  const { account } = program.platform;
  if (account.email === null) return program.run('export.accountJson');
  const { pending } = program.engine.facts();
  const recovered = program.engine.recovered.get();
  const count = pending.length + recovered.length;
  if (count === 0) return refused('Everything’s synced.', 'info');
  const now = program.replica.now();
  const text = writeUnsent(
    { scope: program.replica.scope, operations: pending, recovered },
    { email: account.email, at: now },
  );
  const name = 'Posthaste unsynced changes.json';
  program.platform.saveFile(name, JSON_TYPE, text);
  return announced(`Downloaded ${counted(count, 'change')} as ${name}.`);
}

/** Reports the result of a longer operation. */
function later(program: Program, work: Promise<CommandResult>): CommandResult {
  void work.then((result) =>
    program.act(() => {
      if (result.type === 'refused') program.say(result.reason, { error: true });
      if (result.type === 'done' && result.announce !== undefined) program.say(result.announce);
    }),
  );
  return done;
}

async function downloadDamaged({ platform }: Program): Promise<CommandResult> {
  const text = await platform.device.damaged();
  if (text === null) return refused('There’s no damaged data on this device.');
  const name = 'Posthaste damaged data.json';
  platform.saveFile(name, JSON_TYPE, text);
  return announced(`Downloaded ${name}.`);
}

async function downloadKept({ platform }: Program, id: Id): Promise<CommandResult> {
  const text = await platform.device.keptChanges(id);
  if (text === null) return refused('Can’t read that copy.');
  const name = 'Posthaste unsynced changes of another account.json';
  platform.saveFile(name, JSON_TYPE, text);
  return announced(`Downloaded ${name}.`);
}

async function dropKept({ platform }: Program, id: Id): Promise<CommandResult> {
  await platform.device.dropKept(id);
  return announced('Removed that copy from this device.');
}

const copy = [{ name: 'copy', kind: 'text', prompt: 'Which copy?' }] as const;

function withCopy(work: (program: Program, id: Id) => Promise<CommandResult>): Command['run'] {
  return (program, args) => {
    const id = parseId(args.copy ?? '');
    return id === null ? refused('That copy doesn’t exist.') : later(program, work(program, id));
  };
}

const needsAccount = ({ platform }: Program) =>
  platform.account.email === null ? 'Without an account, nothing syncs. Sign in first.' : null;

function canDisable(program: Program): string | null {
  const state = program.engine.state.get();
  const { detached, isWhole } = program.engine.facts();
  if (detached !== null) return 'Cloud sync is already off.';
  if (state.type === 'volatile' || (state.type === 'unsaved' && state.failing))
    return 'Only the server has your tasks now. Keep cloud sync on.';
  return isWhole
    ? needsAccount(program)
    : (needsAccount(program) ?? 'Your tasks are still loading. Try again.');
}

function canEnable({ engine }: Program): string | null {
  if (engine.facts().detached === null) return 'Cloud sync is already on.';
  return engine.facts().isWhole || engine.state.get().type !== 'loading'
    ? null
    : 'Your tasks are still loading. Try again.';
}

/** Turning cloud sync off and on, and the state and rescue of changes. */
export const syncCommands: readonly Command[] = [
  define({
    id: 'sync.disable',
    title: 'Disable cloud sync',
    aliases: ['turn off sync', 'work locally', 'stop syncing', 'offline', 'detach'],
    group: 'Application',
    when: canDisable,
    run: (program) => withDetaching(program, ({ openDisable }) => openDisable(program)),
  }),
  define({
    id: 'sync.enable',
    title: 'Enable cloud sync',
    aliases: ['turn on sync', 'resume syncing', 'attach'],
    group: 'Application',
    when: canEnable,
    run: (program) => withDetaching(program, ({ openEnable }) => openEnable(program)),
  }),
  define({
    id: 'sync.safetyCopies',
    title: 'Safety copies',
    aliases: ['restore changes', 'cloud sync was off', 'removed changes'],
    group: 'Application',
    when: needsAccount,
    run: (program) => withDetaching(program, ({ openCopies }) => openCopies(program)),
  }),
  define({
    id: 'application.syncStatus',
    title: 'Sync status',
    aliases: ['unsent', 'unsynced', 'waiting changes', 'storage', 'connection', 'ledger'],
    group: 'Application',
    run: openStatus,
  }),
  define({
    id: 'sync.download',
    title: 'Download unsynced changes',
    aliases: ['save unsent', 'export waiting changes', 'rescue'],
    group: 'Application',
    run: download,
  }),
  define({
    id: 'sync.downloadDamaged',
    title: 'Download damaged data',
    aliases: ['quarantine', 'corrupt'],
    group: 'Application',
    run: (program) => later(program, downloadDamaged(program)),
  }),
  define({
    id: 'sync.downloadKept',
    title: 'Download unsynced changes of a kept copy',
    group: 'Application',
    inPalette: false,
    args: copy,
    run: withCopy(downloadKept),
  }),
  define({
    id: 'sync.dropKept',
    title: 'Remove a kept copy',
    group: 'Application',
    inPalette: false,
    args: copy,
    run: withCopy(dropKept),
  }),
  define({
    id: 'notice.dismiss',
    title: 'Dismiss a notice',
    group: 'Application',
    inPalette: false,
    args: [{ name: 'notice', kind: 'text', prompt: 'Which notice?' }],
    run(program, args) {
      program.platform.device.dismiss(args.notice ?? '');
      return done;
    },
  }),
];
