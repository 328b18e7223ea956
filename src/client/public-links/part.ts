// Public links: pages of a list for anyone with their address. What the server is asked about them is in sharing's port; the dialog
// is lazy (lazy.ts).
import { definePart } from '../app/part.ts';
import { linksFrames } from './frames.ts';
import { linksCommands, linksKeys } from './links-commands.ts';

/** Public links of lists. */
export const publicLinks = definePart({
  name: 'Public links',
  create: () => ({}),
  commands: linksCommands,
  keys: linksKeys,
  dialogs: linksFrames,
});
