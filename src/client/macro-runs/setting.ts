// The switch that lets programs run macros. It is the account's: the server asks for it before it passes on a run, and a device
// before it takes one.
import { programsRunMacros } from '#core/macros.ts';
import { toggle } from '../settings/setting.ts';

/** Whether programs may run the macros that links may start. */
export const programsMayRun = toggle({
  key: programsRunMacros,
  title: 'Let programs run macros',
  aliases: ['api', 'agents', 'mcp', 'command line', 'automation', 'run macro'],
  tab: 'Account',
  scope: 'account',
  fallback: false,
  help: 'Programs with a token that can write may run the macros that links may start. They run in an open app of yours, each with one undo.',
});
