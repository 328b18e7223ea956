// The door to what only the trash needs: the words of its lines, and emptying it.
import { lazy } from './lazy.ts';

export const trashPart = lazy(() => import('./trash.ts'));
