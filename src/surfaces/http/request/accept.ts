/** Content negotiation. Models: apiserver pkg/endpoints/handlers/negotiation negotiate.go, go-restful route matching. */
import { own } from '../../../schema/values/index.ts';
import { notAcceptable, onlyAccepted, unlike } from '../refusals.ts';
import { booleanText, firstOf, type Query } from './query.ts';

const TRANSFORMS = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;

export interface Format {
  readonly media: 'json' | 'yaml';
  readonly pretty: boolean;
  readonly as?: (typeof TRANSFORMS)[number];
  /** The group and version of the `as` parameter, which the reply has. */
  readonly asVersion?: string;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** The types that upstream produces. Almost all clients that list protobuf first list JSON after it. */
const PRODUCED: ReadonlySet<string> = new Set(['application/json', 'application/yaml', PROTOBUF]);
const NO_PROTOBUF = `${PROTOBUF} is read but not written here: accept application/json as well, as in "Accept: ${PROTOBUF},application/json"`;
const STREAMED = ['application/json;stream=watch', `${PROTOBUF};stream=watch`];
/** Versions of tables and partial metadata. */
const VERSIONS: ReadonlySet<string> = new Set(['v1', 'v1beta1']);
const MOST_CLAUSES = 100;

/** The check of the routes, before the negotiation: some accepted type must be produced at all. */
export function checkAcceptable(accept: string | undefined): void {
  if (!takesAnything(accept) && !typesOf(accept).some((type) => PRODUCED.has(type))) throw notAcceptable();
}

/** Whether a client accepts any type, or sends no Accept header. */
export const takesAnything = (accept = ''): boolean => accept.trim() === '' || typesOf(accept).includes('*/*');

const typesOf = (accept = ''): readonly string[] => accept.split(',').map((part) => (part.split(';')[0] ?? '').trim());

/** Returns the first acceptable clause, by quality. */
export function formatFor(headers: Readonly<Record<string, string>>, query: Query, metaGroups: ReadonlySet<string>): Format {
  const agentPretty = prettyFor(headers['user-agent'], query);
  const clauses = clausesOf(headers['accept'] ?? '');
  for (const clause of clauses) {
    const media = own(MEDIA, clause.type);
    if (media === undefined) continue;
    const pretty = clause.parameters.get('pretty') === '1' || agentPretty;
    const asked = clause.parameters.get('as');
    if (asked === undefined) return { media, pretty };
    const as = TRANSFORMS.find((each) => each === asked);
    const group = clause.parameters.get('g') ?? '';
    const version = clause.parameters.get('v') ?? '';
    if (as !== undefined && VERSIONS.has(version) && metaGroups.has(group)) return { media, pretty, as, asVersion: `${group}/${version}` };
  }
  throw clauses.some(({ type }) => type === PROTOBUF) ? unlike(NO_PROTOBUF) : onlyAccepted([...PRODUCED]);
}

/** A watch is a stream of JSON objects; YAML has no framing. */
export function checkStreamable(format: Format): void {
  if (format.media === 'yaml' || format.as === 'PartialObjectMetadataList') throw onlyAccepted(STREAMED);
}

const MEDIA: Readonly<Record<string, Format['media']>> = {
  'application/json': 'json',
  '*/*': 'json',
  'application/*': 'json',
  'application/yaml': 'yaml',
};

function clausesOf(accept: string) {
  const clauses = (accept.trim() === '' ? '*/*' : accept)
    .split(',')
    .slice(0, MOST_CLAUSES)
    .map((part) => {
      const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
      const parameters = new Map(
        rest.map((piece) => {
          const at = piece.indexOf('=');
          return at < 0 ? ([piece, ''] as const) : ([piece.slice(0, at), piece.slice(at + 1)] as const);
        }),
      );
      const quality = Number(parameters.get('q') ?? '1');
      return { type, quality: Number.isFinite(quality) ? quality : 0, parameters };
    });
  return clauses.sort((a, b) => b.quality - a.quality || Number(a.type.startsWith('*')) - Number(b.type.startsWith('*')));
}

const PEOPLE = ['curl', 'Wget', 'Mozilla/5.0'];

/** Clients that people use get indented replies. */
function prettyFor(agent: string | undefined, query: Query): boolean {
  const asked = booleanText(firstOf(query, 'pretty'));
  if (asked !== undefined) return asked;
  return agent !== undefined && PEOPLE.some((tool) => agent.startsWith(tool));
}
