// What is there for thumbs above the bar at the bottom: the keys of a title, and what else can be added.
// Small: the React compiler's caching would cost more than it saves.
'use no memo';

import { AddMenu } from './add-menu.tsx';
import { TouchBar } from './touch-bar.tsx';

/** Each is there while it is wanted. */
export function Thumbs() {
  return (
    <>
      <TouchBar />
      <AddMenu />
    </>
  );
}
