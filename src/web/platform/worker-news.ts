// What a worker of the app and the page that runs it say to each other. Apart from both, so that a worker imports nothing of the page.

/**
 * What such a worker tells: that it is there, that the work of a job begins, what it has to say meanwhile, and what came of
 * the job.
 */
export type WorkerNews<Answer, Note = never> =
  | 'ready'
  | 'begun'
  | { readonly note: Note }
  | { readonly answer: Answer };
