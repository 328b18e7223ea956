// The dialogs that lead to calendars elsewhere. A lazy part.
export { FeedDialog } from './feed-dialog.ts';
export { GoogleDialog } from './google-dialog.ts';
