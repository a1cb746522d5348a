/** The state of a walk. */
import type { Trace } from '../../../lab/trace/index.ts';
import type { Palette } from '../../report/index.ts';
import type { Session } from './session.ts';

/** A walk: the first session, and one for each fork on top of it. */
export interface Walk {
  readonly palette: Palette;
  /** Writes the file of a fork; returns the path that messages show. */
  readonly save: (name: string, text: string) => string;
  readonly sessions: [Session, ...Session[]];
  /** Number of forks so far. */
  forks: number;
  /** The steps of each trace that the timeline shows. */
  readonly reported: WeakMap<Trace, readonly ReportedStep[]>;
}

export interface ReportedStep {
  readonly step: number;
  readonly text: string;
}

/** The current session: the latest fork. */
export const here = ({ sessions }: Walk): Session => sessions.at(-1) ?? sessions[0];
