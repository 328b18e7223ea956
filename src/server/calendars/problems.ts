// Why a calendar can't be read, as it is stored, and the words for it.

/** By the words for people. They say what is so, and what to do. */
const words = {
  address: 'That isn’t an address of a calendar. Copy the one that ends in .ics from your calendar.',
  not_https: 'The address has to start with https:// or webcal://.',
  private: 'That address is inside a private network. Only calendars on the public internet can be read.',
  unreachable: 'The address can’t be reached. Check it, or try again later.',
  too_slow: 'The calendar took too long to answer.',
  sign_in: 'The calendar asks for a password. Use its secret or private address instead.',
  gone: 'There is no calendar at this address anymore. Copy its address again.',
  busy: 'The calendar’s server is busy. We’ll ask again later.',
  refused: 'The calendar’s server refused to answer.',
  redirects: 'The address leads from one to the next without end.',
  not_calendar: 'There is a page at this address, not a calendar. Copy the address that ends in .ics.',
  too_large: 'The calendar is larger than 20 MB.',
  unreadable: 'The calendar takes too long to read.',
  connect_again: 'Google asks you to connect again. Open “Google calendars,” and choose “Connect.”',
  twice: 'That calendar is here already.',
  no_google: 'This server isn’t set up for Google anymore. Remove the calendar, or ask who runs the server.',
  password:
    'The server doesn’t take this name and password. Many calendars need an app password, which you make in the settings of your account there.',
  not_dav:
    'There’s no CalDAV server at this address. Look for the CalDAV address in the help of your calendar.',
  elsewhere: 'The server leads to another one, which doesn’t get your password. Use the address of that one.',
  no_calendars: 'There’s no calendar with events in this account.',
  sealed: 'This server can’t read the address anymore. Remove the calendar, and add it again.',
} as const;

/** Why a calendar can't be read. */
export type SourceProblem = keyof typeof words;

/** In words; for a value that only a newer program knows, those of no answer. */
export const problemWords = (problem: string): string =>
  Object.hasOwn(words, problem) ? words[problem as SourceProblem] : words.unreachable;

/** Of one that is only being added: nobody will ask it again. */
const toAdd: Partial<Readonly<Record<string, string>>> = {
  busy: 'The calendar’s server is busy or has an error, so it wasn’t added. Try again later.',
  gone: 'There is no calendar at this address. Copy it again from your calendar.',
};

/** In words, for somebody who adds a calendar. */
export const addingWords = (problem: string): string => toAdd[problem] ?? problemWords(problem);
