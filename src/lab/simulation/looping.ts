/** The position of an endless controller in its author's files: one that loops at one instant, or from wake to wake. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { definedAt, outOfSandbox, type Locate } from '../sandbox/index.ts';
import type { Position } from '../scenario/index.ts';

/** Returns where an endless controller was defined; undefined: it is a built-in one. */
export function loopingAt(
  { cluster, locate }: { readonly cluster: Cluster; readonly locate?: Locate | undefined },
  { controller: name }: { readonly controller?: string | undefined },
): Position | undefined {
  if (name === undefined) return undefined;
  for (const process of cluster.runtime.names())
    for (const each of cluster.runtime.process(process)?.spec.controllers ?? [])
      if (each.name === name && outOfSandbox(each) !== each) return definedAt(outOfSandbox(each), locate);
  return undefined;
}
