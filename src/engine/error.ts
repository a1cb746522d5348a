/**
 * The error class for every mistake that a user of the library can make. Its code is stable, and names the page of the guide that explains
 * it.
 */

/** The page of the guide that explains each error code. */
export const ERROR_PAGES = {
  ORCH_ARGUMENT: 'errors-arguments',
  ORCH_SCENARIO: 'errors-scenarios',
  ORCH_DEFINITION: 'errors-definitions',
  ORCH_IMPORT: 'errors-definitions',
  ORCH_NOT_HELD: 'errors-runs',
  ORCH_COUNTEREXAMPLE: 'errors-runs',
} as const;

/** The error codes. `orchsim help` explains each on the page that the message names. */
export type ErrorCode = keyof typeof ERROR_PAGES;

/** Thrown by public functions. The message says what was expected and what was found, and ends with the command that explains the code. */
export class OrchsimError extends Error {
  /** The code does not change between versions; the message may. */
  readonly code: ErrorCode;

  /** `cause`: the error or the value that this error is about. */
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(`${message}\n${code}: npx orchsim help ${ERROR_PAGES[code]}`, cause === undefined ? {} : { cause });
    this.name = 'OrchsimError';
    this.code = code;
  }
}
