// What stands inside the dialog, by its type. One lazy chunk: none of it is needed to draw the first screen.
import { useLayoutEffect } from 'react';
import type { DialogView } from '#client/dialog-view.ts';
import { AccountForm } from './account-form.tsx';
import { EmptyTrash } from './empty-trash.tsx';
import { DisableSync, EnableSync, SafetyCopies } from './cloud-sync.tsx';
import { Attachments } from './attachments.tsx';
import { Confirm } from './confirm.tsx';
import { Export, Import, ImportPreview } from './transfer.tsx';
import { History } from './history.tsx';
import { CheatSheet } from './cheat-sheet.tsx';
import { Install } from './install.tsx';
import { KeyEditor } from './key-editor.tsx';
import { FirstRun } from './first-run.tsx';
import { Details } from './details.tsx';
import { LabelManager } from './label-manager.tsx';
import { ListMail } from './list-mail.tsx';
import { LabelPicker } from './label-picker.tsx';
import { QuickEntry } from './quick-entry.tsx';
import { Recovered } from './recovered.tsx';
import { Safety } from './safety.tsx';
import { Replace } from './replace.tsx';
import { Sessions } from './sessions.tsx';
import { Settings } from './settings.tsx';
import { OtherAccount, SignOut } from './leaving.tsx';
import { SyncStatus } from './sync-status.tsx';
import { TimeMachine } from './time-machine.tsx';

function Body({ dialog }: { readonly dialog: DialogView }) {
  switch (dialog.type) {
    case 'signIn':
    case 'signUp':
      return <AccountForm key={dialog.type} dialog={dialog} />;
    case 'sessions':
      return <Sessions />;
    case 'import':
      return <Import dialog={dialog} />;
    case 'importPreview':
      return <ImportPreview preview={dialog.preview} />;
    case 'export':
      return <Export dialog={dialog} />;
    case 'keys':
      return <KeyEditor editor={dialog.editor} />;
    case 'cheatSheet':
      return <CheatSheet />;
    case 'firstRun':
      return <FirstRun at={dialog.at} total={dialog.total} view={dialog.view} />;
    case 'details':
      return <Details details={dialog.details} />;
    case 'labels':
      return <LabelPicker picker={dialog.picker} />;
    case 'labelManager':
      return <LabelManager manager={dialog.manager} />;
    case 'files':
      return <Attachments files={dialog.files} />;
    case 'install':
      return <Install dialog={dialog} />;
    case 'listMail':
      return <ListMail mail={dialog.mail} />;
    case 'safety':
      return <Safety safety={dialog.safety} />;
    case 'settings':
      return <Settings settings={dialog.settings} />;
    case 'quickEntry':
      return <QuickEntry entry={dialog.entry} />;
    case 'replace':
      return <Replace replace={dialog.replace} />;
    case 'history':
      return <History history={dialog.history} />;
    case 'timeMachine':
      return <TimeMachine machine={dialog.machine} />;
    case 'recovered':
      return <Recovered dialog={dialog} />;
    case 'sync':
      return <SyncStatus dialog={dialog} />;
    case 'disableSync':
      return <DisableSync dialog={dialog} />;
    case 'enableSync':
      return <EnableSync dialog={dialog} />;
    case 'safetyCopies':
      return <SafetyCopies dialog={dialog} />;
    case 'emptyTrash':
      return <EmptyTrash dialog={dialog} />;
    case 'signOut':
      return <SignOut dialog={dialog} />;
    case 'otherAccount':
      return <OtherAccount dialog={dialog} />;
    case 'confirm':
      return <Confirm dialog={dialog} />;
  }
}

export function DialogContent({
  dialog,
  onShown,
}: {
  readonly dialog: DialogView;
  readonly onShown: () => void;
}) {
  const { type } = dialog;
  useLayoutEffect(onShown, [type, onShown]);
  return <Body dialog={dialog} />;
}
