// The command that gives this machine the key of an encrypted account, or takes it away. What it does is copy/key-work.ts.
import type { Command } from '../command.ts';
import { wrongUse } from '../failure.ts';

const ACTIONS = ['add', 'show', 'forget'] as const;
type Action = (typeof ACTIONS)[number];

const isAction = (word: string): word is Action => ACTIONS.some((each) => each === word);

const key: Command = {
  name: 'key',
  usage: 'add | show | forget',
  summary: "Give this machine the key of an encrypted account, so that it reads and writes what's in it.",
  details: [
    'You type the recovery code, or the passphrase, when you are asked; it is never part of the command line. With --pair a device where',
    'you are signed in gives the key, once you have compared the words that both show. Only you can read the saved key (mode 0600).',
  ],
  options: [{ name: 'pair', summary: 'get the key from a device where you are signed in' }],
  async run(call) {
    const [action = 'show', ...more] = call.words;
    // The message doesn't repeat the words: they may be a code.
    if (!isAction(action) || more.length > 0)
      throw wrongUse("Use posthaste key add, key show, or key forget. You'll be asked for the code.");
    if (call.has('pair') && action !== 'add') throw wrongUse('--pair goes with posthaste key add.');
    const work = await import('../copy/key-work.ts');
    await work[action](call);
  },
};

/** The command key. */
export const keyCommands: readonly Command[] = [key];
