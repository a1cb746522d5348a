/** Rules of the specification for CSIDrivers that v1.24 does not have. Source: resource-api.md, "CSIDriver". */
import { absentErrors, duplicate, type Rule, tooLong } from '../../machinery/index.ts';
import type { CSIDriver } from './shape.ts';

const MAX_NAME = 63;
const PLACE = 'resource-api.md: CSIDriver';

export const csiDriverSpecification: readonly Rule<CSIDriver>[] = [
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
