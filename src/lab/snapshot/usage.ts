/** The usage that a dump shows: what autoscalers last measured of their targets. With it they keep to their decisions; without, none has metrics. */
import type { HorizontalPodAutoscaler } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { UsageSpec } from '../../controlplane/usage/index.ts';
import { milliUnitsOf, unitsOf } from '../../schema/values/index.ts';
import { objectsOf } from './state.ts';

type Target = ApiObject & { readonly spec?: { readonly selector?: UsageSpec['selector'] } };

/** The usage of the pods of each autoscaler's target, as it was measured: the load stays, and more pods share it. */
export function usageOf(objects: readonly ApiObject[]): readonly UsageSpec[] {
  const byName = new Map(objects.map((each) => [`${each.kind} ${each.metadata.namespace}/${each.metadata.name}`, each]));
  return objectsOf<HorizontalPodAutoscaler>({ objects }, 'HorizontalPodAutoscaler').flatMap(({ metadata: { namespace }, spec, status }) => {
    const { kind, name } = spec.scaleTargetRef;
    const target: Target | undefined = byName.get(`${kind} ${namespace}/${name}`);
    const selector = target?.spec?.selector;
    const measured = (resource: string): string | undefined =>
      status?.currentMetrics?.find((each) => each.resource?.name === resource)?.resource?.current.averageValue;
    const [cpu, memory] = [measured('cpu'), measured('memory')];
    if (selector === undefined || namespace === undefined || (cpu === undefined && memory === undefined)) return [];
    return [
      {
        selector,
        namespace,
        shared: true,
        ...(cpu === undefined
          ? {}
          : { cpu: { shape: 'constant' as const, is: milliUnitsOf(cpu) * Math.max(status?.currentReplicas ?? 1, 1) } }),
        ...(memory === undefined ? {} : { memory: { shape: 'constant' as const, is: unitsOf(memory) } }),
      },
    ];
  });
}
