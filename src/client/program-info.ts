// What the app can say about itself: version, build, licence.

/** Which program this is, as its build knows it. */
export interface ProgramInfo {
  readonly version: string;
  /** Other for every change of what the app is made of. */
  readonly build: string;
  readonly licence: string;
}
