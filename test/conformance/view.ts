/**
 * A run as the recorder of a case would have observed it. Recorders watched some kinds only, had listed older objects before, and observed
 * volumes of concurrent cases. Objects that one side cannot show are not compared.
 */
import { namespacedName } from '../../src/apiserver/machinery/index.ts';
import { ofTheCase, type RecordedCase, type TraceLine, type TracedObject } from './recording.ts';

/** Returns the comparable changes of the recording and of a run of it. */
export function viewOf(recorded: RecordedCase): (lines: readonly TraceLine[]) => readonly TraceLine[] {
  const unseen = unseenKinds(recorded);
  const { namespace, kcm = '' } = recorded.actions;
  return (lines) => {
    const own = namespace === undefined ? lines : withoutForeignVolumes(lines, namespace);
    const seen = ofTheCase(own, recorded.actions).filter(({ object: { kind } }) => kind === undefined || !unseen.has(kind));
    return withDashes(RELEASES_AT_ONCE.test(kcm) ? seen : withoutReleases(seen));
  };
}

/** Kinds that accompany others: a recorder that did not watch the others did not watch these. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  Service: ['Endpoints', 'EndpointSlice'],
  Namespace: ['ServiceAccount'],
  PersistentVolume: ['VolumeAttachment'],
};

/** Kinds without changes in the recording although such objects existed: they were created, or claims are bound to them. */
function unseenKinds({ actions: { actions }, trace }: RecordedCase): ReadonlySet<string> {
  const seen = new Set(trace.map(({ object: { kind } }) => kind));
  const created = actions
    .filter(({ method, path = '', code = 0 }) => method === 'POST' && code < 300 && !path.endsWith('/eviction'))
    .map(({ body }) => body?.['kind']);
  const bound = trace.some(({ object: { kind, spec } }) => kind === 'PersistentVolumeClaim' && spec?.volumeName !== undefined)
    ? ['PersistentVolume']
    : [];
  const found = new Set<string>();
  // A recorder that watched nodes may not have watched the other objects of their agents.
  if (created.includes('Node') && !seen.has('CSINode')) found.add('CSINode');
  for (const kind of [...created, ...bound]) {
    if (typeof kind !== 'string' || seen.has(kind)) continue;
    found.add(kind);
    for (const companion of COMPANIONS[kind] ?? []) if (!seen.has(companion)) found.add(companion);
  }
  return found;
}

/** Removes volumes that are claimed in namespaces of other cases, and their attachments. */
function withoutForeignVolumes(lines: readonly TraceLine[], namespace: string): readonly TraceLine[] {
  const foreign = new Set<string | undefined>();
  for (const {
    object: { kind, metadata, spec },
  } of lines) {
    const claimedIn = kind === 'PersistentVolume' ? spec?.claimRef?.namespace : undefined;
    // Further namespaces of a case have its name as a prefix.
    if (claimedIn !== undefined && !claimedIn.startsWith(namespace)) foreign.add(metadata?.name);
  }
  if (foreign.size === 0) return lines;
  const volumeOf = ({ kind, metadata, spec }: TracedObject): string | undefined =>
    kind === 'PersistentVolume' ? metadata?.name : kind === 'VolumeAttachment' ? spec?.source?.persistentVolumeName : undefined;
  return lines.filter(({ object }) => !foreign.has(volumeOf(object)));
}

/** Most recordings were made with a vendor's patch that releases volumes seconds after their claims; those without it say so. */
const RELEASES_AT_ONCE = /deleteClaim\) reverted/;

/** Removes changes of volumes whose claims were deleted. */
function withoutReleases(lines: readonly TraceLine[]): readonly TraceLine[] {
  const gone = new Set<string>();
  return lines.filter(({ type, object: { kind, metadata, spec } }) => {
    if (kind === 'PersistentVolumeClaim' && type === 'DELETED') gone.add(namespacedName(metadata ?? {}));
    return kind !== 'PersistentVolume' || spec?.claimRef === undefined || !gone.has(namespacedName(spec.claimRef));
  });
}

/** Random suffixes of generated names are recognised by the dash before them. A name of maximum length has none, so one is inserted. */
function withDashes(lines: readonly TraceLine[]): readonly TraceLine[] {
  const dashless = new Set<string>();
  for (const {
    object: { metadata },
  } of lines) {
    const { name = '', generateName } = metadata ?? {};
    if (generateName !== undefined && !name.startsWith(generateName)) dashless.add(name);
  }
  if (dashless.size === 0) return lines;
  return lines.map((line) => {
    const { message } = line.object;
    const name = message === undefined ? undefined : [...dashless].find((each) => message.includes(each));
    return name === undefined || message === undefined
      ? line
      : { ...line, object: { ...line.object, message: message.replaceAll(name, `${name.slice(0, -RANDOM)}-${name.slice(-RANDOM)}`) } };
  });
}

/** Characters of a random suffix. */
const RANDOM = 5;
