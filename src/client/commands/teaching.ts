// Commands of the lesson: begin or go back to it, pass a step, end it.
import { emptyOf } from '../empty.ts';
import { lessonTitle, openFirstRun } from '../teaching/first-run-door.ts';
import { type Command, define, passed } from './define.ts';

const group = 'Application' as const;

export const teachingCommands: readonly Command[] = [
  define({
    id: 'setup.open',
    title: 'Get started',
    aliases: ['first run', 'welcome', 'set up', 'try keys', 'onboarding'],
    group,
    run: (program) => openFirstRun(program),
  }),
  define({
    id: 'lesson.start',
    title: 'Learn the first five keys',
    aliases: [
      'learn posthaste by doing',
      'lesson',
      'tutorial',
      'onboarding',
      'tour',
      'getting started',
      'practice',
    ],
    group,
    titleNow({ teaching, platform }) {
      if (teaching.view.get() !== null) return 'Back to the lesson';
      return lessonTitle(platform);
    },
    run: ({ teaching }) => teaching.run((lesson) => lesson.start()),
  }),
  define({
    id: 'lesson.skip',
    title: 'Skip this step of the lesson',
    aliases: ['next step', 'tutorial'],
    group,
    when: ({ teaching }) => (teaching.view.get() === null ? 'No lesson is under way.' : null),
    run: ({ teaching }) => teaching.run((lesson) => lesson.skip()),
  }),
  define({
    id: 'lesson.end',
    title: 'End the lesson and remove its list',
    aliases: ['leave tutorial', 'stop onboarding', 'skip the lesson'],
    group,
    when: ({ teaching }) => (teaching.view.get() === null ? 'No lesson is under way.' : null),
    run: ({ teaching }) => teaching.run((lesson) => lesson.end(false)),
  }),
  define({
    id: 'lesson.keep',
    title: 'End the lesson and keep its list',
    aliases: ['leave tutorial', 'keep practice tasks'],
    group,
    when: ({ teaching }) => (teaching.view.get() === null ? 'No lesson is under way.' : null),
    run: ({ teaching }) => teaching.run((lesson) => lesson.end(true)),
  }),
  define({
    id: 'outline.leadOn',
    title: 'Do what an empty place offers',
    group: 'Go to',
    inPalette: false,
    run(program) {
      const empty = emptyOf(program);
      return empty === null ? passed : program.run(empty.command);
    },
  }),
];
