// What stands beside the outline: the calendar, and the notes of the task at the cursor.
// Small: the React compiler's caching would cost more than it saves.
'use no memo';

import { Notes } from '../notes.tsx';
import { Week } from './week.tsx';

/** Each is there while it is open. */
export function Beside() {
  return (
    <>
      <Week />
      <Notes />
    </>
  );
}
