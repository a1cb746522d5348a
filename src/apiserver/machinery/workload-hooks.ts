/** Hooks and columns of kinds with a pod template in their specification. Models: v1.24 pkg/registry/apps, the strategies. */
import { formatLabelSelector, type LabelSelector } from '../../schema/values/index.ts';
import { wideColumn } from './columns.ts';
import type { Draft } from './draft.ts';
import { dropGatedPodFields, gatedTemplateFields } from './gated.ts';
import type { ColumnOf, KindContext } from './kind.ts';
import type { ApiObject } from './object.ts';
import type { PodTemplateSpec } from './structs/pod-spec.ts';
import { keepStatus } from './strategy.ts';
import { templateWarnings } from './validation/pod-warnings.ts';

interface Workload extends ApiObject {
  readonly spec: { readonly template: PodTemplateSpec };
}

/** Returns the hooks: a new object has the given status, and gated fields of pods are dropped from the template. */
export const workloadHooks = (status: Readonly<Record<string, unknown>>) => ({
  prepareForCreate(draft: Draft<Workload>, context: KindContext): void {
    draft['status'] = { ...status };
    dropGatedPodFields(draft.spec.template, undefined, context);
  },
  prepareForUpdate: [keepStatus, gatedTemplateFields],
  warnings: (object: Workload, old: Workload | undefined, context: KindContext): readonly string[] =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
});

interface Template {
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image?: string }[] | null };
}

/** Returns columns with the names and images of the containers in the template that `of` returns. */
export const templateColumns = <T extends ApiObject>(of: (object: T) => Template): readonly ColumnOf<T>[] => [
  wideColumn('Containers', 'string', 'Names of the containers in the template.', (object) =>
    (of(object).spec.containers ?? []).map(({ name }) => name).join(','),
  ),
  wideColumn('Images', 'string', 'Images of the containers in the template.', (object) =>
    (of(object).spec.containers ?? []).map(({ image = '' }) => image).join(','),
  ),
];

/** Returns a column with the selector that `of` returns, in kubectl's form. */
export const selectorColumn = <T extends ApiObject>(of: (object: T) => LabelSelector | undefined): ColumnOf<T> =>
  wideColumn('Selector', 'string', 'Selector of the pods.', (object) => formatLabelSelector(of(object)));
