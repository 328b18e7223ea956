// What each setting does, in a sentence or two. Apart from the settings themselves, which are part of the first load; these
// come with the dialog.

const partOfDay = (part: string) => `The time that “this ${part}” or “tomorrow ${part}” stands for.`;

/** By key. */
export const settingHelp: Readonly<Record<string, string>> = {
  linkSelection:
    'The link get-selected-tasks then saves a file with the ids of the selected tasks, and copies it.',
  weekStart: 'Where “this week”, “next week” and “eow” begin and end.',
  nextWeek: 'The date that “next week” gives when it is typed or chosen.',
  hourMorning: partOfDay('morning'),
  hourAfternoon: partOfDay('afternoon'),
  hourEvening: partOfDay('evening'),
  hourNight: partOfDay('night'),
  dayStart: 'Until then it is still yesterday: “today” stays, and nothing becomes overdue.',
  keysChords:
    'Such as g i for the Inbox. Without them those commands are in the palette, and labels keep only keys of one press.',
  keysSync: 'Off: this device keeps the set of keys and the changes that you make to it here.',
  keysHintDelay: 'After the first key of several a list shows which may follow, and what they do.',
  coachHints:
    'At most once a day, and only for a command that you often run by its name or by pointer although it has a key.',
  tab: 'Indents tasks, or moves the focus to the next part of the window.',
  autoClear:
    'Completed tasks leave their list by themselves. They are kept: search with is:cleared finds them.',
  repeatChildren: 'When a repeating task moves on, the completed subtasks in it are open again.',
  keepRepeatChildren:
    'Automatic clearing leaves them where they are, so that the list is whole when it begins anew.',
  missedRepeats:
    'For repeats that you set from now on: go to the next date ahead, or through every one that was missed.',
  hideUnstarted: 'In every list; Shift+T decides otherwise for the list that is open.',
  smartListNested:
    'What stands under a match is shown too. disable:nested or enable:nested in a search decides for that list.',
  smartListDuplicates:
    'A match that stands under another is shown by itself as well. disable:duplicates or enable:duplicates in a search decides for that list.',
  quickEntryTokens:
    'A date, repeat or length in the title is shown beneath it and set once you take it, set with the task, or left alone. #label and @list are set unless it is off. Backspace right behind it keeps the words.',
  lineTokens:
    'While you type a task in its list: shown beside it and set by → at the end, set when the line is left, or not at all.',
  keepAdding: 'Enter adds the task and leaves the dialog open for the next one.',
  hardcore:
    'The mouse does nothing in the app. Esc three times, quickly, turns it on again. Fingers, screen readers and questions about your account or about losing something go on as ever.',
  swipeRight: 'With a finger. Not from the edge of the screen, which is the system’s.',
  swipeLeft: 'With a finger. Not from the edge of the screen, which is the system’s.',
  reminderMinute:
    'When a task is due on a day without a time, its reminders count from this time of the day.',
  iconNumber: 'Seen where the system shows it, once the app is installed.',
  theme: 'Light, dark, or whatever the system shows just now.',
  accent:
    'The colour of what is chosen, of links and of buttons. It is made as light or dark as reading needs.',
  statusBar:
    'The line at the bottom: mode, selection, and how your copy stands. Hidden, it comes up for messages, keys begun and trouble alone. On a phone these stand elsewhere.',
  density: 'How much room each line has. On a touch screen lines are as high as a finger needs.',
  motion: 'Menus and panes appear at once, whatever the system asks for.',
  ownTheme:
    'One token and its value a line, such as “surface: light-dark(#fffdf7, #1b1a17)”. Adding ?safe to the address leaves it out.',
  themeGradient:
    'One or several CSS gradients behind the lists and the header, such as linear-gradient(135deg, #d7e8ff, #ffebe8).',
  fontSize: 'Everything grows with it, on top of what the browser is set to.',
};
