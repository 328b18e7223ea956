// The help of each setting, in a sentence or two. Separate from the settings themselves, which are in the first load;
// this comes with the dialog.

const partOfDay = (part: string) => `The time for “this ${part}” or “tomorrow ${part}.”`;

/** By the setting's key. */
export const settingHelp: Readonly<Record<string, string>> = {
  linkSelection:
    'The get-selected-tasks link then saves and copies a file with the ids of your selected tasks.',
  weekStart: 'Decides where “this week,” “next week” and “eow” start and end.',
  nextWeek: 'The date you get when you type or choose “next week.”',
  hourMorning: partOfDay('morning'),
  hourAfternoon: partOfDay('afternoon'),
  hourEvening: partOfDay('evening'),
  hourNight: 'The time for “tomorrow night” or “friday night.”',
  dayStart: 'Until then, it’s still yesterday. “Today” doesn’t change, and nothing becomes overdue.',
  keysChords:
    'Like g i for the Inbox. Off: find those commands in the palette. Labels keep only single keys.',
  keysSync: 'Off: this device keeps its own hotkeys.',
  keysHintDelay: 'After the first key of a sequence, a list shows what comes next.',
  coachHints: 'At most once a day, for a command you often run by name or mouse that has a key.',
  tab: 'Indents tasks, or moves the focus to the next part of the window.',
  autoClear: 'Completed tasks clear automatically. To see them, search is:cleared.',
  repeatChildren: 'When a task repeats, its completed subtasks reopen.',
  keepRepeatChildren: 'Automatic clearing skips them, so the task repeats with all its subtasks.',
  missedRepeats: 'For repeats you set from now on. Skip to the next date, or go through every missed one.',
  hideUnstarted: 'In every list. Press Shift+T to change it for one list.',
  smartListNested:
    'Show the subtasks of matches. To change it for one list, add disable:nested or enable:nested to its search.',
  smartListDuplicates:
    'Show a match under another one twice. To change it for one list, add disable:duplicates or enable:duplicates to its search.',
  quickEntryTokens:
    'Dates, repeats and lengths you type get set with the task, show below the title until you accept them, or stay text. #label and @list work unless this is off. Press Backspace right after one to keep the words.',
  lineTokens:
    'While you type a task in a list: set when you leave the line, suggested until you press → at the end, or off. Press Backspace right after one to keep the words.',
  keepAdding: 'Enter adds the task and keeps the dialog open for the next one.',
  wakeClosed:
    'Without encryption the server reminds you anyway. With it, this tells the server when your reminders ring, but not what they’re about.',
  hardcore:
    'Turns the mouse off in the app. Press Esc three times to turn it back on. Touch, screen readers, and questions about your account or losing data still work.',
  swipeRight: 'Start away from the edge of the screen. Edge swipes belong to the system.',
  swipeLeft: 'Start away from the edge of the screen. Edge swipes belong to the system.',
  reminderMinute: 'When a task’s due date has no time, its reminders count from this time.',
  iconNumber: 'Shows once you install the app, if your system supports it.',
  theme: 'Light, dark, or the same as your system.',
  accent: 'The color of selections, links and buttons. Adjusted so text stays readable.',
  statusBar:
    'The line at the bottom with mode, selection and sync status. Hidden, it only appears for messages, key sequences and problems.',
  density: 'How tall each line is. Touch screens use finger-sized lines.',
  motion: 'Menus and panes appear at once, whatever your system setting.',
  ownTheme:
    'One token and its value per line, such as “surface: light-dark(#fffdf7, #1b1a17)”. To turn it off, add ?safe to the address.',
  themeGradient:
    'One or more CSS gradients behind the lists and the header, such as linear-gradient(135deg, #d7e8ff, #ffebe8).',
  fontSize: 'Scales everything, on top of your browser’s setting.',
};
