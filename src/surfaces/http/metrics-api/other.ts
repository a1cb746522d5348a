/**
 * `custom.metrics.orch.io` (v1beta1 and v1beta2) and `external.metrics.orch.io/v1beta1`: metrics other than usage, from `cluster.metrics`
 * of a scenario. Read only. Models: custom-metrics-apiserver pkg/apiserver, pkg/registry, pkg/provider.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Refusal } from '../../../apiserver/request/index.ts';
import type { Series, SeriesSpec } from '../../../controlplane/usage/index.ts';
import { compareText, repeats } from '../../../schema/values/index.ts';
import { reply } from '../answer/encode.ts';
import type { Backend } from '../backend.ts';
import type { Call } from '../call.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import type { HttpReply } from '../message.ts';
import { unknownResource, notFound } from '../refusals.ts';
import type { VersionPath } from '../request/path.ts';
import { checkRead, labelsIn, milliQuantity, timestampOf } from './made.ts';

/** The versions of custom metrics, the preferred first. */
export const CUSTOM_VERSIONS: readonly string[] = ['v1beta2', 'v1beta1'];
export const EXTERNAL_VERSION = 'v1beta1';

/** Returns the resource of a kind as paths name it: its plural, with the group. */
function resourceOf({ kinds, names }: Backend, kind: string): { readonly resource: string; readonly namespaced: boolean } {
  const found = kinds.byKind(kind);
  if (found === undefined) return { resource: kind, namespaced: true };
  const { plural, groupPrefix, namespaced } = found;
  return { resource: groupPrefix === '' ? plural : `${plural}.${names.group(groupPrefix)}`, namespaced };
}

/** Discovery rows: one for each metric. */
export function seriesRows(backend: Backend): readonly ExtraRow[] {
  const { names, metered } = backend;
  const { series } = metered ?? {};
  if (series === undefined) return [];
  const row = (group: string, version: string, name: string, kind: string, namespaced = true): ExtraRow => ({
    group: names.group(group),
    version,
    row: { name, singularName: '', namespaced, kind, verbs: ['get'] },
  });
  const rows = series.specs.flatMap(({ name, external, object }: SeriesSpec) => {
    if (external === true) return [row('external.metrics', EXTERNAL_VERSION, name, 'ExternalMetricValueList')];
    const { resource, namespaced } = resourceOf(backend, object?.kind ?? 'Pod');
    return CUSTOM_VERSIONS.map((version) => row('custom.metrics', version, `${resource}/${name}`, 'MetricValueList', namespaced));
  });
  const isRepeated = repeats<string>();
  return rows.filter(({ group, version, row: { name } }) => !isRepeated(`${group}/${version}/${name}`));
}

interface Valued {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly value: number;
}

/** Answers `…/namespaces/NS/RESOURCE/NAME/METRIC`, and `…/RESOURCE/NAME/METRIC` of cluster-scoped objects. `*`: all objects. */
export function answerCustom(call: Call, series: Series, path: VersionPath): HttpReply {
  const { group, version } = path;
  // A metric of a namespace itself: `namespaces/NS/metrics/METRIC`.
  const ofNamespace = path.namespace !== undefined && path.resource === 'metrics' && path.subresource === undefined;
  const [resource = '', name = '', metric = ''] = ofNamespace
    ? ['namespaces', path.namespace, path.name]
    : [path.resource, path.name, path.subresource];
  if (metric === '' || path.rest.length > 0 || path.namespace === '') throw unknownResource();
  checkRead(call);
  const namespace = ofNamespace ? '' : (path.namespace ?? '');
  const matches = labelsIn(call, 'metricLabelSelector');
  const request = { name: metric, namespace, matches };
  const found = resource === 'pods' ? ofPods(call, series, request, name) : ofObjects(call, series, request, resource, name);
  const timestamp = timestampOf(call);
  const items = found.map(({ value, kind, apiVersion, name: of }) => ({
    describedObject: { kind, ...(namespace === '' ? {} : { namespace }), name: of, apiVersion },
    ...(version === 'v1beta1' ? { metricName: metric } : { metric: { name: metric, selector: null } }),
    timestamp,
    value: milliQuantity(value),
    ...(version === 'v1beta1' ? { selector: null } : {}),
  }));
  return reply(200, { kind: 'MetricValueList', apiVersion: `${group}/${version}`, metadata: {}, items }, call.format());
}

type MetricsCall = Parameters<Series['ofObject']>[0];

function ofPods(call: Call, series: Series, request: MetricsCall, name: string): readonly Valued[] {
  const { store, now } = call.backend;
  const matches = labelsIn(call, 'labelSelector');
  const inNamespace: readonly Pod[] = store.by('Pod', 'namespace', request.namespace);
  const chosen = inNamespace.filter(({ metadata }) => (name === '*' ? matches(metadata.labels) : metadata.name === name));
  const values = series.ofPods(request, chosen, () => store.values('Pod'), now());
  if (values === undefined || (name !== '*' && values.size === 0)) throw missing(request.name, 'pods', name);
  return [...values]
    .map(([key, value]) => ({ kind: 'Pod', apiVersion: 'v1', name: key.slice(key.indexOf('/') + 1), value }))
    .sort((a, b) => compareText(a.name, b.name));
}

function ofObjects(call: Call, series: Series, request: MetricsCall, resource: string, name: string): readonly Valued[] {
  const { backend } = call;
  const kinds = new Set(series.specs.flatMap(({ object }) => object?.kind ?? []));
  const kind = [...kinds].find((each) => resourceOf(backend, each).resource === resource);
  if (kind === undefined) throw missing(request.name, resource, name);
  const known = backend.kinds.byKind(kind);
  const group = known === undefined ? '' : backend.names.group(known.groupPrefix);
  const apiVersion = known === undefined || group === '' ? 'v1' : `${group}/${known.version}`;
  const named = name === '*' ? [...new Set(series.specs.flatMap(({ object }) => (object?.kind === kind ? object.name : [])))] : [name];
  const values = named.sort(compareText).flatMap((each): readonly Valued[] => {
    const value = series.ofObject(request, { kind, name: each }, backend.now());
    return value === undefined ? [] : [{ kind, apiVersion, name: each, value }];
  });
  if (values.length === 0) throw missing(request.name, resource, name);
  return values;
}

const missing = (metric: string, resource: string, name: string): Refusal =>
  notFound(`the server could not find the metric ${metric} for ${resource}${name === '*' ? '' : ` ${name}`}`);

/** Answers `…/namespaces/NS/METRIC`; an unknown metric is an empty list. */
export function answerExternal(call: Call, series: Series, path: VersionPath): HttpReply {
  const { group, version, namespace = '', resource: metric = '', name } = path;
  if (namespace === '' || metric === '' || name !== undefined) throw unknownResource();
  checkRead(call);
  const matches = labelsIn(call, 'labelSelector');
  const found = series.fromOutside({ name: metric, namespace, matches }, call.backend.now());
  const timestamp = timestampOf(call);
  const items = found.map(({ labels, value }) => ({ metricName: metric, metricLabels: labels, timestamp, value: milliQuantity(value) }));
  return reply(200, { kind: 'ExternalMetricValueList', apiVersion: `${group}/${version}`, metadata: {}, items }, call.format());
}
