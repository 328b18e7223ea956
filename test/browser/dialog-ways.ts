// How a person comes to a dialog, for the walk through all of them: the ways to those of parts, and pictures of those that only an
// accident or another person leads to.
import type { Page } from 'playwright-core';
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { permissionCommand, permissionNames } from '#client/public-links/words.ts';
import type { LinksView, LinkView } from '#client/public-links/links-view.ts';
import { linkPermissions } from '#wire/public-links.ts';
import type { ShareView } from '#client/sharing/sharing-view.ts';
import type { SealingStep } from '#client/sealing/view.ts';
import type { RehearsalView } from '#client/importing/view.ts';
import type { MacroTrialView } from '#client/macros/trial/trial-view.ts';
import type { PlanDayView } from '#client/planning/plan-view.ts';
import type { TakingBackView } from '#client/taking-back/view.ts';
import type { Id } from '#core/ids.ts';
import { command, synced } from './harness.ts';
import { planPictures } from './plan-pictures.ts';

/** One look of a dialog: how a person comes there. */
export type Ways = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

/** All that the server knows of it is there. */
export const andRead = (name: string) => async (page: Page) => {
  await synced(page);
  await command(page, name);
  await page.locator('dialog').waitFor();
  for (const text of ['Asking the server…', 'One moment'])
    await page.getByText(text).waitFor({ state: 'detached' });
};

/** A picture of a dialog that only an accident or another device leads to: drawn as if it had come. */
export function drawn(dialog: DialogView) {
  return (page: Page) =>
    page.evaluate((view) => {
      interface Fiber {
        readonly memoizedProps?: { readonly app?: { readonly view: { readonly dialog: Dialog } } } | null;
        readonly child: Fiber | null;
        readonly sibling: Fiber | null;
      }
      interface Dialog {
        show(view: unknown): void;
      }
      const root = document.getElementById('root') as unknown as Record<string, Fiber>;
      const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? '';
      const waiting: (Fiber | null)[] = [root[key] ?? null];
      for (let fiber = waiting.pop(); fiber !== undefined; fiber = waiting.pop()) {
        const app = fiber?.memoizedProps?.app;
        if (app) {
          app.view.dialog.show(view);
          return;
        }
        waiting.push(fiber?.sibling ?? null, fiber?.child ?? null);
      }
      throw new Error('There is no app in this page.');
    }, dialog);
}

/** A day that is too full, with these differences. */
const planOf = (more: Partial<PlanDayView>) =>
  drawn({
    type: 'planDay',
    plan: {
      step: 'task',
      position: '2 of 7',
      task: {
        title: 'Write the report',
        note: 'Begin with the numbers.',
        facts: 'Work · due today · 45 min',
        gap: 'Next free: 14:00–14:45',
      },
      times: [
        { key: 'event 0', time: '09:00–09:15', title: 'Stand-up', isBlock: false },
        { key: 'block:1', time: '10:00–11:00', title: 'Call Ada', isBlock: true },
      ],
      capacity: { text: '6 h planned of 5 h free: 1 h too much', isOver: true },
      summary: '',
      said: null,
      ...more,
    },
  });

