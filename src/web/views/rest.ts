// The views that the first screen does without, as one file of the bundle; rest-views.ts loads it.
import '../parts/later-icons.ts';
export { EmptyDrawing } from '../parts/empty-drawing.tsx';
export { Account, SignedOut } from './lists/account-ways.tsx';
export { Alarm } from './alarm.tsx';
export { DialogHost, loadDialogContent } from './dialog-host.tsx';
export { KeyHints } from './status/key-hints.tsx';
export { Lesson } from './lesson.tsx';
export { Notes } from './notes.tsx';
export { Palette } from './palette.tsx';
export { People } from './people.tsx';
export { SearchLine } from './search-line.tsx';
export { AddMenu } from './touch/add-menu.tsx';
export { followListPress, followPress } from './touch/dragging.ts';
export { followFinger } from './touch/finger.ts';
export { Separator } from './touch/separator.tsx';
export { TouchBar } from './touch/touch-bar.tsx';
export { troubleText } from './status/trouble-text.ts';
export { UpdateButton } from './status/update-button.tsx';
