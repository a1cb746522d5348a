/**
 * A run as the recorder of a case would have seen it. Recorders watched some kinds only, had listed what was there before they began, and
 * saw volumes of cases that ran beside theirs: what one side cannot show is compared on neither.
 */
import { namespacedName } from '../../apiserver/machinery/index.ts';
import { ofTheCase, type RecordedCase, type TraceLine, type TracedObject } from './recording.ts';

/** What the comparison may look at, of the recording and of a run of it. */
export function viewOf(recorded: RecordedCase): (lines: readonly TraceLine[]) => readonly TraceLine[] {
  const unseen = unseenKinds(recorded);
  const { namespace, kcm = '' } = recorded.actions;
  return (lines) => {
    const own = namespace === undefined ? lines : withoutForeignVolumes(lines, namespace);
    const seen = ofTheCase(own, recorded.actions).filter(({ object: { kind } }) => kind === undefined || !unseen.has(kind));
    return withDashes(RELEASES_AT_ONCE.test(kcm) ? seen : withoutReleases(seen));
  };
}

/** Kinds whose objects come with others': who did not watch those did not watch these. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  Service: ['Endpoints', 'EndpointSlice'],
  Namespace: ['ServiceAccount'],
  PersistentVolume: ['VolumeAttachment'],
};

/**
 * Kinds of which the recording shows nothing, though it tells that there were such objects: they were created, or claims are bound to them.
 */
function unseenKinds({ actions: { actions }, trace }: RecordedCase): ReadonlySet<string> {
  const seen = new Set(trace.map(({ object: { kind } }) => kind));
  const created = actions
    .filter(({ method, path = '', code = 0 }) => method === 'POST' && code < 300 && !path.endsWith('/eviction'))
    .map(({ body }) => body?.['kind']);
  const bound = trace.some(({ object: { kind, spec } }) => kind === 'PersistentVolumeClaim' && spec?.volumeName !== undefined)
    ? ['PersistentVolume']
    : [];
  const found = new Set<string>();
  // Who watched nodes need not have watched what their agents write beside them.
  if (created.includes('Node') && !seen.has('CSINode')) found.add('CSINode');
  for (const kind of [...created, ...bound]) {
    if (typeof kind !== 'string' || seen.has(kind)) continue;
    found.add(kind);
    for (const companion of COMPANIONS[kind] ?? []) if (!seen.has(companion)) found.add(companion);
  }
  return found;
}

/** Without the volumes that are claimed in namespaces of other cases, and their attachments. */
function withoutForeignVolumes(lines: readonly TraceLine[], namespace: string): readonly TraceLine[] {
  const foreign = new Set<string | undefined>();
  for (const {
    object: { kind, metadata, spec },
  } of lines) {
    const claimedIn = kind === 'PersistentVolume' ? spec?.claimRef?.namespace : undefined;
    // A case's further namespaces carry its name.
    if (claimedIn !== undefined && !claimedIn.startsWith(namespace)) foreign.add(metadata?.name);
  }
  if (foreign.size === 0) return lines;
  const volumeOf = ({ kind, metadata, spec }: TracedObject): string | undefined =>
    kind === 'PersistentVolume' ? metadata?.name : kind === 'VolumeAttachment' ? spec?.source?.persistentVolumeName : undefined;
  return lines.filter(({ object }) => !foreign.has(volumeOf(object)));
}

/** Most recordings were made with a vendor's patch that lets volumes go seconds after their claims; those made without it say so. */
const RELEASES_AT_ONCE = /deleteClaim\) reverted/;

/** Without what became of volumes whose claims had gone. */
function withoutReleases(lines: readonly TraceLine[]): readonly TraceLine[] {
  const gone = new Set<string>();
  return lines.filter(({ type, object: { kind, metadata, spec } }) => {
    if (kind === 'PersistentVolumeClaim' && type === 'DELETED') gone.add(namespacedName(metadata ?? {}));
    return kind !== 'PersistentVolume' || spec?.claimRef === undefined || !gone.has(namespacedName(spec.claimRef));
  });
}

/**
 * Random ends of generated names are known by the dash before them; a name as long as names may be has none. Events then tell of them as of
 * others.
 */
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

/** Characters of a generated name's random end. */
const RANDOM = 5;
