/** `kinds [KIND]`: lists the kinds; for one kind, its names, special cases of its requests, columns and fields. */
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { fieldText, type Kind, namesFor } from '../../../apiserver/machinery/index.ts';
import type { Schema } from '../../../schema/shape/index.ts';
import { fittedTable, table, type Palette } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { EXIT } from '../exit.ts';
import { fitted, type Io } from '../io.ts';
import { pluginsOf } from '../load.ts';
import { readDomain } from '../options.ts';
import { readKind } from '../question/target.ts';

interface Options {
  readonly json?: boolean;
  readonly domain: string;
}

const asJson = (kind: Kind, kinds: KindRegistry): object => {
  const { kind: name, plural, singular, shortNames, categories, namespaced, subresources, models } = kind;
  return {
    kind: name,
    apiVersion: kinds.apiVersionOf(kind),
    plural,
    singular,
    shortNames,
    categories,
    namespaced,
    subresources,
    columns: kind.columns.map(({ name: column, priority }) => ({ name: column, priority })),
    models,
  };
};

export const kinds: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('[kind]', 'one of them, by any of its names')
      .option('--domain <domain>', 'the spelling of names: orch.io or k8s.io', 'orch.io')
      .option('--json', 'as JSON')
      .action(
        action((name: string | undefined, { json, domain }: Options) => {
          const registry = kindsWith(namesFor(readDomain(domain)), pluginsOf(io).definitions);
          const one = name === undefined ? undefined : readKind(name, registry);
          if (json === true)
            io.out(
              `${JSON.stringify(one === undefined ? registry.list().map((kind) => asJson(kind, registry)) : asJson(one, registry), null, 2)}\n`,
            );
          else io.out(fitted(one === undefined ? listOf(registry.list(), registry, io) : describe(one, registry, io.palette), io));
          return EXIT.held;
        }),
      );
  },
};

const listOf = (all: readonly Kind[], registry: KindRegistry, { palette, terminal, columns }: Io): readonly string[] =>
  fittedTable(
    [
      ['KIND', 'APIVERSION', 'NAMES', 'NAMESPACED', 'MODELS'].map((head) => palette.dim(head)),
      ...all.map((kind) => [
        palette.strong(kind.kind),
        registry.apiVersionOf(kind),
        [kind.plural, ...kind.shortNames].join(', '),
        kind.namespaced ? 'yes' : 'no',
        kind.models,
      ]),
    ],
    '   ',
    terminal ? columns : Infinity,
  );

function describe(kind: Kind, registry: KindRegistry, palette: Palette): readonly string[] {
  const { plural, singular, shortNames, namespaced, subresources, columns, schema, models } = kind;
  return [
    `${palette.strong(kind.kind)}  ${registry.apiVersionOf(kind)}`,
    ...[schema.about, models].filter((text) => text !== undefined).map((text) => `  ${text}`),
    '',
    ...table([
      ['  names', [plural, singular, ...shortNames].join(', ')],
      ['  scope', namespaced ? 'in a namespace' : 'of the whole cluster'],
      ['  sub-resources', subresources.join(', ') || 'none'],
      ['  columns', columns.map(({ name, priority }) => (priority === 0 ? name : `${name} (wide)`)).join(', ')],
    ]),
    '',
    `  fields ${palette.dim(`(orchsim schema ${kind.kind} has them as JSON Schema)`)}`,
    ...table(
      fieldRows(schema, registry, '')
        .filter(({ path }) => !/^(?:apiVersion|kind|metadata)\b/.test(path))
        .map(({ path, type, text }) => [`    ${path}`, palette.dim(type), text]),
    ),
  ];
}

interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** Fields two levels deep: the ones that manifests usually set. */
function fieldRows(schema: Schema, registry: KindRegistry, prefix: string, depth = 0): readonly FieldRow[] {
  if (schema.type !== 'object') return [];
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const type = `${typeOf(field)}${field.required === true ? ', required' : ''}${field.default === undefined ? '' : `, default ${JSON.stringify(field.default)}`}`;
    return [{ path, type, text: fieldText(schema, name) ?? '' }, ...(depth < 1 ? fieldRows(field, registry, path, depth + 1) : [])];
  });
}

const typeOf = (schema: Schema): string =>
  schema.type === 'object'
    ? schema.go
    : schema.type === 'list'
      ? `list of ${typeOf(schema.items)}`
      : schema.type === 'map'
        ? `map of ${typeOf(schema.values)}`
        : schema.type;
