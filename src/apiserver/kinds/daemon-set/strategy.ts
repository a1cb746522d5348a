/**
 * Changes of a DaemonSet before it is stored. The server counts the templates that a DaemonSet has had. In this version the count is an
 * annotation that clients cannot change. Models: v1.24 pkg/registry/apps/daemonset/strategy.go, pkg/apis/apps/v1/conversion.go.
 */
import {
  type ApiObject,
  type Draft,
  dropGatedPodFields,
  keepSpec,
  keepStatus,
  type KindContext,
  sameValue,
} from '../../machinery/index.ts';
import type { DaemonSet } from './shape.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const NOTHING_YET = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 } as const;

const templateGeneration = ({ metadata }: ApiObject): number => Number(metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);

function setTemplateGeneration({ metadata }: Draft<DaemonSet>, generation: number): void {
  if (metadata.annotations?.[TEMPLATE_GENERATION] !== String(generation))
    metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

/** Drops fields whose gates are off, unless the stored object has them. */
function dropGated({ spec }: Draft<DaemonSet>, context: KindContext, old: DaemonSet | undefined): void {
  if (context.gates['DaemonSetUpdateSurge'] === false && old?.spec.updateStrategy.rollingUpdate?.maxSurge === undefined)
    delete spec.updateStrategy.rollingUpdate?.maxSurge;
  dropGatedPodFields(spec.template, old?.spec.template, context);
}

export function prepareDaemonSet(draft: Draft<DaemonSet>, context: KindContext): void {
  dropGated(draft, context, undefined);
  draft.status = { ...NOTHING_YET };
  setTemplateGeneration(draft, Math.max(1, templateGeneration(draft)));
}

export function prepareDaemonSetUpdate(draft: Draft<DaemonSet>, old: DaemonSet, context: KindContext): void {
  dropGated(draft, context, old);
  keepStatus(draft, old);
  const before = templateGeneration(old);
  setTemplateGeneration(draft, sameValue(draft.spec.template, old.spec.template) ? before : before + 1);
}

export function prepareDaemonSetStatusUpdate(draft: Draft<DaemonSet>, old: DaemonSet): void {
  keepSpec(draft, old);
  setTemplateGeneration(draft, templateGeneration(old));
}

/** Upstream parses the annotation as a number when it decodes a DaemonSet. */
export function unreadableTemplateGeneration({ metadata }: ApiObject): string | undefined {
  const reported = metadata.annotations?.[TEMPLATE_GENERATION];
  return reported === undefined || /^[+-]?\d+$/.test(reported)
    ? undefined
    : `strconv.ParseInt: parsing ${JSON.stringify(reported)}: invalid syntax`;
}
