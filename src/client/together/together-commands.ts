// Commands and keys of assigning tasks and commenting on them.
import type { Binding } from '../keys/keymap.ts';
import { type Command, define, done } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { ofDialog } from '../commands/options.ts';
import { assign, assigneeChoices, assigneeNow, needsPeople, take } from './assigning.ts';
import { showComments } from './lazy.ts';
import type {} from './together-view.ts';

/** Assigning, taking, commenting, and what keys do in the comments. */
export const togetherCommands: readonly Command[] = [
  define({
    id: 'task.assign',
    title: 'Assign task…',
    aliases: ['assignee', 'give to', 'delegate', 'responsible', 'who does it', 'person'],
    group: 'Tasks',
    icon: 'person',
    args: [{ name: 'person', kind: 'choice', prompt: 'Who does it?' }],
    choices: assigneeChoices,
    when: needsPeople,
    chosen: assigneeNow,
    run: (program, { person = '' }) => assign(program, person),
  }),
  define({
    id: 'task.take',
    title: 'Take task, or give it back',
    aliases: ['assign to me', 'claim', 'mine', 'unassign'],
    group: 'Tasks',
    icon: 'person',
    when: needsPeople,
    run: take,
  }),
  define({
    id: 'task.comments',
    title: 'Comments',
    aliases: ['comment', 'discuss', 'reply', 'mention', 'chat', 'message'],
    group: 'Tasks',
    icon: 'comment',
    when: needsLiving,
    run(program) {
      const { cursor } = program.workspace;
      return cursor === null ? done : showComments(program, cursor);
    },
  }),
  ofDialog('comments.enter', 'Send the comment'),
  ofDialog('comments.send', 'Send the comment whatever is chosen'),
  ofDialog('comments.up', 'Previous comment or name', { repeats: true }),
  ofDialog('comments.down', 'Next comment or name', { repeats: true }),
  ofDialog('comments.name', 'Take the name'),
  ofDialog('comments.remove', 'Remove the comment'),
];

const NAVIGATE: readonly (readonly [keys: string, command: string])[] = [
  ['p', 'task.assign'],
  ['Shift+P', 'task.take'],
  ['c', 'task.comments'],
];

const COMMENTS: readonly (readonly [keys: string, command: string])[] = [
  ['Enter', 'comments.enter'],
  ['Mod+Enter', 'comments.send'],
  ['Up', 'comments.up'],
  ['Down', 'comments.down'],
  ['Tab', 'comments.name'],
  ['Delete', 'comments.remove'],
  ['Backspace', 'comments.remove'],
];

/** In the outline, and in the field of the comments. */
export const togetherKeys: readonly Binding[] = [
  ...NAVIGATE.map(([keys, command]) => ({ context: 'navigate', keys, command }) as const),
  ...COMMENTS.map(([keys, command]) => ({ context: 'dialog.comments', keys, command }) as const),
];
