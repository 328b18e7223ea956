// What the dialog of public links says: permissions, use, and questions.
import { counted } from '#core/counted.ts';
import { linkPermissions, type LinkPermission, type PublicLink } from '#wire/public-links.ts';
import type { LinksQuestion, LinksView } from './links-view.ts';

/** As the guide names them. */
export const permissionNames: Readonly<Record<LinkPermission, string>> = {
  add: 'add tasks',
  complete: 'complete tasks',
  titles: 'edit titles',
  notes: 'edit notes',
  labels: 'view labels',
};

/** The command that toggles a permission in the dialog. */
export const permissionCommand = (permission: LinkPermission): string =>
  `publish.may${permission.charAt(0).toUpperCase()}${permission.slice(1)}`;

/** What visitors may do: "Look, add tasks, complete tasks". */
export function mayWords({ may }: Pick<PublicLink, 'may'>): string {
  const allowed = linkPermissions.filter((permission) => may[permission]);
  if (allowed.length === 0) return 'Visitors can look, and change nothing.';
  const names = allowed.map((permission) => permissionNames[permission]);
  const last = names.pop() ?? '';
  return `Visitors can look, ${names.length === 0 ? 'and' : `${names.join(', ')} and`} ${last}.`;
}

/** How a link has been used. `ago`: how long since it was opened last. */
export function useWords({ visits, changes, open }: PublicLink, ago: string | null): string {
  if (visits === 0) return 'Nobody has opened it yet.';
  const times = visits === 1 ? 'Opened once' : `Opened ${counted(visits, 'time')}`;
  const last = ago === null ? '' : `, last ${ago}`;
  const made = changes === 0 ? 'no changes' : counted(changes, 'change');
  const now = open === 0 ? '' : ` ${counted(open, 'page')} open right now.`;
  return `${times}${last}; ${made}.${now}`;
}

/** Spans that can be taken back, in minutes. */
export const undoSpans: readonly { readonly minutes: number; readonly text: string }[] = [
  { minutes: 10, text: 'Last 10 minutes' },
  { minutes: 60, text: 'Last hour' },
  { minutes: 24 * 60, text: 'Last day' },
  { minutes: 7 * 24 * 60, text: 'Last week' },
];

/** The question before others can read a list. `name`: of the list, in quotes. */
export function questionOfNew(name: string, isEncrypted: boolean): NonNullable<LinksView['question']> {
  return {
    title: `Create a public link to ${name}?`,
    lines: [
      isEncrypted
        ? 'Anyone who has the whole address can read the list, without an account. The key of the list is in the address, in a part that no server sees.'
        : 'Anyone with the link sees the tasks with notes, dates and subtasks, in the browser and without an account.',
      'At first they can only look. You choose what else they can do, and you can end it anytime.',
    ],
    answers: [{ text: 'Create link', minutes: null }],
    isNew: true,
  };
}

/** The question before what can't be taken back. `name`: of the link, in quotes. */
export function questionOf(
  asked: Exclude<LinksQuestion, 'new'>,
  name: string,
): NonNullable<LinksView['question']> {
  if (asked === 'end')
    return {
      title: `Delete the public link to ${name}?`,
      lines: [
        'Its address stops working right away, also for people who have the page open.',
        'What visitors wrote stays. A new link has a new address.',
      ],
      answers: [{ text: 'Delete link', minutes: null }],
      isNew: false,
    };
  return {
    title: 'Take back what visitors changed?',
    lines: [
      'Everything that was changed by this link since then goes back to how it was.',
      'What you or others in the list changed afterwards stays.',
    ],
    answers: undoSpans,
    isNew: false,
  };
}

/** Why a link has no address that could be sent. */
export function missingWords({ keys, isOutdated }: Pick<PublicLink, 'keys' | 'isOutdated'>): string {
  if (isOutdated === true)
    return 'The list has a new key since, so this link opens nothing anymore. Delete it and make a new one.';
  if (keys !== undefined)
    return 'This device can’t open the key of this link. Unlock this device first, or ask somebody in the list to let you in.';
  return 'The address can’t be read anymore. Delete this link and make a new one.';
}
