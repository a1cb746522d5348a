/** How a rule of the specification of processes stands here: it holds and a test shows it, or it changes nothing and says why. */

/** A test by its file below `test/` and its title, as both are written there. */
export interface Shown {
  readonly file: string;
  readonly title: string;
}

/** A rule that can be seen at work. */
export interface Holds {
  readonly holds: true;
  /** What it does, for people. */
  readonly does: string;
  /** The test that shows it. */
  readonly shownBy: Shown;
}

/** A setting that is read and checked, and then changes nothing. */
export interface Inert {
  readonly holds: false;
  readonly because: string;
}

export type SupportStatus = Holds | Inert;

export const holds = (does: string, file: string, title: string): Holds => ({ holds: true, does, shownBy: { file, title } });
export const inert = (because: string): Inert => ({ holds: false, because });

/** Standings of the settings of one table: a line for each reason, since many settings share one. */
export const because = (
  reason: string,
  ...names: readonly string[]
): readonly (readonly [name: string, supportStatus: SupportStatus])[] => {
  const supportStatus = inert(reason);
  return names.map((name) => [name, supportStatus]);
};
