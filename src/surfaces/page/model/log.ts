/** The entries in the log: their steps, tones and swimlanes, as arrays of numbers. The text of an entry is created when it is shown. */
import { authorOf, createRelevance, toneOf, type Entry, type Tone } from '../../../lab/trace/index.ts';
import { bisect } from '../../../schema/values/index.ts';

/** In order of priority: of several on one pixel, the first is shown. */
export const TONES: readonly Tone[] = [
  'seen',
  'decided',
  'event',
  'changed',
  'created',
  'removed',
  'operation',
  'note',
  'held',
  'refused',
  'fault',
  'broken',
];

export interface Reported {
  readonly steps: Uint32Array;
  /** Those at which the reader stops: all except decisions to wait, which are shown when asked for. */
  readonly told: Uint32Array;
  /** Indexes into TONES. */
  readonly tones: Uint8Array;
  /** Indexes into `swimlanes`; 255: none. */
  readonly swimlane: Uint8Array;
  /** `process controller`, or `story`. */
  readonly swimlanes: readonly string[];
}

export const NO_SWIMLANE = 255;
const WAITS = TONES.indexOf('decided');

export function readReported(): Reader<Reported> {
  const steps: number[] = [];
  const tones: number[] = [];
  const swimlane: number[] = [];
  const swimlanes = new Map<string, number>();
  const isRelevant = createRelevance();
  return {
    follow(entry, step) {
      if (step === 0 || entry.type === 'note' || !isRelevant(entry)) return;
      steps.push(step);
      tones.push(TONES.indexOf(toneOf(entry)));
      const name = swimlaneOf(entry);
      let number = swimlanes.get(name);
      if (number === undefined) swimlanes.set(name, (number = Math.min(swimlanes.size, NO_SWIMLANE)));
      swimlane.push(number);
    },
    soFar: () => ({
      steps: Uint32Array.from(steps),
      told: Uint32Array.from(steps.filter((_, at) => tones[at] !== WAITS)),
      tones: Uint8Array.from(tones),
      swimlane: Uint8Array.from(swimlane),
      swimlanes: [...swimlanes.keys()],
    }),
  };
}

function swimlaneOf(entry: Entry): string {
  const by = authorOf(entry);
  const isUsers = (entry.type === 'write' || entry.type === 'refusal') && by?.controller === undefined;
  return by === undefined || isUsers ? 'story' : `${by.process} ${by.controller ?? ''}`;
}

/** The index of the last log entry at or before a step; -1: none. */
export const reportedAt = ({ steps }: Pick<Reported, 'steps'>, step: number): number => bisect(steps, (each) => each <= step) - 1;

export interface Reader<What> {
  /** Reads the next entry; those of the prologue have step 0. */
  follow(entry: Entry, step: number): void;
  /** Returns the result so far. Later entries may extend it. */
  soFar(): What;
}
