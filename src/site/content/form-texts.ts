// What the forms say, in place and on the pages that are shown without scripts. Kept apart from the other
// facts, because every page's script includes them.

/** What is wrong with an address, and what a form says once it was sent (`submitted`, `joined`). */
export const formTexts = {
  emailMissing: 'Enter an email',
  emailInvalid: 'Enter a full email address, like name@example.org',
  failed: 'Something went wrong, try again!',
  submitted: 'Submitted!',
  joined: 'Joined!',
} as const;
