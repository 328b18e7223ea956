// Imports our own JSON from the command line: with its ids where nothing of it is in the account, else as a second copy.
import { counted } from '#client/importing/report.ts';
import { fold } from '#core/search/fold.ts';
import type { Id } from '#core/ids.ts';
import type { Call } from '../command.ts';
import { Failure } from '../failure.ts';
import { plainLine } from '../printing.ts';
import { isAnyHere, type OwnDocument, parseOwnDocument, readOwnDocument } from './own-document.ts';
import { marksOf, progressOf, RECORDS, stopped, unsentLines } from './records.ts';
import { type Made, Sending, takeBack, type There, type Unsent } from './sending.ts';

interface Text {
  readonly name: string;
  readonly text: string;
}

interface Account {
  readonly inbox: Id;
  readonly lists: There;
  readonly labels: There;
}

async function accountOf({ session }: Call): Promise<Account> {
  const { lists } = await session.askPatiently((client) => client.listLists());
  const { labels } = await session.askPatiently((client) => client.listLabels());
  const inbox = lists.find(({ list_type: type }) => type === 'inbox')?.id;
  if (inbox === undefined) throw new Failure('unexpected', 'The account has no Inbox.');
  return {
    inbox: inbox as Id,
    lists: new Map(lists.map((list) => [list.id as Id, { ...list }])),
    labels: new Map(labels.map((label) => [label.id as Id, { ...label }])),
  };
}

const tasksIn = ({ creates }: OwnDocument) => creates.filter(({ type }) => type === 'task').length;
const listsIn = ({ creates }: OwnDocument) => creates.filter(({ type }) => type === 'list').length;

function linesOf(document: OwnDocument, isCopy: boolean, unsent: Unsent): readonly string[] {
  return [
    `Posthaste · ${counted(tasksIn(document), 'task')}, ${counted(listsIn(document), 'list')}`,
    ...(isCopy ? ['Part of it is in the account, or was: it comes as a second copy.'] : []),
    ...unsentLines(unsent),
  ];
}

/** Imports one document. `--dry-run` says what would come. */
export async function importOwn(call: Call, { name, text }: Text): Promise<void> {
  const { session, world } = call;
  const parsed = parseOwnDocument(name, text);
  const account = await accountOf(call);
  const known = new Map([...account.labels].map(([id, label]) => [fold(String(label['name'])), id]));
  const read = (keepsIds: boolean) =>
    readOwnDocument(parsed, {
      inbox: account.inbox,
      keepsIds,
      labels: known,
      newId: () => world.newId(),
    });
  const first = read(true);
  let isCopy = await isAnyHere(session, first.creates, account.lists);
  let document = isCopy ? read(false) : first;
  if (call.has('dry-run')) {
    const unsent = Sending.unsentOf(document.creates, document.lost);
    const lines = [...linesOf(document, isCopy, unsent), 'Nothing was imported.'];
    const json = {
      success: true,
      dry_run: true,
      undo: null,
      tasks: tasksIn(document),
      lists: listsIn(document),
    };
    call.show({ ...json, unsent: Object.fromEntries(unsent) }, lines.map(plainLine).join('\n'));
    return;
  }
  const record = world.newId().slice(-6);
  const about = { account: session.account, name, at: world.now(), marks: marksOf(call) };
  for (;;) {
    const unsent: Unsent = new Map(document.lost);
    const ports = {
      session,
      zone: world.zone,
      unsent,
      progress: progressOf(world, 'Sent'),
      keep: (made: Made) => call.folder.write(`${RECORDS}/${record}.json`, { ...about, ...made }),
    };
    const sending = new Sending(ports, {
      scope: account.inbox,
      lists: account.lists,
      labels: account.labels,
    });
    try {
      // oxlint-disable-next-line no-await-in-loop -- Once, unless ids are taken.
      await sending.send(document.creates);
      const lines = [...linesOf(document, isCopy, unsent), `Undo it with: posthaste import --undo ${record}`];
      const json = { success: true, undo: record, tasks: tasksIn(document), lists: listsIn(document) };
      call.show({ ...json, unsent: Object.fromEntries(unsent) }, lines.map(plainLine).join('\n'));
      return;
    } catch (error) {
      if (!(error instanceof Failure) || !error.isTaken || isCopy) throw stopped(error, record, sending.made);
    }
    // Ids of what lies in the trash, or is gone for good, can't be used again.
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await takeBack(session, sending.made);
    isCopy = true;
    document = read(false);
  }
}
