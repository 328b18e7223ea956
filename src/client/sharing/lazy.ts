// Lazy part of the dialogs of sharing: only this file is loaded with the commands.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';
import type { ShareStart } from './share-dialog.ts';

/** The dialogs of sharing. Loaded when idle or first needed. */
export const lazySharing = lazyPart('Sharing', async () => {
  const [share, invitation, profile] = await Promise.all([
    import('./share-dialog.ts'),
    import('./invitation-dialog.ts'),
    import('./profile-dialog.ts'),
  ]);
  return { ...share, ...invitation, ...profile };
});

function leaveTexts(program: Program): void {
  program.leaveText();
  program.editor.flush();
}

/** `start`: the sheet, or the question whether to leave. */
export function openShare(program: Program, list: Id, start: ShareStart): CommandResult {
  return program.inputQueue.enter(lazySharing, ({ ShareDialog }) => {
    leaveTexts(program);
    program.dialog.open(new ShareDialog(program, list, start));
    return done;
  });
}

/** Shows an invitation by the last part of its link. */
export function openInvitation(program: Program, token: string): CommandResult {
  return program.inputQueue.enter(lazySharing, ({ InvitationDialog }) => {
    leaveTexts(program);
    program.dialog.open(new InvitationDialog(program, token));
    return done;
  });
}

/** Shows how the person is shown to others. */
export function openProfile(program: Program): CommandResult {
  return program.inputQueue.enter(lazySharing, ({ ProfileDialog }) => {
    leaveTexts(program);
    program.dialog.open(new ProfileDialog(program));
    return done;
  });
}
