/**
 * The metrics APIs: usage of pods and nodes, metrics of pods and objects, metrics from outside. Each is there while somebody says what it
 * would answer, a scenario or the pods themselves, as a cluster has them where somebody installs what serves them. Autoscalers go by the
 * same numbers.
 */
import type { Area } from '../call.ts';
import type { Backend } from '../backend.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import { answerCustom, answerExternal, CUSTOM_VERSIONS, EXTERNAL_VERSION, seriesRows } from './other.ts';
import { answerMetrics, hasMeter, meterRows, VERSION } from './resources.ts';

/** Rows in discovery of those that there are at the moment. */
export const metricsRows = (backend: Backend): readonly ExtraRow[] => [
  ...(hasMeter(backend) ? meterRows(backend.names.group('metrics')) : []),
  ...seriesRows(backend),
];

/** Paths below their versions; whoever asks for the versions themselves is told by discovery. */
export const metricsApi: Area = (call) => {
  const { below } = call;
  if (below === undefined || (below.resource ?? '') === '' || below.special !== undefined) return undefined;
  const { backend } = call;
  const { series } = backend.metered ?? {};
  const { group, version } = below;
  const isOf = (prefix: string): boolean => group === backend.names.group(prefix);
  if (isOf('metrics')) return version === VERSION && hasMeter(backend) ? answerMetrics(call, below) : undefined;
  if (isOf('custom.metrics'))
    return CUSTOM_VERSIONS.includes(version) && series?.custom === true ? answerCustom(call, series, below) : undefined;
  if (isOf('external.metrics'))
    return version === EXTERNAL_VERSION && series?.external === true ? answerExternal(call, series, below) : undefined;
  return undefined;
};
