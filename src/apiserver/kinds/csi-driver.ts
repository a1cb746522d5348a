/** CSIDriver: a storage driver installed in the cluster. Models: v1.24 storage/v1 CSIDriver, pkg/registry/storage/csidriver. */
import {
  atomicList,
  bool,
  filled,
  int64,
  obj,
  ptr,
  req,
  setList,
  str,
  field,
  type Complete,
  type Infer,
} from '../../schema/shape/index.ts';
import { append, type GoType } from '../../schema/values/index.ts';
import {
  typeMeta,
  duplicate,
  immutableText,
  invalid,
  notSupported,
  sameValue,
  shown,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
  absentErrors,
  tooLong,
  ageColumn,
  nameColumn,
  defineKind,
  type ObjectOf,
  type FieldError,
  type KindContext,
  type Rule,
  type ColumnOf,
  type Example,
  column,
} from '../machinery/index.ts';

const complete: Complete = ({ volumeLifecycleModes }) =>
  volumeLifecycleModes === undefined ? { volumeLifecycleModes: ['Persistent'] } : undefined;

const csiDriverSchema = obj('CSIDriver', 'A storage driver of the cluster and its requirements; named as the driver.', {
  ...typeMeta,
  spec: field(
    2,
    req(
      obj(
        'CSIDriverSpec',
        'The requirements of the driver.',
        {
          attachRequired: field(
            1,
            'Whether volumes must be attached before they are mounted, by a VolumeAttachment. Cannot be changed.',
            filled(ptr(bool), true),
          ),
          podInfoOnMount: field(
            2,
            'Whether mount calls contain name, namespace and uid of the pod. Cannot be changed.',
            filled(ptr(bool), false),
          ),
          volumeLifecycleModes: field(
            3,
            'Persistent (through claims), Ephemeral (inline, with the pod), or both; absent: Persistent. Cannot be changed.',
            setList(str('VolumeLifecycleMode')),
          ),
          storageCapacity: field(4, 'Whether the scheduler uses the capacity that it reports.', filled(ptr(bool), false)),
          fsGroupPolicy: field(
            5,
            'Whether the group of files is changed when mounting: ReadWriteOnceWithFSType, File or None. Cannot be changed.',
            filled(ptr(str('FSGroupPolicy')), 'ReadWriteOnceWithFSType'),
          ),
          tokenRequests: field(
            6,
            "Tokens of the pod's service account that it gets; audiences differ, and at most one is empty.",
            atomicList(
              obj('TokenRequest', 'A token for the driver.', {
                audience: field(1, 'Its audience; empty: the API server.', req(str())),
                expirationSeconds: field(2, 'Its validity in seconds.', ptr(int64)),
              }),
            ),
          ),
          requiresRepublish: field(
            7,
            'Whether mounted volumes are published periodically, to update their contents.',
            filled(ptr(bool), false),
          ),
        },
        { complete },
      ),
    ),
  ),
});
export type CSIDriver = ObjectOf<'CSIDriver', Infer<typeof csiDriverSchema>>;

const modesType: GoType = { type: 'list', of: { type: 'string' }, name: '[]storage.VolumeLifecycleMode' };
const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLES = ['Persistent', 'Ephemeral'];
const TEN_MINUTES = 600;
const TWO_TO_32 = 4294967296;

