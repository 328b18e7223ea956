// The words of the questions in the share dialog: what goes, what stays, and what has to be done first.
import type { PersonView, ShareQuestion, ShareView } from './sharing-view.ts';

interface Asked {
  readonly about: ShareQuestion;
  /** Name of the list. */
  readonly list: string;
  readonly people: readonly PersonView[];
  readonly isOwner: boolean;
  /** Whom it is about; null: nobody in particular. */
  readonly person: PersonView | null;
}

type Question = NonNullable<ShareView['question']>;

function aboutLeaving({ list, people, isOwner }: Asked): Question {
  const title = `Leave “${list}”?`;
  if (!isOwner)
    return {
      about: 'leave',
      title,
      lines: [
        'What you wrote stays for the others.',
        'The list goes from all your devices, with your snoozes, reminders, bookmarks and private labels on it.',
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

function aboutPrivacy({ list, people, isOwner }: Asked): Question {
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
    lines: [...lose, 'Everything in it stays with you, whoever wrote it.', 'The invitation link ends.'],
    verb: 'Make private',
    way: null,
  };
}

function aboutPerson({ about, list, person, isOwner }: Asked): Question {
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
