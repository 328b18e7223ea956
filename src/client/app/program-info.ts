// Facts about the running program: version, build, license.

/** The program's identity, as set by its build. */
export interface ProgramInfo {
  readonly version: string;
  /** Changes with every change of the program's files. */
  readonly build: string;
  readonly licence: string;
}
