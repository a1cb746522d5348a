/** The pod a Job creates. Models: v1.24 pkg/controller/controller_utils.go GetPodFromTemplate, pkg/controller/job/indexed_job_utils.go. */
import type { Job, Names, ObjectInput } from '../../api/index.ts';
import { create, type Write } from '../../runtime/index.ts';
import { controllerReference } from '../owner-references.ts';
import { podGenerateNameWithIndex } from './indexes.ts';

type Template = Job['spec']['template'];
type PodSpec = NonNullable<Template['spec']>;
type PodContainer = PodSpec['containers'][number];

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** Built once per template, so that all pods of a Job share one spec. */
const indexedSpecs = new WeakMap<Template, PodSpec>();

function indexedSpec(template: Template, annotation: string): PodSpec {
  let spec = indexedSpecs.get(template);
  if (spec !== undefined) return spec;
  const variable = { name: INDEX_VARIABLE, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${annotation}']` } } };
  const knowing = (container: PodContainer): PodContainer =>
    container.env?.some(({ name }) => name === INDEX_VARIABLE) === true ? container : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers } = template.spec;
  spec = { ...template.spec, containers: template.spec.containers.map(knowing), ...(initContainers === undefined ? {} : { initContainers: initContainers.map(knowing) }) };
  indexedSpecs.set(template, spec);
  return spec;
}

/** Creates one pod of the Job, for a completion index if it is Indexed. */
export function createPod(job: Job, index: number | undefined, tracked: boolean, names: Names): Write {
  const { template } = job.spec;
  const { labels, annotations, finalizers = [] } = template.metadata ?? {};
  const tracking = names.key('batch', 'job-tracking');
  const ownFinalizers = tracked && !finalizers.includes(tracking) ? [...finalizers, tracking] : finalizers;
  const indexKey = names.key('batch', 'job-completion-index');
  const ownAnnotations = index === undefined ? annotations : { ...annotations, [indexKey]: String(index) };
  const pod: ObjectInput = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: index === undefined ? `${job.metadata.name}-` : podGenerateNameWithIndex(job.metadata.name, index),
      ...(job.metadata.namespace === undefined ? {} : { namespace: job.metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(ownAnnotations === undefined ? {} : { annotations: ownAnnotations }),
      ...(ownFinalizers.length === 0 ? {} : { finalizers: ownFinalizers }),
      ownerReferences: [controllerReference(job)],
    },
    spec: index === undefined ? template.spec : { ...indexedSpec(template, indexKey), hostname: `${job.metadata.name}-${index}` },
  };
  return create(pod, { then: { about: job, type: 'Normal', reason: 'SuccessfulCreate', message: 'Created pod: {name}' } });
}
