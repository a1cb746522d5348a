/** `kinds [KIND]`: lists the kinds; for one kind, its names, special cases of its requests, columns and fields. */
import { plansFor } from '../../../apiserver/handlers/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { fieldText, type Kind, type Names, namesFor } from '../../../apiserver/machinery/index.ts';
import type { Schema } from '../../../schema/shape/index.ts';
import { fittedTable, table, type Palette } from '../../report/index.ts';
import { defineCommand } from '../command.ts';
import { BadInput } from '../exit.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { pluginsOf } from '../load.ts';
import { readDomain, DOMAIN, AS_JSON } from '../options.ts';
import { readKind } from '../question/target.ts';

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

export const command = defineCommand({
  arguments: [['[kind]', 'one of them, by any of its names']],
  options: [DOMAIN, ['--plan', 'the stages of its writes, and what each reads'], AS_JSON],
  act({ io }, { json, plan, domain }, name) {
    const registry = kindsWith(namesFor(readDomain(domain)), pluginsOf(io).definitions);
    const one = name === undefined ? undefined : readKind(name, registry);
    if (one === undefined) {
      if (plan) throw new BadInput('--plan is about one kind: orchsim kinds Job --plan');
      io.out(json ? jsonText(registry.list().map((kind) => asJson(kind, registry))) : fitted(listOf(registry.list(), registry, io), io));
    } else if (plan)
      io.out(json ? jsonText(Object.fromEntries(plansFor(one, registry.names))) : fitted(planOf(one, registry.names, io.palette), io));
    else io.out(json ? jsonText(asJson(one, registry)) : fitted(describe(one, registry, io.palette), io));
  },
});

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

const planOf = (kind: Kind, names: Names, palette: Palette): readonly string[] =>
  [...plansFor(kind, names)].flatMap(([verb, stages], at) => [
    ...(at === 0 ? [] : ['']),
    `${palette.strong(verb)}  ${palette.dim('a stage is skipped where a write changes nothing that it reads')}`,
    ...table(stages.map(({ name, reads }) => [`  ${name}`, palette.dim(reads.join(', '))])),
  ]);

type FieldRow = Readonly<Record<'path' | 'type' | 'text', string>>;

/** Fields two levels deep: the ones that manifests usually set. */
function fieldRows(schema: Schema, registry: KindRegistry, prefix: string, depth = 0): readonly FieldRow[] {
  if (schema.type !== 'object') return [];
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [
      { path, type: traitsOf(field), text: fieldText(schema, name) ?? '' },
      ...(depth < 1 ? fieldRows(field, registry, path, depth + 1) : []),
    ];
  });
}

function traitsOf(field: Schema): string {
  const { required, since, default: value } = field;
  const gate = typeof since === 'object' ? since.gate : since;
  return [
    typeOf(field),
    ...(required === true ? ['required'] : []),
    ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
    ...(gate === undefined ? [] : [`gate ${gate}`]),
  ].join(', ');
}

const typeOf = (schema: Schema): string =>
  schema.type === 'object'
    ? schema.go
    : schema.type === 'list'
      ? `list of ${typeOf(schema.items)}`
      : schema.type === 'map'
        ? `map of ${typeOf(schema.values)}`
        : schema.type;
