// What stands inside the dialog, by its type. One lazy chunk: none of it is needed to draw the first screen.
import '../parts/later-icons.ts';
import { type ReactNode, useLayoutEffect } from 'react';
import type { DialogType, DialogView } from '#client/dialogs/dialog-view.ts';
import { AccountForm } from './account/account-form.tsx';
import { EmptyTrash } from './empty-trash.tsx';
import { DisableSync, EnableSync, SafetyCopies } from './account/cloud-sync.tsx';
import { Attachments } from './attachments.tsx';
import { Confirm } from './confirm.tsx';
import { Export, Import } from './transfer.tsx';
import { History } from './history.tsx';
import { CustomCss } from './settings/custom-css.tsx';
import { CheatSheet } from './cheat-sheet.tsx';
import { Install } from './install.tsx';
import { KeyEditor } from './key-editor.tsx';
import { Details } from './details.tsx';
import { Rehearsal } from './importing/rehearsal.tsx';
import { LabelManager } from './label-manager.tsx';
import { ListMail } from './list-mail.tsx';
import { LabelPicker } from './label-picker.tsx';
import { QuickEntry } from './entry/quick-entry.tsx';
import { Recovered } from './recovered.tsx';
import { Sealing } from './account/sealing.tsx';
import { Safety } from './account/safety.tsx';
import { Replace } from './replace.tsx';
import { Sessions } from './account/sessions.tsx';
import { Settings } from './settings/settings.tsx';
import { MacroEditor } from './macros/editor.tsx';
import { OtherAccount, SignOut } from './account/leaving.tsx';
import { Agenda } from './calendar/agenda.tsx';
import { Calendars } from './calendar/calendars.tsx';
import { Feed } from './calendar/feed.tsx';
import { Google } from './calendar/google.tsx';
import { CalendarServer } from './calendar/server.tsx';
import { PlanDay } from './calendar/plan-day.tsx';
import { Plan } from './plan/plan.tsx';
import { PublicLinks } from './public-links/links.tsx';
import { Invitation } from './sharing/invitation.tsx';
import { Profile } from './sharing/profile.tsx';
import { Share } from './sharing/share.tsx';
import { MacroTrial } from './macros/trial.tsx';
import { TakingBack } from './sharing/taking-back.tsx';
import { Comments } from './together/comments.tsx';
import { SyncStatus } from './sync-status.tsx';
import { TimeMachine } from './time-machine.tsx';

/** How each dialog is drawn. */
const views: {
  readonly [T in DialogType]: (dialog: Extract<DialogView, { readonly type: T }>) => ReactNode;
} = {
  signIn: (dialog) => <AccountForm key="signIn" dialog={dialog} />,
  signUp: (dialog) => <AccountForm key="signUp" dialog={dialog} />,
  sessions: () => <Sessions />,
  import: (dialog) => <Import dialog={dialog} />,
  rehearsal: ({ rehearsal }) => <Rehearsal rehearsal={rehearsal} />,
  export: (dialog) => <Export dialog={dialog} />,
  keys: ({ editor }) => <KeyEditor editor={editor} />,
  customCss: ({ customCss }) => <CustomCss view={customCss} />,
  macroEditor: ({ macro }) => <MacroEditor macro={macro} />,
  cheatSheet: () => <CheatSheet />,
  details: ({ details, sheet }) => <Details details={details} sheet={sheet} />,
  labels: ({ picker }) => <LabelPicker picker={picker} />,
  labelManager: ({ manager }) => <LabelManager manager={manager} />,
  files: ({ files }) => <Attachments files={files} />,
  install: (dialog) => <Install dialog={dialog} />,
  listMail: ({ mail }) => <ListMail mail={mail} />,
  safety: ({ safety }) => <Safety safety={safety} />,
  sealing: ({ sealing }) => <Sealing sealing={sealing} />,
  settings: ({ settings }) => <Settings settings={settings} />,
  quickEntry: ({ entry }) => <QuickEntry entry={entry} />,
  replace: ({ replace }) => <Replace replace={replace} />,
  history: ({ history }) => <History history={history} />,
  timeMachine: ({ machine }) => <TimeMachine machine={machine} />,
  recovered: (dialog) => <Recovered dialog={dialog} />,
  sync: (dialog) => <SyncStatus dialog={dialog} />,
  disableSync: (dialog) => <DisableSync dialog={dialog} />,
  enableSync: (dialog) => <EnableSync dialog={dialog} />,
  safetyCopies: (dialog) => <SafetyCopies dialog={dialog} />,
  emptyTrash: (dialog) => <EmptyTrash dialog={dialog} />,
  share: ({ share }) => <Share share={share} />,
  invitation: ({ invitation }) => <Invitation invitation={invitation} />,
  profile: ({ profile }) => <Profile profile={profile} />,
  takingBack: (dialog) => <TakingBack view={dialog.takingBack} />,
  macroTrial: ({ trial }) => <MacroTrial trial={trial} />,
  comments: ({ comments }) => <Comments comments={comments} />,
  calendarServer: ({ calendarServer }) => <CalendarServer calendarServer={calendarServer} />,
  calendars: ({ calendars }) => <Calendars calendars={calendars} />,
  google: ({ google }) => <Google google={google} />,
  calendarFeed: ({ feed }) => <Feed feed={feed} />,
  agenda: ({ agenda }) => <Agenda agenda={agenda} />,
  plan: ({ plan }) => <Plan plan={plan} />,
  planDay: ({ plan }) => <PlanDay plan={plan} />,
  publicLinks: ({ links }) => <PublicLinks links={links} />,
  signOut: (dialog) => <SignOut dialog={dialog} />,
  otherAccount: (dialog) => <OtherAccount dialog={dialog} />,
  confirm: (dialog) => <Confirm dialog={dialog} />,
};

function Body({ dialog }: { readonly dialog: DialogView }) {
  // Each view takes the dialog that it stands under.
  const view = views[dialog.type] as (dialog: DialogView) => ReactNode;
  return view(dialog);
}

/** Draws the open dialog. Calls `onShown` before the paint on which a dialog of another type appears. */
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
