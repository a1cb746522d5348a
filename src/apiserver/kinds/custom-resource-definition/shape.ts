/** The schema of CustomResourceDefinition. Models: v1.24 apiextensions/v1 types.go, defaults.go. */
import { any, bool, field, filled, type Infer, int32, list, mapList, obj, oneOf, ptr, req, str } from '../../../schema/shape/index.ts';
import { conditionReason, conditionType, kindFields, type ObjectOf, webhookClient } from '../../structs/index.ts';

/** The schema of values is judged as a whole (`structuralErrors`), because it contains itself. */
const openAPIV3Schema = field(1, 'The structural schema of objects: objects are pruned, defaulted and validated by it.', any);

const names = {
  plural: field(1, 'The plural name in paths, lower-case.', str()),
  singular: field(2, 'The singular name; absent: the kind in lower case.', str()),
  shortNames: field(3, 'Short names for clients, lower-case.', list(str())),
  kind: field(4, 'The kind of objects, in CamelCase.', str()),
  listKind: field(5, 'The kind of lists; absent: the kind with List.', str()),
  categories: field(6, 'Groups of resources for clients, such as all.', list(str())),
};

const column = obj('CustomResourceColumnDefinition', 'A column of tables.', {
  name: field(1, 'Its name.', str()),
  type: field(2, 'The type of its cells: integer, number, string, boolean or date.', str()),
  format: field(3, 'The format of its cells, such as name or int32.', str()),
  description: field(4, 'A text for readers.', str()),
  priority: field(5, '0: always shown; higher: only in wide output.', int32),
  jsonPath: field(6, 'The path of the value in an object.', str()),
});

const version = obj('CustomResourceDefinitionVersion', 'One version of the kind.', {
  name: field(1, 'Its name, such as v1 or v1beta1.', str()),
  served: field(2, 'Whether it is served.', { ...req(bool) }),
  storage: field(3, 'Whether objects are stored in it; exactly one version is.', { ...req(bool) }),
  schema: field(4, 'The schema of its objects.', ptr(obj('CustomResourceValidation', 'The schema of objects.', { openAPIV3Schema }))),
  subresources: field(
    5,
    'Its sub-resources.',
    ptr(
      obj('CustomResourceSubresources', 'Sub-resources of objects.', {
        status: field(1, 'The status is written by requests of its own.', ptr(any)),
        scale: field(
          2,
          'Objects are scaled by requests of their own.',
          ptr(
            obj('CustomResourceSubresourceScale', 'Where a Scale finds its values.', {
              specReplicasPath: field(1, 'The path of the wanted number of replicas, below .spec.', str()),
              statusReplicasPath: field(2, 'The path of the observed number of replicas, below .status.', str()),
              labelSelectorPath: field(3, 'The path of the selector as text, below .status or .spec.', ptr(str())),
            }),
          ),
        ),
      }),
    ),
  ),
  additionalPrinterColumns: field(6, 'Columns of tables besides the name; absent: the age.', list(column)),
  deprecated: field(7, 'Whether requests get a warning.', bool),
  deprecationWarning: field(8, 'The warning in place of the usual one.', ptr(str())),
});

const condition = obj('CustomResourceDefinitionCondition', 'One aspect of the state.', {
  ...conditionType('NamesAccepted, Established, NonStructuralSchema or Terminating', 'CustomResourceDefinitionConditionType'),
  ...conditionReason(3),
});

export const definitionSchema = obj(
  'CustomResourceDefinition',
  'A kind that clients define; named PLURAL.GROUP.',
  kindFields({
    spec: obj('CustomResourceDefinitionSpec', 'The names, scope and versions of the kind.', {
      group: field(1, 'The group of the kind, such as example.com. Cannot be changed.', str()),
      names: field(
        3,
        'The names of the kind.',
        obj('CustomResourceDefinitionNames', 'The names of a kind.', names, {
          complete: ({ kind, singular, listKind }) => {
            if (typeof kind !== 'string' || kind === '') return undefined;
            const made = {
              ...(singular === undefined || singular === '' ? { singular: kind.toLowerCase() } : {}),
              ...(listKind === undefined || listKind === '' ? { listKind: `${kind}List` } : {}),
            };
            return Object.keys(made).length === 0 ? undefined : made;
          },
        }),
      ),
      scope: field(4, 'Namespaced or Cluster. Cannot be changed.', oneOf(str('ResourceScope'), ['Cluster', 'Namespaced'])),
      versions: field(7, 'The versions of the kind.', list(version)),
      conversion: field(
        9,
        'How objects are converted between versions.',
        filled(
          ptr(
            obj('CustomResourceConversion', 'How objects are converted between versions.', {
              strategy: field(
                1,
                'None: only apiVersion changes. Webhook: a webhook converts.',
                oneOf(str('ConversionStrategyType'), ['None', 'Webhook']),
              ),
              webhook: field(
                2,
                'The webhook that converts.',
                ptr(
                  obj('WebhookConversion', 'A webhook that converts objects.', {
                    clientConfig: field(2, 'How it is called.', ptr(webhookClient)),
                    conversionReviewVersions: field(3, 'The versions of reviews that it understands, the preferred first.', list(str())),
                  }),
                ),
              ),
            }),
          ),
          { strategy: 'None' },
        ),
      ),
      preserveUnknownFields: field(10, 'Must be false: a schema says where unknown fields are kept.', bool),
    }),
    status: obj('CustomResourceDefinitionStatus', 'The accepted names, and whether the kind is served.', {
      conditions: field(1, 'Whether its names are accepted, and the kind is served.', mapList(condition, 'type')),
      acceptedNames: field(2, 'The names that are served.', obj('CustomResourceDefinitionNames', 'The names of a kind.', names)),
      storedVersions: field(3, 'The versions in which objects have been stored.', list(str())),
    }),
  }),
);

export type CustomResourceDefinition = ObjectOf<'CustomResourceDefinition', Infer<typeof definitionSchema>>;
export type DefinitionVersion = NonNullable<CustomResourceDefinition['spec']['versions']>[number];
export type DefinitionNames = NonNullable<CustomResourceDefinition['spec']['names']>;
