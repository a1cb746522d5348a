/** The entries in the log: their steps, tones and swimlanes, as arrays of numbers. The text of an entry is created when it is shown. */
import { isHeartbeat, type Entry, type Tone } from '../../../lab/trace/index.ts';
import type { Reader } from './reader.ts';

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
  /** Indexes into TONES. */
  readonly tones: Uint8Array;
  /** Indexes into `swimlanes`; 255: none. */
  readonly swimlane: Uint8Array;
  /** `process controller`, or `story`. */
  readonly swimlanes: readonly string[];
}

export const NO_SWIMLANE = 255;

/** Collects the log of a trace. */
export function readReported(): Reader<Reported> {
  const steps: number[] = [];
  const tones: number[] = [];
  const swimlane: number[] = [];
  const swimlanes = new Map<string, number>();
  const isRelevant = isNewReason();
  return {
    follow(entry, step) {
      if (step === 0 || !isRelevant(entry)) return;
      steps.push(step);
      tones.push(TONES.indexOf(toneOf(entry)));
      const name = swimlaneOf(entry);
      let number = swimlanes.get(name);
      if (number === undefined) swimlanes.set(name, (number = Math.min(swimlanes.size, NO_SWIMLANE)));
      swimlane.push(number);
    },
    soFar: () => ({
      steps: Uint32Array.from(steps),
      tones: Uint8Array.from(tones),
      swimlane: Uint8Array.from(swimlane),
      swimlanes: [...swimlanes.keys()],
    }),
  };
}

/** Selects the same entries as the timeline of `run -v`: no deliveries, no heartbeats, and decisions to wait only with a new reason. */
function isNewReason(): (entry: Entry) => boolean {
  const last = new Map<string, string>();
  return (entry) => {
    switch (entry.type) {
      case 'write':
        return !isHeartbeat(entry.change);
      case 'delivery':
      case 'timer':
      case 'note':
        return false;
      case 'process':
        return entry.what !== 'retires';
      case 'reconcile': {
        const who = `${entry.process} ${entry.controller} ${entry.key}`;
        const before = last.get(who);
        if (before !== undefined || entry.writes > 0 || entry.wakeAt !== undefined) last.set(who, entry.why);
        return entry.writes === 0 && before !== entry.why && (before !== undefined || entry.wakeAt !== undefined);
      }
      default:
        return true;
    }
  };
}

/** The tone of an entry. */
export function toneOf(entry: Entry): Tone {
  switch (entry.type) {
    case 'write': {
      const { type, kind, object, previous } = entry.change;
      if (kind === 'Event') return type === 'DELETED' ? 'removed' : 'event';
      if (type === 'ADDED') return 'created';
      const leaves = previous?.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined;
      return type === 'DELETED' || leaves ? 'removed' : 'changed';
    }
    case 'refusal':
      return 'refused';
    case 'reconcile':
      return 'decided';
    case 'delivery':
    case 'timer':
      return 'seen';
    case 'process':
      return entry.what === 'started' || entry.what === 'leads' ? 'operation' : 'fault';
    case 'check':
      return entry.held ? 'held' : 'broken';
    default:
      return entry.type;
  }
}

/** The swimlane of an entry. */
function swimlaneOf(entry: Entry): string {
  switch (entry.type) {
    case 'write':
    case 'refusal':
      return entry.controller === undefined ? 'story' : `${entry.actor} ${entry.controller}`;
    case 'reconcile':
    case 'delivery':
      return `${entry.process} ${entry.type === 'reconcile' ? entry.controller : ''}`;
    case 'timer':
      return `${entry.process} ${entry.controller}`;
    case 'process':
      return `${entry.process} `;
    default:
      return 'story';
  }
}

/** The index of the last log entry at or before a step; -1: none. */
export function reportedAt({ steps }: Pick<Reported, 'steps'>, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? Infinity) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
