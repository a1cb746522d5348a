import { describe, expect, it } from 'vitest';
import { kindsFor, namesFor, type Schema } from '../../../src/cluster/api/index.ts';
import { fieldText, structText } from '../../../src/cluster/api/texts/index.ts';
import { BATCH } from '../../../src/cluster/api/texts/batch.ts';
import { APPS } from '../../../src/cluster/api/texts/apps.ts';
import { CLUSTER } from '../../../src/cluster/api/texts/cluster.ts';
import { COORDINATION } from '../../../src/cluster/api/texts/coordination.ts';
import { META } from '../../../src/cluster/api/texts/meta.ts';
import { NETWORKING } from '../../../src/cluster/api/texts/networking.ts';
import { PODS } from '../../../src/cluster/api/texts/pods.ts';
import { STORAGE } from '../../../src/cluster/api/texts/storage.ts';

/** The kinds of the specification. */
const SEVENTEEN = ['Role', 'Endpoints', 'EndpointSlice', 'Ingress', 'APIService', 'NetworkPolicy', 'StatefulSet', 'Job', 'CronJob', 'Lease', 'VolumeAttachment', 'CSIDriver', 'CSINode', 'CSIStorageCapacity', 'StorageClass', 'RuntimeClass', 'Node'];
/** Shared with pods and volumes, and described as far as the cluster acts on them. */
const IN_PART: ReadonlySet<string> = new Set(['PodSpec', 'PersistentVolumeSpec']);
const ROOMS = [META, BATCH, APPS, COORDINATION, STORAGE, NETWORKING, CLUSTER, PODS];

/** Structs below a schema and their fields; without what is below those described in part, unless `all`. */
function structsOf(schema: Schema, found: Map<string, Set<string>>, all = false, seen = new Set<object>()): Map<string, Set<string>> {
  if (schema.type === 'list') return structsOf(schema.items, found, all, seen);
  if (schema.type === 'map') return structsOf(schema.values, found, all, seen);
  if (schema.type !== 'object' || seen.has(schema.fields)) return found;
  seen.add(schema.fields);
  const known = found.get(schema.go) ?? new Set<string>();
  found.set(schema.go, known);
  for (const [field, inner] of Object.entries(schema.fields)) {
    known.add(field);
    if (all || !IN_PART.has(schema.go)) structsOf(inner, found, all, seen);
  }
  return found;
}

describe('what fields mean', () => {
  it.each(SEVENTEEN)('is said of %s, every field of it', (name) => {
    const kind = kindsFor(namesFor('orch.io')).byKind(name);
    if (kind === undefined) throw new Error(`no ${name}`);
    const missing = [...structsOf(kind.schema, new Map())].filter(([go]) => !IN_PART.has(go)).flatMap(([go, fields]) => [
      ...(structText(go) === undefined ? [go] : []), ...[...fields].filter((field) => fieldText(go, field) === undefined).map((field) => `${go}.${field}`),
    ]);
    expect(missing).toEqual([]);
  });

  it('is said of nothing that is not there', () => {
    const there = new Map<string, Set<string>>();
    for (const domain of ['orch.io', 'k8s.io'] as const) for (const kind of kindsFor(namesFor(domain)).list()) structsOf(kind.schema, there, true);
    const stale = ROOMS.flatMap((room) => Object.entries(room).flatMap(([go, fields]) => Object.keys(fields).filter((field) => field === '' ? !there.has(go) : there.get(go)?.has(field) !== true).map((field) => `${go}.${field}`)));
    expect(stale).toEqual([]);
  });

  it('is said once: no struct in two rooms', () => {
    const structs = ROOMS.flatMap((room) => Object.keys(room));
    expect(structs.filter((go, at) => structs.indexOf(go) < at)).toEqual([]);
  });

  it('is said in words that both domains can use', () => {
    expect(JSON.stringify(ROOMS.flatMap((room) => Object.values(room).flatMap((fields) => Object.values(fields)))).match(/kube|k8s/gi)).toBeNull();
  });

  it('finds nothing under names of Object', () => {
    expect(fieldText('constructor', 'toString')).toBeUndefined();
    expect(fieldText('JobSpec', 'constructor')).toBeUndefined();
  });
});
