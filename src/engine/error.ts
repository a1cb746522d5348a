/** The error of everything that a user of the library can cause. Its code is stable, and names the page of the guide that explains it. */

/** Codes by the page of the guide that explains them. */
export const ERROR_PAGES = {
  ORCH_ARGUMENT: 'errors-arguments',
  ORCH_SCENARIO: 'errors-scenarios',
  ORCH_DEFINITION: 'errors-definitions',
  ORCH_IMPORT: 'errors-definitions',
  ORCH_NOT_HELD: 'errors-runs',
  ORCH_COUNTEREXAMPLE: 'errors-runs',
} as const;

/** The codes of errors, each explained by `orchsim help` on the page that its message names. */
export type ErrorCode = keyof typeof ERROR_PAGES;

/** Thrown by public functions. The message says what was expected and found, and ends with the command that explains the code. */
export class OrchsimError extends Error {
  /** Stable from version to version, unlike the message. */
  readonly code: ErrorCode;

  /** `cause`: the error or the value that this one is about. */
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(`${message}\n${code}: npx orchsim help ${ERROR_PAGES[code]}`, cause === undefined ? {} : { cause });
    this.name = 'OrchsimError';
    this.code = code;
  }
}
