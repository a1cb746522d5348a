/** A walk: where it is, and what it remembers. */
import type { Trace } from '../../../lab/trace/index.ts';
import type { Palette } from '../../report/index.ts';
import type { Session } from './session.ts';

/** A walk: the session it began with, and one for each fork it is in. */
export interface Walk {
  readonly palette: Palette;
  /** Writes a fork's file; answers its name as it is told. */
  readonly save: (name: string, text: string) => string;
  readonly sessions: [Session, ...Session[]];
  /** How many forks were made. */
  forks: number;
  /** Whether a line could not be done. */
  hasRefused: boolean;
  /** The steps of each trace that the timeline tells. */
  readonly reported: WeakMap<Trace, readonly ReportedStep[]>;
}

export interface ReportedStep {
  readonly step: number;
  readonly text: string;
}

/** The session that words are about: the latest fork. */
export const here = ({ sessions }: Walk): Session => sessions.at(-1) ?? sessions[0];
