/** The state that all readers of a file share: the registries' names, the problems found so far, positions. */
import { type Position, type Problem, positionOf, type Located } from '../../schema/yaml/index.ts';
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { SnapshotFile } from '../snapshot/index.ts';
import type { DumpSource } from './types.ts';
import type { Vocabulary } from './fields.ts';
import type { SourcedManifest } from './values.ts';

export interface Written extends SourcedManifest {
  readonly node: Located;
  readonly path: string;
  /** It may be a part of an object, as in a patch: missing fields may be stored already. */
  readonly partial: boolean;
}

export interface CheckContext {
  readonly vocabulary: Vocabulary;
  readonly problems: Problem[];
  /** Returns the text of a file that another one names; undefined: there is none. */
  readonly readFile?: ((path: string, from: string) => string | undefined) | undefined;
  /** Returns the texts of a file or folder with a dump; undefined: it cannot be read. Absent: dumps cannot be read. */
  readonly readDump?: ((path: string) => readonly SnapshotFile[] | undefined) | undefined;
  /** The dump with which every scenario begins, in place of its own. */
  readonly from?: DumpSource | undefined;
  /** The kind of the target that is being read, which is the kind of `self` in its condition. */
  readonly self?: string | undefined;
  /** The server drops unknown members, because the scenario allows them. */
  readonly allowUnknown?: boolean;
  /** The domain of the scenario's names; absent: orch.io. */
  readonly domain?: Domain | undefined;
  /** A step expects that a process refuses to start, so configuration errors are left to the run. */
  readonly startsMayFail?: boolean;
  readonly gates?: Readonly<Record<string, boolean>>;
  /** The objects that the file writes, without those that must be refused. */
  readonly written: Written[];
  readonly places: WeakMap<object, Position>;
}

export type MapNode = Located & { readonly shape: 'map' };

/** Reports a problem and returns undefined, so that a reader can return it. */
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

export const memberAt = (node: Located | undefined, ...path: readonly string[]): Located | undefined =>
  path.reduce((inner: Located | undefined, key) => (inner?.shape === 'map' ? inner.entries.get(key)?.value : undefined), node);

export const quoted = (name: string | undefined) => (name === undefined ? undefined : JSON.stringify(name));
