/** The support status of a rule of process configuration: either it holds and a test shows it, or it has no effect for a stated reason. */

/** A test: its file below `test/`, and its title as written there. */
export interface Shown {
  readonly file: string;
  readonly title: string;
}

/** A rule that has an effect. */
export interface Holds {
  readonly holds: true;
  /** The effect, for people. */
  readonly does: string;
  /** The test that shows it. */
  readonly shownBy: Shown;
}

/** A setting that is read and validated, and has no effect. */
export interface Inert {
  readonly holds: false;
  readonly because: string;
}

export type SupportStatus = Holds | Inert;

/** A rule with an effect, shown by the test of that file and title. */
export const holds = (does: string, file: string, title: string): Holds => ({ holds: true, does, shownBy: { file, title } });
/** A setting without an effect, for this reason. */
export const inert = (because: string): Inert => ({ holds: false, because });

/** The support status of several settings that share a reason. */
export const because = (
  reason: string,
  ...names: readonly string[]
): readonly (readonly [name: string, supportStatus: SupportStatus])[] => {
  const supportStatus = inert(reason);
  return names.map((name) => [name, supportStatus]);
};
