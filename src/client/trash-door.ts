// The door to what only the trash needs: the words of its lines, and emptying it.
import { door } from './door.ts';

export const trashPart = door('The trash', () => import('./trash.ts'));