function tokenErrors({ spec }: CSIDriver): FieldError[] {
  const errors: FieldError[] = [];
  const audiences = new Set<string>();
  for (const [at, { audience, expirationSeconds }] of (spec.tokenRequests ?? []).entries()) {
    const field = `spec.tokenRequests[${at}]`;
    if (audiences.has(audience)) {
      errors.push(duplicate(`${field}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    if (expirationSeconds === undefined) continue;
    if (expirationSeconds < TEN_MINUTES)
      errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > TWO_TO_32)
      errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  return errors;
}

function specErrors(driver: CSIDriver): FieldError[] {
  const { spec } = driver;
  const errors: FieldError[] = [];
  if (!GROUP_POLICIES.includes(spec.fsGroupPolicy)) errors.push(notSupported('spec.fsGroupPolicy', spec.fsGroupPolicy, GROUP_POLICIES));
  append(errors, tokenErrors(driver));
  for (const mode of spec.volumeLifecycleModes ?? [])
    if (!LIFECYCLES.includes(mode)) errors.push(notSupported('spec.volumeLifecycleModes', mode, LIFECYCLES));
  return errors;
}

function validate(object: CSIDriver, context: KindContext): FieldError[] {
  return [...validateMeta(object, false, subdomainName, context), ...specErrors(object)];
}

const FIXED = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'] as const;

function validateUpdate(object: CSIDriver, old: CSIDriver, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  // Upstream spells this path differently, and validates the token requests of an update twice.
  const errors = [...validateMetaUpdate(object, old, context), ...specErrors(object), ...tokenErrors(object)];
  for (const name of FIXED) {
    if (!sameValue(spec[name], before[name]))
      errors.push(
        invalid(
          `spec.${name === 'attachRequired' ? 'attachedRequired' : name}`,
          name === 'volumeLifecycleModes' ? shown(spec[name], modesType) : spec[name],
          immutableText,
        ),
      );
  }
  return errors;
}

const MAX_NAME = 63;
const PLACE = 'resource-api.md: CSIDriver';

const csiDriverSpecification: readonly Rule<CSIDriver>[] = [
  {
    name: 'csi-driver/name-length',
    kind: 'CSIDriver',
    field: 'metadata.name',
    statement: 'The name of a driver has at most 63 characters.',
    place: `${PLACE}, metadata.name; Limits`,
    recorded: 'accepts 253, as in any subdomain',
    member: 'metadata',
    check: ({ metadata: { name } }) => (name.length > MAX_NAME ? [tooLong('metadata.name', name, MAX_NAME)] : []),
  },
  {
    name: 'csi-driver/spec-is-there',
    kind: 'CSIDriver',
    field: 'spec',
    statement: 'A driver has a spec.',
    place: PLACE,
    recorded: 'fills in a spec of defaults',
    check: (_, { sent }) => absentErrors(sent, ['spec']),
  },
  {
    name: 'csi-driver/audiences-are-named',
    kind: 'CSIDriver',
    field: 'spec.tokenRequests[].audience',
    statement: 'A token request sets its audience; the empty string stands for the audiences of the API server.',
    place: `${PLACE}, spec.tokenRequests`,
    recorded: 'fills in an empty string',
    member: 'spec',
    asSent: true,
    check: (_, { sent }) => absentErrors(sent, ['spec?', 'tokenRequests[]', 'audience']),
  },
  {
    name: 'csi-driver/modes-are-a-set',
    kind: 'CSIDriver',
    field: 'spec.volumeLifecycleModes',
    statement: 'volumeLifecycleModes is a set.',
    place: `${PLACE}, spec.volumeLifecycleModes; Conventions 4`,
    recorded: 'accepts duplicate modes',
    member: 'spec',
    check: ({ spec: { volumeLifecycleModes: modes = [] } }) =>
      [...(modes ?? []).entries()].flatMap(([at, mode]) =>
        (modes ?? []).indexOf(mode) < at ? [duplicate(`spec.volumeLifecycleModes[${at}]`, mode)] : [],
      ),
  },
  {
    name: 'csi-driver/names-are-lower-case',
    kind: 'CSIDriver',
    field: 'metadata.name',
    statement: 'A name starts and ends with an alphanumeric character, with alphanumerics, dashes and dots between.',
    place: 'resource-api.md: CSIDriver, metadata.name',
    recorded: 'accepts lower case only',
    does: 'interpreted as v1.24 does, in either mode: the name of an object is a subdomain, which is lower case',
  },
];

const csiDriverColumns: readonly ColumnOf<CSIDriver>[] = [
  nameColumn,
  column('AttachRequired', 'boolean', 'Whether the driver needs an attach operation.', (object) => object.spec.attachRequired),
  column('PodInfoOnMount', 'boolean', 'Whether mount calls describe the pod.', (object) => object.spec.podInfoOnMount),
  column(
    'StorageCapacity',
    'boolean',
    'Whether scheduling considers the capacity the driver reports.',
    (object) => object.spec.storageCapacity,
  ),
  column(
    'TokenRequests',
    'string',
    'Audiences of the tokens for the driver.',
    (object) => object.spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  ),
  column('RequiresRepublish', 'boolean', 'Whether mounted volumes are published periodically.', (object) => object.spec.requiresRepublish),
  column(
    'Modes',
    'string',
    'Kinds of volumes the driver supports.',
    (object) => (object.spec.volumeLifecycleModes ?? []).join(',') || '<none>',
  ),
  ageColumn,
];

const csiDriverExample: Example = {
  fields: () => ({
    spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'], tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] },
  }),
};

export const csiDriver = defineKind<CSIDriver>({
  kind: 'CSIDriver',
  plural: 'csidrivers',
  groupPrefix: 'storage',
  version: 'v1',
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
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: csiDriverColumns,
  models: 'Complete. Upstream: pkg/registry/storage/csidriver, pkg/apis/storage/validation.',
  specification: csiDriverSpecification,
  example: csiDriverExample,
});
