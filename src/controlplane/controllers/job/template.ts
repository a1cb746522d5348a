/**
 * The pod that a Job creates. Models: v1.24 pkg/controller/controller_utils.go GetPodFromTemplate, pkg/controller/job/indexed_job_utils.go.
 */
import type { Job } from '../../../apiserver/kinds/index.ts';
import type { Names, ObjectInput, OwnerReference } from '../../../apiserver/machinery/index.ts';
import type { Write } from '../../runtime/index.ts';
import { createPodOf, controllerReference } from '../../shared/index.ts';
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
  const variable = {
    name: INDEX_VARIABLE,
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${annotation}']` } },
  };
  const knowing = (container: PodContainer): PodContainer =>
    container.env?.some(({ name }) => name === INDEX_VARIABLE) === true
      ? container
      : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers } = template.spec;
  // With a placeholder for the individual name of each pod.
  spec = {
    ...template.spec,
    hostname: '',
    containers: template.spec.containers.map(knowing),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(knowing) }),
  };
  indexedSpecs.set(template, spec);
  return spec;
}

/** The parts that all pods of a Job share, built once, because the server validates known parts only once. */
interface Common {
  readonly uid: string;
  readonly tracked: boolean;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  /** The pod without an index. */ readonly pod: ObjectInput;
}
const commons = new WeakMap<Template, Common>();

function commonOf(job: Job, tracked: boolean, names: Names): Common {
  const { template } = job.spec;
  const known = commons.get(template);
  if (known !== undefined && known.uid === job.metadata.uid && known.tracked === tracked) return known;
  const { labels, annotations, finalizers = [] } = template.metadata ?? {};
  const tracking = names.key('batch', 'job-tracking');
  const own = Object.freeze(tracked && !finalizers.includes(tracking) ? [...finalizers, tracking] : finalizers);
  const owners = Object.freeze([Object.freeze(controllerReference(job))]);
  const pod = podOf(job, `${job.metadata.name}-`, labels, annotations, owners, own, template.spec);
  const common: Common = { uid: job.metadata.uid, tracked, owners, finalizers: own, pod };
  commons.set(template, common);
  return common;
}

type Texts = Readonly<Record<string, string>> | undefined;

function podOf(
  { metadata: { namespace } }: Job,
  generateName: string,
  labels: Texts,
  annotations: Texts,
  ownerReferences: readonly OwnerReference[],
  finalizers: readonly string[],
  spec: PodSpec,
): ObjectInput {
  return Object.freeze({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: Object.freeze({
      generateName,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences,
      ...(finalizers.length === 0 ? {} : { finalizers }),
    }),
    spec,
  });
}

/** Creates a pod of the Job, with a completion index if it is Indexed. */
export function createPod(job: Job, index: number | undefined, tracked: boolean, names: Names): Write {
  const common = commonOf(job, tracked, names);
  return createPodOf(job, index === undefined ? common.pod : indexedPod(job, index, common, names));
}

function indexedPod(job: Job, index: number, { owners, finalizers }: Common, names: Names): ObjectInput {
  const { template } = job.spec;
  const { labels, annotations } = template.metadata ?? {};
  const indexKey = names.key('batch', 'job-completion-index');
  const spec = { ...indexedSpec(template, indexKey), hostname: `${job.metadata.name}-${index}` };
  return podOf(
    job,
    podGenerateNameWithIndex(job.metadata.name, index),
    labels,
    { ...annotations, [indexKey]: String(index) },
    owners,
    finalizers,
    spec,
  );
}