export const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}` as Id;

const ann = {
  account: 2,
  name: 'Ann',
  text: 'AN',
  color: '#a04f9b',
  ink: '#ffffff',
  isMe: false,
  isOwner: false,
} as const;
const me = {
  ...ann,
  account: 1,
  name: 'Ben',
  text: 'BE',
  color: '#0063cf',
  isMe: true,
  isOwner: true,
} as const;

const shareView: ShareView = {
  list: 'Trip',
  step: 'sheet',
  offer: null,
  progress: null,
  isDecrypting: false,
  isOwner: true,
  people: [me, ann],
  keys: null,
  link: { address: 'https://example.org/invite?token=a', text: 'Works until you end it.' },
  isKnown: true,
  problem: null,
  endsInAccount: false,
  question: null,
  busy: null,
  said: null,
};
const shareOf = (share: Partial<ShareView>) => drawn({ type: 'share', share: { ...shareView, ...share } });

const link: LinkView = {
  id: id(7),
  name: 'Trip',
  address: 'https://example.org/p/a',
  missing: '',
  isEncrypted: false,
  ending: 'a',
  may: 'Visitors can look, and change nothing.',
  permissions: linkPermissions.map((permission) => ({
    permission,
    name: permissionNames[permission],
    isOn: permission === 'add',
    command: permissionCommand(permission),
  })),
  use: 'Nobody has opened it yet.',
  isPaused: false,
  isEnded: false,
  note: null,
  isMine: true,
  publicName: '',
  logo: null,
};
const linksView: LinksView = {
  list: 'Trip',
  step: 'sheet',
  tasks: 2,
  progress: null,
  decrypting: null,
  isDecrypting: false,
  links: [link, { ...link, id: id(8), name: 'Guests', isPaused: true }],
  link,
  isKnown: true,
  problem: null,
  endsInAccount: false,
  question: null,
  busy: null,
  said: null,
};
const linksOf = (links: Partial<LinksView>) =>
  drawn({ type: 'publicLinks', links: { ...linksView, ...links } });

const invitationOf = (way: 'signIn' | null) =>
  drawn({
    type: 'invitation',
    invitation: {
      list: 'Trip',
      isEncrypted: false,
      inviter: ann,
      members: 2,
      problem: way === null ? null : 'Sign in first.',
      way,
      busy: null,
    },
  });

const takingBackView: TakingBackView = {
  list: 'Trip',
  step: 'people',
  people: [{ person: ann, note: 'in the list', isActive: true }],
  moments: [],
  summary: [],
  canTakeBack: false,
  isReading: false,
  hasMore: false,
  note: null,
  answer: null,
};

/** A new macro with a step, and perhaps something pressed there. */
const macroWith =
  (step: string, ...keys: readonly string[]) =>
  async (page: Page) => {
    await command(page, 'New macro');
    await page.locator('[data-ph=macro-editor]').waitFor();
    for (const key of ['Escape', 'n']) await page.keyboard.press(key);
    await page.locator('#macro-adding').waitFor();
    await page.keyboard.type(step);
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=macro-chosen]').getByText('1.').waitFor();
    for (const key of keys) await page.keyboard.press(key);
  };

const trialView: MacroTrialView = {
  name: '‘Plan’',
  step: 'shown',
  percent: 0,
  questions: [],
  summary: ['Would change 1 task.'],
  lines: [
    {
      id: id(1),
      kind: 'changed',
      mark: 'edited',
      type: '',
      title: 'Pay rent',
      changes: [
        [
          { kind: 'plain', text: 'renamed' },
          { kind: 'change', before: 'Pay rent', text: 'Pay the rent' },
        ],
      ],
    },
  ],
  active: 0,
  details: [{ name: 'Notes', before: '', after: 'By card' }],
  more: 3,
  canRun: true,
};
const trialOf = (trial: Partial<MacroTrialView>) =>
  drawn({ type: 'macroTrial', trial: { ...trialView, ...trial } });

const rehearsalView: RehearsalView = {
  step: 'shown',
  progress: 1,
  name: '‘backup.zip’',
  lead: 'Todoist backup · 3 tasks in 2 lists',
  tiles: [{ value: 3, text: 'new tasks' }],
  rows: [{ id: 'list 0', kind: 'list', text: 'Garden', hint: 'in Home', count: 2, state: 'new', isOn: true }],
  active: 0,
  losses: [{ what: '1 comment', instead: 'Goes to the notes.', isGone: false, examples: ['Saw it'] }],
  notes: ['Check letters like é and ü.'],
  sample: {
    list: 'Garden',
    tasks: [{ title: 'Sow', level: 1, isDone: false, hasNotes: true, labels: ['seeds'], due: 'tomorrow' }],
    more: 1,
  },
  action: 'Import 3 tasks',
  isPlanning: false,
};

/** A table that is dropped beside the tasks. */
async function dropTable(page: Page): Promise<void> {
  await page.evaluate(() => {
    const given = new DataTransfer();
    given.items.add(
      new File(['title,list,done\nSow,Garden,yes\nBook,Trip,'], 'all.csv', { type: 'text/csv' }),
    );
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true }),
    );
  });
  await page.locator('[data-ph=rehearsal-tiles]').waitFor();
}

/** The rehearsal of an import, at each of its steps. */
const rehearsalWays: Ways = {
  dropped: dropTable,
  shown: drawn({ type: 'rehearsal', rehearsal: rehearsalView }),
  reading: drawn({
    type: 'rehearsal',
    rehearsal: { ...rehearsalView, step: 'reading', progress: 0.4, lead: '' },
  }),
  importing: drawn({ type: 'rehearsal', rehearsal: { ...rehearsalView, step: 'importing', progress: 0.4 } }),
  stopped: drawn({ type: 'rehearsal', rehearsal: { ...rehearsalView, step: 'stopped', progress: 0.4 } }),
};

/** Encryption, at each of its steps. */
const sealingOf = (step: SealingStep) => drawn({ type: 'sealing', sealing: { step, busy: false } });
const codeStep: SealingStep = {
  type: 'code',
  groups: ['7H2K', 'QM4D', '0XRT', '9WVB', 'E6NP', '3JYC', 'FA8Z'],
  asked: [2, 5],
  shared: ['Household'],
  purpose: 'turnOn',
  said: null,
};
const unlockStep = {
  type: 'unlock',
  hasPasskey: false,
  isOutdated: false,
  isOff: false,
  isToTurnOn: false,
  error: null,
} as const;
const offStep = {
  type: 'overview',
  shared: [],
  kept: ['Trip'],
  isOn: false,
  hasKeys: true,
  isOpen: false,
  isOutdated: false,
  hasPassphrase: false,
  hasPasskey: false,
  devices: [],
  knowsPasskeys: true,
  warning: null,
  said: null,
} as const;
const sealingWays: Ways = {
  check: sealingOf({ type: 'check', shared: ['Household'], key: 'again', kept: [] }),
  newKey: sealingOf({ type: 'check', shared: [], key: 'other', kept: ['Trip'] }),
  code: sealingOf(codeStep),
  anew: sealingOf({ ...codeStep, purpose: 'rotate', said: 'Copied the code.' }),
  type: sealingOf({ type: 'type', asked: [2, 5], purpose: 'turnOn', error: null }),
  mistyped: sealingOf({ type: 'type', asked: [2, 5], purpose: 'rotate', error: 'Group 3 isn’t as shown.' }),
  confirm: sealingOf({ type: 'confirm', wantsCode: true, error: null }),
  unlock: sealingOf({ ...unlockStep, hasPasskey: true }),
  unlockLists: sealingOf({ ...unlockStep, isOff: true }),
  unlockToTurnOn: sealingOf({ ...unlockStep, isOff: true, isToTurnOn: true }),
  outdated: sealingOf({ ...unlockStep, isOutdated: true }),
  rotate: sealingOf({
    type: 'rotate',
    dropped: ['your passphrase', 'your passkeys'],
    kept: ['Trip'],
    published: ['Trip'],
  }),
  forget: sealingOf({ type: 'forget', isOn: true, kept: [], isOnly: true }),
  forgetLists: sealingOf({ type: 'forget', isOn: false, kept: ['Trip'], isOnly: true }),
  forgetting: sealingOf({ type: 'forgetting' }),
  passphrase: sealingOf({ type: 'passphrase', has: false, error: null }),
  passphraseAnew: sealingOf({ type: 'passphrase', has: true, error: 'The two aren’t the same.' }),
  off: sealingOf({ type: 'off', kept: ['Trip'] }),
  askOther: sealingOf({ type: 'askOther', picture: `posthaste:pair:${'A'.repeat(65)}` }),
  nobody: sealingOf({ type: 'choose', devices: [] }),
  choose: sealingOf({
    type: 'choose',
    devices: [
      { id: '01890000-0000-7000-8000-000000000001' as Id, name: 'Firefox on Android', at: 1_795_176_000_000 },
    ],
  }),
  scan: sealingOf({
    type: 'scan',
    error: 'That isn’t the picture of a device of yours that asks for the key.',
  }),
  waitForTaking: sealingOf({ type: 'waitForTaking' }),
  waitForWords: sealingOf({ type: 'waitForWords', device: 'Firefox on Android' }),
  gives: sealingOf({
    type: 'compare',
    words: ['acorn', 'harbor', 'violin'],
    digits: '402917',
    gives: true,
    isConfirmed: false,
  }),
  gets: sealingOf({
    type: 'compare',
    words: ['acorn', 'harbor', 'violin'],
    digits: '402917',
    gives: false,
    isConfirmed: false,
  }),
  moving: sealingOf({ type: 'moving', isOn: true, isAnew: false, share: 0.4 }),
  movingAnew: sealingOf({ type: 'moving', isOn: true, isAnew: true, share: 0.4 }),
  overview: sealingOf({
    type: 'overview',
    shared: ['Household'],
    kept: [],
    isOn: true,
    hasKeys: true,
    isOpen: true,
    isOutdated: false,
    hasPassphrase: true,
    hasPasskey: true,
    devices: [
      { name: 'Chrome on Linux', how: 'made the key', at: 1_800_000_000_000, isThis: true },
      { name: 'Firefox on Android', how: 'from another device', at: 1_800_100_000_000, isThis: false },
    ],
    knowsPasskeys: true,
    warning: null,
    said: null,
  }),
  locked: sealingOf({
    type: 'overview',
    shared: [],
    kept: [],
    isOn: true,
    hasKeys: true,
    isOpen: false,
    isOutdated: true,
    hasPassphrase: false,
    hasPasskey: false,
    devices: [],
    knowsPasskeys: true,
    warning: 'The server gave back an older value.',
    said: null,
  }),
  offLocked: sealingOf(offStep),
  offOpen: sealingOf({ ...offStep, isOpen: true }),
  problem: sealingOf({ type: 'problem', text: 'Your tasks aren’t encrypted.' }),
};

/** Those of parts, each with what is in it. */
export const OF_PARTS: Readonly<Record<string, Ways>> = {
  rehearsal: rehearsalWays,
  macroEditor: {
    itself: macroWith('complete task', 'Escape', 'ArrowUp'),
    script: macroWith('run javascript'),
    variable: macroWith('complete task', 'Escape', 'v'),
    adding: macroWith('complete task', 'Escape', 'n'),
  },
  macroTrial: {
    asking: trialOf({ step: 'asking', questions: [{ name: 'client', value: '' }], summary: [], lines: [] }),
    shown: trialOf({}),
    tried: async (page) => {
      await macroWith('complete task', 'Escape', 'Control+Enter')(page);
      await page.locator('[data-ph=macro-trial-line]').waitFor();
    },
    nothing: trialOf({ lines: [], summary: ['Would change nothing.'] }),
  },
  sealing: sealingWays,
  customCss: { field: (page) => command(page, 'Edit custom CSS') },
  share: {
    offer: shareOf({
      step: 'offer',
      offer: { tasks: 3, labels: ['Errand'], privateLabels: ['Secret'], decrypting: 'a few seconds' },
      people: [],
      link: null,
    }),
    sheet: shareOf({}),
    days: shareOf({ step: 'days' }),
    question: shareOf({
      step: 'question',
      question: {
        about: 'leave',
        title: 'Leave “Trip”?',
        lines: ['It goes.'],
        verb: 'Leave list',
        way: 'private',
      },
    }),
  },
  publicLinks: {
    offer: linksOf({ step: 'offer', links: [], link: null }),
    moving: linksOf({ step: 'moving', progress: 0.5 }),
    decrypting: linksOf({ step: 'moving', progress: 0.5, isDecrypting: true }),
    none: linksOf({ links: [], link: null }),
    sheet: linksOf({}),
    link: linksOf({ step: 'link' }),
    encrypted: linksOf({ step: 'link', link: { ...link, isEncrypted: true } }),
    name: linksOf({ step: 'name' }),
    question: linksOf({
      step: 'question',
      question: {
        title: 'Delete the public link to “Trip”?',
        lines: ['Its address stops working right away.'],
        answers: [{ text: 'Delete link', minutes: null }],
        isNew: false,
      },
    }),
  },
  calendarServer: {
    login: andRead('Calendars of a server…'),
  },
  calendars: { none: andRead('Calendars…') },
  agenda: { none: andRead('Agenda') },
  google: { missing: andRead('Google calendars…') },
  calendarFeed: { unmade: andRead('Your plan in other calendars…') },
  plan: Object.fromEntries(Object.entries(planPictures).map(([name, picture]) => [name, drawn(picture)])),
  planDay: {
    task: planOf({}),
    time: planOf({ step: 'at' }),
    end: planOf({ step: 'end', position: '', task: null, summary: '2 tasks planned for 1 h.' }),
  },
  invitation: {
    join: invitationOf(null),
    'signed out': invitationOf('signIn'),
  },
  profile: { form: andRead('Your profile') },
  comments: {
    two: drawn({
      type: 'comments',
      comments: {
        title: 'Book a train',
        items: [me, ann].map((author) => ({
          id: id(author.account),
          author,
          by: author.isMe ? 'You' : author.name,
          pieces: [{ text: 'At nine', isPerson: false, isMe: false }],
          at: 'Nov 27, 2026, 5:00 PM',
          isEdited: false,
          isMine: author.isMe,
          canRemove: true,
        })),
        active: null,
        editing: null,
        text: '',
        caret: 0,
        people: [],
        person: 0,
        hint: 'Enter sends.',
        said: null,
      },
    }),
  },
  takingBack: {
    people: drawn({ type: 'takingBack', takingBack: takingBackView }),
    moments: drawn({
      type: 'takingBack',
      takingBack: {
        ...takingBackView,
        step: 'moments',
        moments: [
          {
            id: 'a',
            when: 'Today, 10:00',
            sentence: [{ kind: 'plain', text: 'Ann added Spam' }],
            isActive: true,
            isIncluded: true,
          },
        ],
        summary: ['1 item put into the trash.'],
        canTakeBack: true,
        hasMore: true,
      },
    }),
  },
};
