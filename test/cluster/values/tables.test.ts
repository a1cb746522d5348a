/** The function tables recorded from the vendored Go code, line by line. Deviations are named here, each with its reason. */
import { describe, expect, it } from 'vitest';
import * as values from '../../../src/cluster/values/index.ts';
import type { FieldProblem, LabelSelector, Labels, Parsed } from '../../../src/cluster/values/index.ts';
import { oracleLines } from '../../support/oracle.ts';

type Line = Record<string, unknown>;
type Row = { readonly id: string; readonly got: Line; readonly want: Line };

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const flag = (value: unknown): boolean => value === true;
const number = (value: unknown): number => Number(value);

/** What a reader answered, as the table writes it. */
const answer = <T>(parsed: Parsed<T>, show: (value: T) => Line): Line => (parsed.error !== undefined ? { error: parsed.error } : show(parsed.value));

/** Inputs of a line: everything else must come out again. */
const INPUTS = new Set(['id', 'fn', 'in', 'a', 'b', 'roundUp', 'total', 'cidr', 'except']);

function compare(file: string, call: (line: Line) => Line | undefined): void {
  const rows: Row[] = [];
  for (const line of oracleLines(`v1.24/api/${file}.jsonl`)) {
    const got = call(line);
    if (got === undefined) continue;
    const want = Object.fromEntries(Object.entries(line).filter(([key]) => !INPUTS.has(key)));
    rows.push({ id: `${text(line['fn'])} ${text(line['id'])} ${text(line['in'] ?? '')}`, got, want });
  }
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ id, got }) => ({ id, ...got }))).toEqual(rows.map(({ id, want }) => ({ id, ...want })));
}

