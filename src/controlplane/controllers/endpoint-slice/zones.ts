/** The distribution of CPUs over zones, updated one node at a time. Models: v1.24 pkg/controller/endpointslice/topologycache SetNodes. */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import { milliUnitsOf } from '../../../schema/values/index.ts';
import type { ZoneShares } from './hints.ts';

interface Place {
  readonly zone: string;
  readonly milliCpu: number;
}

export interface Zones {
  /** Updates with the present state of a node; returns whether the shares may have changed. */
  see(node: Node, gone: boolean): boolean;
  shares(): ZoneShares;
}

export function createZones(names: Names): Zones {
  const places = new Map<string, Place>();
  const cpuByZone = new Map<string, number>();
  /** Nodes without a zone, or without known CPUs. */
  let unknown = 0;
  let shares: { readonly value: ZoneShares } | undefined;
  const label = names.key('topology', 'zone');
  const excluded = ['control-plane', 'master'].map((role) => names.key('node-role', role));

  const placeOf = ({ metadata: { labels = {} }, status }: Node): Place | undefined => {
    if (
      excluded.some((role) => role in labels) ||
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') !== true
    )
      return undefined;
    return { zone: labels[label] ?? '', milliCpu: milliUnitsOf(status.allocatable?.['cpu'] ?? '0') };
  };
  const count = ({ zone, milliCpu }: Place, by: 1 | -1): void => {
    if (zone === '' || milliCpu === 0) {
      unknown += by;
      return;
    }
    const left = (cpuByZone.get(zone) ?? 0) + by * milliCpu;
    if (left === 0) cpuByZone.delete(zone);
    else cpuByZone.set(zone, left);
  };

  return {
    see(node, gone) {
      const { name } = node.metadata;
      const before = places.get(name);
      const after = gone ? undefined : placeOf(node);
      if (before?.zone === after?.zone && before?.milliCpu === after?.milliCpu) return false;
      if (before !== undefined) count(before, -1);
      if (after === undefined) places.delete(name);
      else {
        places.set(name, after);
        count(after, 1);
      }
      shares = undefined;
      return true;
    },
    shares() {
      if (shares === undefined) {
        const total = [...cpuByZone.values()].reduce((sum, cpu) => sum + cpu, 0);
        shares = {
          value: unknown > 0 || cpuByZone.size < 2 ? undefined : new Map([...cpuByZone].map(([zone, cpu]) => [zone, cpu / total])),
        };
      }
      return shares.value;
    },
  };
}
