/** `/metrics` in the Prometheus text format: stored objects, and the counters of the backend. */
import type { Metric } from '../backend.ts';
import type { Area } from '../call.ts';
import { text } from '../message.ts';

/** Returns metrics as text. */
function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, values }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...values.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}`),
        '',
      ].join('\n'),
    )
    .join('');
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export const metrics: Area = ({ path, backend: { kinds, names, store, now, counters } }) => {
  if (path !== '/metrics') return undefined;
  const objects = kinds.list().map((kind) => {
    const group = names.group(kind.groupPrefix);
    return { labels: { resource: group === '' ? kind.plural : `${kind.plural}.${group}` }, value: store.size(kind.kind) };
  });
  return text(
    200,
    metricsText([
      { name: 'apiserver_storage_objects', help: 'Number of stored objects by resource.', type: 'gauge', values: objects },
      {
        name: 'orchsim_store_revision',
        help: 'The last resourceVersion that was assigned.',
        type: 'gauge',
        values: [{ value: store.revision }],
      },
      { name: 'orchsim_time_seconds', help: 'Virtual time since the epoch.', type: 'gauge', values: [{ value: now() / 1000 }] },
      ...(counters?.() ?? []),
    ]),
    'text/plain; version=0.0.4; charset=utf-8',
  );
};
