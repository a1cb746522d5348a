/** A value under check with its place in the file, and the state that all readers of a file share: names, the problems found so far, positions. */
import { joinPath, type Position, type Problem, positionOf, showValue, type Located } from '../../schema/yaml/index.ts';
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { SnapshotFile } from '../snapshot/index.ts';
import type { Vocabulary } from './fields.ts';
import type { DumpSource, SourcedManifest } from './values.ts';

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

/** A value of a file that is read or checked. */
export class Reading {
  readonly node: Located;
  /** Its path in messages. */
  readonly path: string;
  readonly context: CheckContext;

  constructor(node: Located, path: string, context: CheckContext) {
    this.node = node;
    this.path = path;
    this.context = context;
  }

  /** Its value as JSON holds it. */
  get plain(): unknown {
    return this.node.plain;
  }

  /** Returns the value below some keys; undefined: there is none. */
  member(...keys: readonly string[]): Reading | undefined {
    const node = memberAt(this.node, ...keys);
    return node && new Reading(node, keys.reduce<string>(joinPath, this.path), this.context);
  }

  /** Returns the items of a list; of another value none. */
  items(): readonly Reading[] {
    if (this.node.shape !== 'list') return [];
    return this.node.items.map((item, index) => new Reading(item, joinPath(this.path, index), this.context));
  }

  /** Reports a problem of it; returns undefined, as all of these do. */
  refuse(expected: string, found = showValue(this.node.plain), suggestion?: string): undefined {
    return this.refuseAt(this.node, this.path, expected, found, suggestion);
  }

  /** Reports a problem at another place. */
  refuseAt(at: Located | Position, path: string, expected: string, found: string, suggestion?: string): undefined {
    return note(this.context, at, path, expected, found, suggestion);
  }

  /** Reports a problem of a member, which may be missing. */
  refuseMember(key: string, expected: string, suggestion?: string): undefined {
    const node = memberAt(this.node, key);
    return this.refuseAt(node ?? this.node, joinPath(this.path, key), expected, showValue(node?.plain), suggestion);
  }

  /** Reports a problem of the key of a member. */
  refuseKey(key: string, path: string, expected: string, found: string, suggestion?: string): undefined {
    const start = this.node.shape === 'map' ? this.node.entries.get(key)?.keyStart : undefined;
    return this.refuseAt(this.node.source.at(start ?? this.node.start), path, expected, found, suggestion);
  }
}

export const memberAt = (node: Located | undefined, ...path: readonly string[]): Located | undefined =>
  path.reduce((inner: Located | undefined, key) => (inner?.shape === 'map' ? inner.entries.get(key)?.value : undefined), node);

export const quoted = (name: string | undefined) => (name === undefined ? undefined : JSON.stringify(name));
