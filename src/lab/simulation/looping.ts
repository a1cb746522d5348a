/** Who goes on for ever, by its author's files: at one instant, or from wake to wake. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { definedAt, offBench, type Locate } from '../sandbox/index.ts';
import type { Position } from '../scenario/index.ts';

/** Where the controller that goes on for ever was defined, if it is somebody's own. */
export function loopingAt(
  { cluster, locate }: { readonly cluster: Cluster; readonly locate?: Locate | undefined },
  { controller: name }: { readonly controller?: string | undefined },
): Position | undefined {
  if (name === undefined) return undefined;
  for (const process of cluster.runtime.names())
    for (const each of cluster.runtime.process(process)?.spec.controllers ?? [])
      if (each.name === name && offBench(each) !== each) return definedAt(offBench(each), locate);
  return undefined;
}
