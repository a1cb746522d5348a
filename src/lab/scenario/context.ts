/** What every reader of a file shares: the registries' names, the problems found so far, where things stand. */
import { type Position, type Problem, positionOf, type Located } from '../../schema/yaml/index.ts';
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { Vocabulary } from './fields.ts';
import type { SourcedManifest } from './types.ts';

/** An object that a file writes, and where. */
export interface Written extends SourcedManifest {
  readonly node: Located;
  readonly path: string;
  /** It may be the part of an object that somebody changes: what is not there may be there already. */
  readonly partial: boolean;
}

export interface CheckContext {
  readonly vocabulary: Vocabulary;
  readonly problems: Problem[];
  /** The text of a file named in another one, or undefined if there is none. */
  readonly readFile?: ((path: string, from: string) => string | undefined) | undefined;
  /** The kind of the target that is being read: what `self` is in its condition. */
  readonly self?: string | undefined;
  /** Members that their kind does not know are dropped by the server, as the scenario wants it. */
  readonly allowUnknown?: boolean;
  /** How the scenario spells names; absent: as the neutral domain does. */
  readonly domain?: Domain | undefined;
  /** A step expects that a process refuses to start: what files and flags say is for the run to judge. */
  readonly startsMayFail?: boolean;
  /** What the scenario sets gates to, for every process. */
  readonly gates?: Readonly<Record<string, boolean>>;
  /** The objects that the file writes, but for those that are meant to be refused. */
  readonly written: Written[];
  /** Where each mapping that was read stands. */
  readonly places: WeakMap<object, Position>;
}

export type MapNode = Located & { readonly shape: 'map' };

/** Notes a problem and returns undefined, so that a reader can return it. */
export function note(
  context: CheckContext,
  at: Located | Position,
  path: string,
  expected: string,
  found: string,
  suggestion?: string,
): undefined {
  const { file, line, col } = 'shape' in at ? positionOf(at) : at;
  context.problems.push({ file, line, col, path, expected, found, ...(suggestion === undefined ? {} : { suggestion }) });
}

/** What stands at the end of a way of keys, if anything does. */
export const memberAt = (node: Located | undefined, ...path: readonly string[]): Located | undefined =>
  path.reduce((inner: Located | undefined, key) => (inner?.shape === 'map' ? inner.entries.get(key)?.value : undefined), node);

/** A name as a suggestion shows it. */
export const quoted = (name: string | undefined) => (name === undefined ? undefined : JSON.stringify(name));
