/** What a driven run is asked for, what comes of it, and its state meanwhile. */
import type { RunFailure } from '../../lab/simulation/index.ts';
import type { Activity, Pace } from './activity.ts';
import type { Connection } from './connection.ts';
import type { Program } from './program.ts';
import type { Readiness } from './readiness.ts';
import type { DrivenWorld, WorldOptions } from './world.ts';

/** A program to start, and the name under which faults know it. */
export interface Command {
  readonly name: string;
  readonly words: readonly string[];
}

export interface DriveOptions extends Pick<
  WorldOptions,
  'scenario' | 'seed' | 'definitions' | 'webhooks' | 'compat' | 'inCluster' | 'onEntry'
> {
  readonly commands: readonly Command[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pace: Pace;
  /** How a program shows that it is ready: by its requests, by a URL of its own, or as soon as it has started. */
  readonly ready: 'requests' | 'started' | { readonly url: string };
  readonly readyWithinMs: number;
  /** The kinds that programs watched when they were ready before: the sooner it shows that one is. */
  readonly watchedBefore?: ReadonlyMap<string, readonly string[]>;
  /** Programs are killed at the end: what they do after it is not judged. */
  readonly killsAtEnd?: boolean;
  /** The time that a program has between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** A program that is not idle for so long, while virtual time stands, floods. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called for each line that a program prints; `at`: virtual time since the start, milliseconds. */
  onLine?(client: string, text: string, stream: 'out' | 'err', at: number): void;
}

/** A program that cannot be driven: a sentence, and the last lines of its log. */
export class Undrivable extends Error {
  override readonly name = 'Undrivable';
  readonly lines: readonly string[];
  constructor(message: string, lines: readonly string[]) {
    super(message);
    this.lines = lines;
  }
}

export type Driving = ReturnType<typeof newDriving>;

export const newDriving = (options: DriveOptions) => ({
  options,
  programs: new Map<string, Program>(),
  readiness: new Map<string, Readiness>(),
  lastLines: new Map(options.commands.map(({ name }) => [name, [] as string[]])),
  expectedExits: new Set<string>(),
  /** What the programs did wrong at their end, a sentence each. */
  complaints: [] as string[],
  /** Starts and stops that are under way: time stands. */
  pending: 1,
  /** All have been ready once. */
  hasBegun: false,
  sliceEndsAt: Infinity,
  /** The instant to which time would pass. */
  target: 0,
  /** The first one counts. */
  failure: undefined as Failure | undefined,
  requests: 0,
  firstRequestAt: undefined as number | undefined,
  connections: new Map() as ReadonlyMap<string, Connection>,
  world: undefined as DrivenWorld | undefined,
  activity: undefined as Activity | undefined,
});

interface Failure {
  readonly kind: RunFailure['kind'];
  readonly message: string;
  readonly client: string;
  /** Nothing has run yet: the command is wrong, not the program's behaviour. */
  readonly isBadInput: boolean;
}

/** Real milliseconds between two looks at the programs. */
export const POLL_MS = 50;
export const later = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

export const computes = ({ programs }: Driving): boolean => [...programs.values()].some((program) => program.isRunnable());
