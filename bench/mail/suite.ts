// The mail part: a flood of messages over SMTP into a real server that is killed again and again meanwhile. Every message that
// was taken has to be a task in the end, once; that is checked before any figure is printed.
import { runMailKilled } from '../../test/process/mail-killed.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, table } from '../report.ts';

const MESSAGES = 10_000;
const QUICK_MESSAGES = 1_000;
const WANTED_MS = 5 * 60_000;
const SENDERS = 5;

export async function runMailSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const messages = quick ? QUICK_MESSAGES : MESSAGES;
  say(`mail: ${messages} messages`);
  const flood = { messages, accounts: 10, senders: SENDERS, lifeMs: 1_000, seed: 12 };
  const calm = await runMailKilled({ ...flood, kills: 0 });
  say('mail: once more, with the server killed');
  const killed = await runMailKilled({ ...flood, kills: quick ? 5 : 50 });
  const row = (name: string, { kills, again, tasks, takenMs, doneMs }: typeof calm) => [
    name,
    String(kills),
    String(again),
    String(tasks),
    takenMs / 1_000,
    doneMs / 1_000,
    tasks / (doneMs / 1_000),
  ];
  print(
    `## Mail into tasks (SQLite, ${messages} messages over ${SENDERS} connections, load ${conditions().load.toFixed(1)})`,
  );
  print(
    table(
      ['', 'kills', 'sent again', 'tasks', 'all taken s', 'all tasks s', 'tasks/s'],
      [row('undisturbed', calm), row('killed', killed)],
    ),
  );
  const lost = (report: typeof calm) => messages - report.tasks;
  return [
    {
      name: `mail, ${messages} messages with ${killed.kills} kills: until all are tasks`,
      reached: killed.doneMs / 1_000,
      bound: (WANTED_MS / 1_000) * (messages / MESSAGES),
      unit: 's',
      kind: 'at most',
    },
    { name: 'mail: taken and lost', reached: lost(calm) + lost(killed), bound: 0, unit: '', kind: 'at most' },
  ];
}
