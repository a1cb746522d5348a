/** The metrics APIs: usage, custom and external metrics, each served where a scenario or pods provide values. Autoscalers use the same. */
import type { Area } from '../call.ts';
import type { Backend } from '../backend.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import { answerCustom, answerExternal, CUSTOM_VERSIONS, EXTERNAL_VERSION, seriesRows } from './other.ts';
import { answerMetrics, hasMeter, meterRows, VERSION } from './resources.ts';

export const metricsRows = (backend: Backend): readonly ExtraRow[] => [
  ...(hasMeter(backend) ? meterRows(backend.names.group('metrics')) : []),
  ...seriesRows(backend),
];

/** Answers paths below the versions; discovery answers for the versions themselves. */
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
