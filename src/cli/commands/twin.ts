// The command that keeps a folder of Markdown files and the account in step.
import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { wrongUse } from '../failure.ts';
import { keepInStep, saySum, Twin } from '../twin/keeping.ts';

const twin: Command = {
  name: 'twin',
  usage: '<folder>',
  summary: 'Keep a Markdown file per list in step with your lists, both ways.',
  details: [
    'Edit the files with any editor: a line is a task, indented lines below it are subtasks and notes, and the mark at the end',
    'of a line is the id of its task. New lines become tasks, deleted lines go to the trash, and renamed files rename lists.',
    'It goes on until you press Ctrl+C. With --once it does one round, for cron and Git hooks.',
  ],
  options: [
    { name: 'once', summary: 'come into step once, and end' },
    {
      name: 'allow-deletions',
      summary: 'also delete when much of a list, or a whole file, is missing',
    },
    {
      name: 'every',
      value: 'seconds',
      summary: 'how often to look at the server, 45 by default, at least 5',
    },
    { name: 'adopt', summary: 'the first time: make lists of the Markdown files that are already there' },
  ],
  async run(call) {
    const [folder, ...more] = call.words;
    if (folder === undefined || more.length > 0) throw wrongUse('Which folder? posthaste twin <folder>');
    const every = call.option('every');
    if (every !== undefined && !/^(?:[5-9]|[1-9]\d{1,5})$/.test(every))
      throw wrongUse('--every needs a number of seconds, 5 or more.');
    const wish = {
      ...(every === undefined ? {} : { pollMs: Number(every) * 1_000 }),
      root: resolve(call.world.folder, folder),
      mayDelete: call.has('allow-deletions'),
      mayAdopt: call.has('adopt'),
    };
    // A session that isn't there is said before a folder is made.
    call.session.client();
    if (!call.has('once')) return keepInStep(call, wish);
    const kept = new Twin(call, wish);
    try {
      const sum = await kept.inStep();
      call.show({ success: true, ...sum }, saySum(sum));
    } finally {
      kept.unlock();
    }
  },
};

/** The command twin. */
export const twinCommands: readonly Command[] = [twin];
