/**
 * The contract of a benchmark: it does work whose result it checks, and reports CPU time per unit and a ratio of two measurements of the
 * same run. Ratios have limits that hold on any machine; times are for orientation.
 */

/** One measurement. */
export interface Row {
  readonly label: string;
  /** Processor time of this process, or wall time where the label of the row says so. */
  readonly ms: number;
  /** Units of work. */
  readonly units: number;
  readonly unit: string;
  /** Counts of the work: commits, deliveries, bytes. */
  readonly work?: Readonly<Record<string, number | string>>;
}

/** The number that is compared with a limit. */
export interface Score {
  readonly value: number;
  readonly limit: number;
  /** `most`: the value may be at most the limit. */
  readonly is: 'most' | 'least';
  readonly unit: 'x' | 'ms';
}

export interface Result {
  readonly rows: readonly Row[];
  /** Absent: only for orientation. */
  readonly score?: Score;
  readonly note?: string;
}

/** A benchmark whose subject does not exist on this machine. */
export interface Skipped {
  readonly skipped: string;
}

export interface Scale {
  /** Small sizes and one round, to check that everything works. */
  readonly quick: boolean;
  /** A size, or a tenth of it when quick. */
  size(full: number): number;
  /** The number of rounds in which compared cases alternate; the best of each counts. */
  readonly rounds: number;
}

export interface Benchmark {
  readonly name: string;
  /** The question that it answers. */
  readonly asks: string;
  run(scale: Scale): Result | Skipped | Promise<Result | Skipped>;
}

/** Whether the score keeps its limit; undefined without a limit. */
export const held = ({ score }: Result): boolean | undefined =>
  score === undefined ? undefined : score.is === 'most' ? score.value <= score.limit : score.value >= score.limit;
