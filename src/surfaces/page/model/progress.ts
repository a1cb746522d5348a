/** The reader's progress through the course, kept in the browser. What is stored is validated: it may be of any other version. */

import { jsonIn } from '../../../schema/values/index.ts';
import { fieldsOf, isCount } from './link.ts';

/** How far a lesson was read. */
export interface Read {
  /** Notes that were read at most, of how many. */
  readonly notes: number;
  readonly of: number;
  /** Whether it was ever read to its end. */
  readonly done: boolean;
  /** The fragment of the address of the last moment. */
  readonly at: string;
}

export interface Progress {
  /** By the name of the lesson. */
  readonly lessons: ReadonlyMap<string, Read>;
  /** The lesson that was open last. */
  readonly last?: string;
}

export const NO_PROGRESS: Progress = { lessons: new Map() };

/** Maximum number of lessons, and letters of an address, that are read. */
const MOST = 200;
const LONGEST = 4096;

/** Reads stored progress; anything invalid is left out. */
export function readProgress(text: string | null): Progress {
  const { lessons, last } = fieldsOf(jsonIn(text ?? ''));
  const read = Object.entries(fieldsOf(lessons))
    .slice(0, MOST)
    .flatMap(([name, value]): readonly (readonly [string, Read])[] => {
      const { notes, of, done, at } = fieldsOf(value);
      if (!isCount(notes) || !isCount(of) || notes > of || typeof at !== 'string' || at.length > LONGEST) return [];
      return [[name, { notes, of, done: done === true, at }]];
    });
  return { lessons: new Map(read), ...(typeof last === 'string' ? { last } : {}) };
}

/** The text to store. */
export const progressText = ({ lessons, last }: Progress): string =>
  JSON.stringify({ lessons: Object.fromEntries(lessons), ...(last === undefined ? {} : { last }) });

/** Adds a moment of a lesson. Going back, or starting again, keeps what was read. */
export function progressed({ lessons }: Progress, name: string, { notes, of, at }: Omit<Read, 'done'>): Progress {
  const before = lessons.get(name);
  const most = Math.max(notes, before?.of === of ? before.notes : 0);
  return {
    lessons: new Map(lessons).set(name, { notes: most, of, done: before?.done === true || (of > 0 && notes === of), at }),
    last: name,
  };
}
