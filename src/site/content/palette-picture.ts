// What the picture of the command palette on the front page shows: what the app answers to these letters in a fresh list.
// test/keystrokes/site-palette.test.ts asks the app.

/** The text in the palette's field, and the ids of the commands listed below it, best match first. */
export const palettePicture = {
  typed: 's',
  commands: ['task.snooze', 'history.task', 'task.due', 'task.duration'],
} as const;
