// The words of the questions in the share dialog: what goes, what stays, and what has to be done first.
import { counted } from '#core/counted.ts';
import type { PersonView, ShareQuestion, ShareView } from './sharing-view.ts';

interface Asked {
  readonly about: ShareQuestion;
  /** Name of the list. */
  readonly list: string;
  readonly people: readonly PersonView[];
  readonly isOwner: boolean;
  /** Whom it is about; null: nobody in particular. */
  readonly person: PersonView | null;
  /** It stays end-to-end encrypted, and gets a new key when somebody goes. */
  readonly isEncrypted: boolean;
  /** How many public links show it. */
  readonly publicLinks: number;
}

type Question = NonNullable<ShareView['question']>;

/** What ends with the key of a list when somebody goes, as sentences. */
function endsWithKey({ isEncrypted, publicLinks }: Asked): readonly string[] {
  if (!isEncrypted) return [];
  const links = publicLinks === 0 ? '' : ` and ${counted(publicLinks, 'public link')}`;
  return [
    `The list gets a new key. That ends its invitation link${links}: the old addresses open nothing anymore.`,
  ];
}

function aboutLeaving(asked: Asked): Question {
  const { list, people, isOwner } = asked;
  const title = `Leave “${list}”?`;
  if (!isOwner)
    return {
      about: 'leave',
      title,
      lines: [
        'What you wrote stays for the others.',
        'The list goes from all your devices, with your snoozes, reminders, bookmarks and private labels on it.',
        ...endsWithKey(asked),
        'To come back you need a new invitation link.',
      ],
      verb: 'Leave list',
      way: null,
    };
  const isAlone = people.every(({ isMe }) => isMe);
  const lines = isAlone
    ? ['You’re the only one here. Make the list private instead: then it’s yours alone, as before.']
    : ['You own this list. Make somebody else its owner first, or make it private.'];
  return { about: 'leave', title, lines, verb: null, way: isAlone ? 'private' : null };
}

function aboutPrivacy({ list, people, isOwner, publicLinks }: Asked): Question {
  const title = `Make “${list}” private?`;
  if (!isOwner)
    return {
      about: 'private',
      title,
      lines: ['Only its owner can make the list private. You can leave it.'],
      verb: null,
      way: null,
    };
  const others = people.filter(({ isMe }) => !isMe).map(({ name }) => name);
  const lose =
    others.length === 0 ? [] : [`${others.join(', ')} ${others.length === 1 ? 'loses' : 'lose'} the list.`];
  return {
    about: 'private',
    title,
    lines: [
      ...lose,
      'Everything in it stays with you, whoever wrote it.',
      publicLinks === 0
        ? 'The invitation link ends.'
        : `The invitation link ends, and so ${publicLinks === 1 ? 'does its public link' : `do its ${publicLinks} public links`}.`,
    ],
    verb: 'Make private',
    way: null,
  };
}

function aboutPerson(asked: Asked): Question {
  const { about, list, person, isOwner } = asked;
  const name = person?.name ?? 'this person';
  const does = about === 'remove' ? `Remove ${name} from “${list}”?` : `Make ${name} the owner of “${list}”?`;
  if (!isOwner)
    return { about, title: does, lines: ['Only the owner of the list can do that.'], verb: null, way: null };
  if (person?.isMe === true)
    return {
      about,
      title: does,
      lines: [about === 'remove' ? 'That’s you. To go, leave the list.' : 'You own the list already.'],
      verb: null,
      way: null,
    };
  if (about === 'remove')
    return {
      about,
      title: does,
      lines: [
        `The list goes from the devices of ${name}. What ${name} wrote stays.`,
        ...endsWithKey(asked),
        'To come back they need a new invitation link.',
      ],
      verb: `Remove ${name}`,
      way: null,
    };
  return {
    about,
    title: does,
    lines: [`${name} can then remove people and make the list private. You stay in it.`],
    verb: 'Make owner',
    way: null,
  };
}

function aboutEndingLink({ list }: Asked): Question {
  return {
    about: 'endLink',
    title: `End the link to “${list}”?`,
    lines: [
      'Nobody can join by it anymore, not even people you’ve sent it to.',
      'Who’s in the list already stays. You can make a new link at any time.',
    ],
    verb: 'End the link',
    way: null,
  };
}

/** What is asked, and whether it can be done. */
export function questionAbout(asked: Asked): Question {
  if (asked.about === 'leave') return aboutLeaving(asked);
  if (asked.about === 'endLink') return aboutEndingLink(asked);
  return asked.about === 'private' ? aboutPrivacy(asked) : aboutPerson(asked);
}
