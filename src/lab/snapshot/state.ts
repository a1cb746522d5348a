/** What the parts of a reader of dumps pass to each other. */
import type { ApiObject, Names, ObjectInput } from '../../apiserver/machinery/index.ts';
import type { Named } from './identity.ts';

/** An object of a known or foreign kind, read. */
export interface Stored {
  readonly named: Named;
  readonly object: ApiObject;
}

/** The objects of a dump, and what is needed to make others like them. */
export interface State {
  readonly objects: readonly ApiObject[];
  readonly names: Names;
  /** When the dump was taken, milliseconds since the epoch. */
  readonly now: number;
}

/** Objects that are made because a dump lacks them, and what is said about that. */
export interface Made {
  readonly made: readonly ApiObject[];
  readonly notes: readonly string[];
}

/** An object before it has a uid and a time of its creation. */
export type Unmade = Pick<ApiObject, 'apiVersion' | 'kind'> & {
  readonly metadata: ObjectInput['metadata'] & { readonly name?: string };
  readonly [field: string]: unknown;
};
export type Make = (object: Unmade) => ApiObject;

export const objectsOf = <T extends ApiObject>({ objects }: Pick<State, 'objects'>, kind: string): readonly T[] =>
  objects.filter((each) => each.kind === kind) as T[];

/** A uid for an object that has none; `number`: its own. */
export const madeUid = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