describe('recorded tables', () => {
  it('quantity', () => {
    compare('quantity', (line) => {
      switch (line['fn']) {
        case 'parse':
          return answer(values.parseQuantity(text(line['in'])), (q) => ({
            canonical: values.formatQuantity(q),
            dec: values.decimalText(q),
            format: q.format,
            isZero: values.isZeroQuantity(q),
            milliValue: String(values.quantityMilliValue(q)),
            sign: values.quantitySign(q),
            value: String(values.quantityValue(q)),
          }));
        case 'json':
          return answer(values.quantityFromJson(text(line['in'])), (q) => ({ out: JSON.stringify(values.formatQuantity(q)) }));
        case 'cmp': {
          const cmp = values.compareQuantities(values.quantity(text(line['a'])), values.quantity(text(line['b'])));
          return 'equal' in line ? { cmp, equal: cmp === 0 } : { cmp };
        }
        default: {
          const run = line['fn'] === 'add' ? values.addQuantities : values.subQuantities;
          return { out: values.formatQuantity(run(values.quantity(text(line['a'])), values.quantity(text(line['b'])))) };
        }
      }
    });
  });

  it('selectors', () => {
    const lines = oracleLines('v1.24/api/selectors.jsonl');
    const setsOf = (fn: string): readonly Labels[] => (lines.find((line) => line['fn'] === fn)?.['sets'] ?? []) as readonly Labels[];
    const labelSets = setsOf('labels.sets');
    const fieldSets = setsOf('fields.sets');
    compare('selectors', (line) => {
      const input = line['in'];
      switch (line['fn']) {
        case 'labels.Parse':
          return answer(values.parseLabelSelector(text(input)), (chosen) => ({
            ...('empty' in line ? { empty: chosen.requirements.length === 0, requirements: chosen.requirements, selectable: !chosen.nothing } : {}),
            matches: labelSets.map(chosen.matches),
            string: values.formatLabelSelection(chosen),
          }));
        case 'LabelSelectorAsSelector': {
          const selector = input as LabelSelector | null;
          return {
            format: values.formatLabelSelector(selector),
            ...answer(values.labelSelectorAsSelection(selector), (chosen) => ({
              empty: chosen.requirements.length === 0 && !chosen.nothing,
              matches: labelSets.map(chosen.matches),
              string: values.formatLabelSelection(chosen),
            })),
          };
        }
        case 'fields.ParseSelector':
          return answer(values.parseFieldSelector(text(input)), (terms) => ({
            empty: terms.length === 0,
            matches: fieldSets.map((set) => values.matchesFields(terms, (field) => set[field] ?? '')),
            requirements: terms,
            string: values.formatFieldSelector(terms),
          }));
        case 'fields.EscapeValue': return { string: values.escapeFieldValue(text(input)) };
        case 'fields.UnescapeValue': {
          const parsed = values.unescapeFieldValue(text(input));
          return parsed.error !== undefined ? { error: parsed.error, string: '' } : { string: parsed.value };
        }
        default: return undefined;
      }
    });
  });

  it('names', () => {
    const problems = (found: readonly FieldProblem[]): readonly string[] => found.map(values.problemText);
    const checks: Readonly<Record<string, (name: string) => readonly string[]>> = {
      IsDNS1123Label: values.isDns1123Label,
      IsDNS1123Subdomain: values.isDns1123Subdomain,
      IsDNS1035Label: values.isDns1035Label,
      IsWildcardDNS1123Subdomain: values.isWildcardDns1123Subdomain,
      IsQualifiedName: values.isQualifiedName,
      IsValidLabelValue: values.isValidLabelValue,
      IsValidPortName: values.isValidPortName,
      IsConfigMapKey: values.isConfigMapKey,
      IsEnvVarName: values.isEnvVarName,
      IsHTTPHeaderName: values.isHttpHeaderName,
      IsValidIP: values.isValidIp,
      IsValidPercent: values.isValidPercent,
      IsCIdentifier: values.isCIdentifier,
      IsValidPathSegmentName: values.isValidPathSegmentName,
      IsValidPathSegmentPrefix: values.isValidPathSegmentPrefix,
      IsFullyQualifiedName: (name) => problems(values.validateFullyQualifiedName(name, 'f')),
      IsFullyQualifiedDomainName: (name) => problems(values.validateFullyQualifiedDomainName(name, 'f')),
      IsDomainPrefixedPath: (name) => problems(values.validateDomainPrefixedPath(name, 'f')),
      IsInRange0_100: (name) => values.isInRange(Number(name), 0, 100),
      IsValidPortNum: (name) => values.isValidPortNumber(Number(name)),
    };
    compare('names', (line) => ({ errors: checks[text(line['fn'])]?.(text(line['in'])) ?? 'no such check here' }));
  });

  it('cidr', () => {
    const shown = (found: readonly FieldProblem[]): Line => ({
      errors: found.map((problem) => ({ body: values.problemBody(problem), field: problem.field, message: values.problemText(problem), type: `FieldValue${problem.type}` })),
    });
    compare('cidr', (line) => {
      const input = text(line['in']);
      switch (line['fn']) {
        case 'ParseCIDRSloppy': return answer(values.parseCidr(input), (cidr) => ({ ipv6: !values.isIpv4(cidr.ip), string: values.formatCidr(cidr) }));
        case 'ParseIPSloppy': {
          const ip = values.parseIp(input);
          return ip === undefined ? { string: null } : { string: values.formatIp(ip), v4: values.isIpv4(ip) };
        }
        case 'IsValidIPv4Address': return shown(values.validateIpv4(input, 'ip'));
        case 'IsValidIPv6Address': return shown(values.validateIpv6(input, 'ip'));
        case 'ValidateNonSpecialIP': return shown(values.validateNonSpecialIp(input, 'ip'));
        default: return shown(values.validateIpBlock({ cidr: text(line['cidr']), except: line['except'] as readonly string[] | null }, 'ipBlock'));
      }
    });
  });

  it('intorpercent', () => {
    compare('intorpercent', (line) => {
      if (line['fn'] === 'Parse') return { out: JSON.stringify(values.parseIntOrString(text(line['in']))) };
      const parsed = values.intOrStringFromJson(text(line['in']));
      if (parsed.error !== undefined) return { error: parsed.error };
      const total = number(line['total']);
      if (line['fn'] === 'scaled') return answer(values.scaledIntOrPercent(parsed.value, total, flag(line['roundUp'])), (value) => ({ value }));
      if (line['fn'] === 'statefulSetMaxUnavailable') return answer(values.legacyIntOrPercent(parsed.value, total, false), (value) => ({ value }));
      return { intValue: values.intValue(parsed.value), out: JSON.stringify(parsed.value), string: String(parsed.value) };
    });
  });

  it('duration', () => {
    compare('duration', (line) => {
      switch (line['fn']) {
        case 'ParseDuration': return answer(values.parseGoDuration(text(line['in'])), (ns) => ({ ns: String(ns), string: values.formatGoDuration(ns) }));
        case 'Duration.String': return { ns: line['ns'], string: values.formatGoDuration(BigInt(text(line['ns']))) };
        default: return answer(values.decodeGoDuration(JSON.parse(text(line['in']))), (out) => ({ out: JSON.stringify(out) }));
      }
    });
  });

  it('microtime', () => {
    compare('microtime', (line) => {
      const decode = line['fn'] === 'metav1.Time.json' ? values.decodeTime : values.decodeMicroTime;
      return answer(decode(JSON.parse(text(line['in']))), (out) => ({ out: JSON.stringify(out) }));
    });
  });
});
