/** CSIDriver: a storage driver installed in the cluster. Models: v1.24 storage/v1 CSIDriver, pkg/registry/storage/csidriver. */
import { atomicList, bool, field, filled, int64, obj, ptr, req, setList, str } from '../../schema/shape/index.ts';
import type { Complete, Infer } from '../../schema/shape/index.ts';
import { repeats } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { kindFields, type ObjectOf, TOKEN_SECONDS } from '../structs/index.ts';
import { absentErrors, duplicate, facetErrors, ofEach, repeatedErrors, sameValue, tooLong } from '../validation/index.ts';

const tokenRequest = obj('TokenRequest', 'A token for the driver.', {
  audience: field(1, 'Its audience; empty: the API server.', req(str())),
  expirationSeconds: field(2, 'Its validity in seconds.', ptr(int64), TOKEN_SECONDS),
});

const complete: Complete = ({ volumeLifecycleModes }) =>
  volumeLifecycleModes === undefined ? { volumeLifecycleModes: ['Persistent'] } : undefined;

const csiDriverSpec = obj(
  'CSIDriverSpec',
  'The requirements of the driver.',
  {
    attachRequired: field(
      1,
      'Whether volumes must be attached before they are mounted, by a VolumeAttachment. Cannot be changed.',
      filled(ptr(bool), true),
      // Upstream spells the path differently.
      { fixed: { as: 'spec.attachedRequired' }, column: ['AttachRequired', 'Whether the driver needs an attach operation.'] },
    ),
    podInfoOnMount: field(
      2,
      'Whether mount calls contain name, namespace and uid of the pod. Cannot be changed.',
      filled(ptr(bool), false),
      { fixed: true, column: ['PodInfoOnMount', 'Whether mount calls describe the pod.'] },
    ),
    volumeLifecycleModes: field(
      3,
      'Persistent (through claims), Ephemeral (inline, with the pod), or both; absent: Persistent. Cannot be changed.',
      setList(str('VolumeLifecycleMode')),
      { among: ['Persistent', 'Ephemeral'], fixed: { go: 'storage' }, column: ['Modes', 'Kinds of volumes the driver supports.'] },
    ),
    storageCapacity: field(4, 'Whether the scheduler uses the capacity that it reports.', filled(ptr(bool), false), {
      column: ['StorageCapacity', 'Whether scheduling considers the capacity the driver reports.'],
    }),
    fsGroupPolicy: field(
      5,
      'Whether the group of files is changed when mounting: ReadWriteOnceWithFSType, File or None. Cannot be changed.',
      filled(ptr(str('FSGroupPolicy')), 'ReadWriteOnceWithFSType'),
      { among: ['File', 'None', 'ReadWriteOnceWithFSType'], fixed: true },
    ),
    tokenRequests: field(
      6,
      "Tokens of the pod's service account that it gets; audiences differ, and at most one is empty.",
      atomicList(tokenRequest),
    ),
    requiresRepublish: field(7, 'Whether mounted volumes are published periodically, to update their contents.', filled(ptr(bool), false), {
      column: ['RequiresRepublish', 'Whether mounted volumes are published periodically.'],
    }),
  },
  { complete, order: ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] },
);

const csiDriverSchema = obj(
  'CSIDriver',
  'A storage driver of the cluster and its requirements; named as the driver.',
  kindFields({ spec: req(csiDriverSpec) }),
);
export type CSIDriver = ObjectOf<'CSIDriver', Infer<typeof csiDriverSchema>>;

/** Of a repeated audience nothing else is judged. */
function tokenErrors({ spec }: CSIDriver): FieldError[] {
  const isRepeated = repeats<string>();
  return ofEach(spec.tokenRequests, 'spec.tokenRequests', (request, field) =>
    isRepeated(request.audience) ? [duplicate(`${field}.audience`, request.audience)] : facetErrors(tokenRequest, request, field),
  );
}

const MAX_NAME = 63;
const SPEC = ['spec.fsGroupPolicy', ['spec.tokenRequests', tokenErrors], 'spec.volumeLifecycleModes', 'spec'] as const;

export const csiDriver = defineKind<CSIDriver>({
  groupPrefix: 'storage',
  namespaced: false,
  schema: csiDriverSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  prepareForUpdate(draft, old) {
    const { spec } = draft;
    const before = old.spec;
    // The only kind whose generation starts with its first change.
    if (!sameValue(spec.tokenRequests, before.tokenRequests) || spec.requiresRepublish !== before.requiresRepublish)
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  create: ['metadata', ...SPEC],
  // Upstream validates the token requests of an update twice.
  update: ['changed metadata', ...SPEC, tokenErrors, 'fixed'],
  columns: [
    'Name',
    'spec.attachRequired',
    'spec.podInfoOnMount',
    'spec.storageCapacity',
    [
      'TokenRequests',
      'string',
      'Audiences of the tokens for the driver.',
      ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
    ],
    'spec.requiresRepublish',
    'spec.volumeLifecycleModes',
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/storage/csidriver, pkg/apis/storage/validation.',
  specification: [
    {
      name: 'csi-driver/name-length',
      field: 'metadata.name',
      statement: 'The name of a driver has at most 63 characters.',
      place: 'metadata.name; Limits',
      recorded: 'accepts 253, as in any subdomain',
      check: ({ metadata: { name } }) => (name.length > MAX_NAME ? [tooLong('metadata.name', name, MAX_NAME)] : []),
    },
    {
      name: 'csi-driver/spec-is-there',
      field: 'spec',
      statement: 'A driver has a spec.',
      place: 'resource-api.md: CSIDriver',
      recorded: 'fills in a spec of defaults',
      ofDocument: true,
      check: (_, { sent }) => absentErrors(sent, ['spec']),
    },
    {
      name: 'csi-driver/audiences-are-named',
      field: 'spec.tokenRequests[].audience',
      statement: 'A token request sets its audience; the empty string stands for the audiences of the API server.',
      recorded: 'fills in an empty string',
      asSent: true,
      check: (_, { sent }) => absentErrors(sent, ['spec?', 'tokenRequests[]', 'audience']),
    },
    {
      name: 'csi-driver/modes-are-a-set',
      field: 'spec.volumeLifecycleModes',
      statement: 'volumeLifecycleModes is a set.',
      place: 'spec.volumeLifecycleModes; Conventions 4',
      recorded: 'accepts duplicate modes',
      check: ({ spec }) => repeatedErrors(spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
    },
    {
      name: 'csi-driver/names-are-lower-case',
      field: 'metadata.name',
      statement: 'A name starts and ends with an alphanumeric character, with alphanumerics, dashes and dots between.',
      recorded: 'accepts lower case only',
      does: 'interpreted as v1.24 does, in either mode: the name of an object is a subdomain, which is lower case',
    },
  ],
});
