/** The function tables recorded from the vendored Go code, line by line. Deviations are listed here, each with its reason. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decode, DecodeError, microTime, time } from '../../../src/schema/shape/index.ts';
import * as values from '../../../src/schema/values/index.ts';
import type { FieldProblem, LabelSelector, Labels, Parsed } from '../../../src/schema/values/index.ts';
import { oracleLines } from '../../support/oracle.ts';

type Line = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const flag = (value: unknown): boolean => value === true;
/** An input whose type the recording guarantees. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parsing edge of this test
const input = <T>(value: unknown): T => value as T;
const number = (value: unknown): number => Number(value);

/** The result of a parser, in the form of the table. */
const answer = <T>(parsed: Parsed<T>, show: (value: T) => Line): Line =>
  parsed.error !== undefined ? { error: parsed.error } : show(parsed.value);

/** The input fields of a line: all others must be reproduced. */
const INPUTS = new Set(['id', 'fn', 'in', 'a', 'b', 'roundUp', 'total', 'cidr', 'except']);

/** All lines of a table with a different result; `undefined` skips a line that does not record a call. */
function differences(file: string, call: (line: Line) => Line | undefined): readonly unknown[] {
  const found: unknown[] = [];
  let calls = 0;
  for (const line of oracleLines(`v1.24/api/${file}.jsonl`)) {
    const got = call(line);
    if (got === undefined) continue;
    calls++;
    const want = Object.fromEntries(Object.entries(line).filter(([key]) => !INPUTS.has(key)));
    if (!isDeepStrictEqual(got, want)) found.push({ line, got });
  }
  expect(calls, `calls recorded in ${file}.jsonl`).toBeGreaterThan(50);
  return found;
}

/** All digits of a quantity, with as many decimals as were kept. */
function decimalText({ amount, scale }: values.Quantity): string {
  if (scale >= 0) return `${amount * 10n ** BigInt(scale)}`;
  const digits = (amount < 0n ? -amount : amount).toString().padStart(1 - scale, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, scale)}.${digits.slice(scale)}`;
}

/** A value with escaped characters that have a meaning in field selectors. */
const escaped = (value: string): string => value.replace(/[\\,=]/g, '\\$&');

const problems = (found: readonly FieldProblem[]): readonly string[] => found.map(values.problemText);
const causes = (found: readonly FieldProblem[]): Line => ({
  errors: found.map((problem) => ({
    body: values.problemBody(problem),
    field: problem.field,
    message: values.problemText(problem),
    type: `FieldValue${problem.type}`,
  })),
});

describe('recorded tables', () => {
  it('quantity', () => {
    const found = differences('quantity', (line) => {
      switch (line['fn']) {
        case 'parse':
          return answer(values.parseQuantity(text(line['in'])), (q) => ({
            canonical: values.formatQuantity(q),
            dec: decimalText(q),
            format: q.format,
            isZero: q.amount === 0n,
            milliValue: String(values.quantityMilliValue(q)),
            sign: values.quantitySign(q),
            value: String(values.quantityValue(q)),
          }));
        case 'json':
          // No reader of quantities has raw JSON.
          return undefined;
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
    expect(found).toEqual([]);
  });

  it('selectors', () => {
    const lines = oracleLines('v1.24/api/selectors.jsonl');
    const setsOf = (fn: string): readonly Labels[] => input(lines.find((line) => line['fn'] === fn)?.['sets']);
    const labelSets = setsOf('labels.sets');
    const fieldSets = setsOf('fields.sets');
    const found = differences('selectors', (line) => {
      switch (line['fn']) {
        case 'labels.Parse':
          return answer(values.parseLabelSelector(text(line['in'])), (chosen) => ({
            ...('empty' in line
              ? { empty: chosen.requirements.length === 0, requirements: chosen.requirements, selectable: !chosen.nothing }
              : {}),
            matches: labelSets.map(chosen.matches),
            string: values.formatLabelSelection(chosen),
          }));
        case 'LabelSelectorAsSelector': {
          const selector = input<LabelSelector | null>(line['in']);
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
          return answer(values.parseFieldSelector(text(line['in'])), (terms) => ({
            empty: terms.length === 0,
            matches: fieldSets.map((set) => values.matchesFields(terms, (field) => set[field] ?? '')),
            requirements: terms,
            string: terms.map(({ field, op, value }) => `${field}${op}${escaped(value)}`).join(','),
          }));
        case 'fields.EscapeValue':
          return { string: escaped(text(line['in'])) };
        case 'fields.UnescapeValue': {
          const parsed = values.unescapeFieldValue(text(line['in']));
          return parsed.error !== undefined ? { error: parsed.error, string: '' } : { string: parsed.value };
        }
        default:
          return undefined;
      }
    });
    expect(found).toEqual([]);
  });

  it('names', () => {
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
      IsValidPathSegmentName: values.isValidPathSegmentName,
      IsValidPathSegmentPrefix: values.isValidPathSegmentPrefix,
      IsFullyQualifiedDomainName: (name) => problems(values.validateFullyQualifiedDomainName(name, 'f')),
      IsDomainPrefixedPath: (name) => problems(values.validateDomainPrefixedPath(name, 'f')),
      IsInRange0_100: (name) => values.isInRange(Number(name), 0, 100),
      IsValidPortNum: (name) => values.isValidPortNumber(Number(name)),
    };
    // No field of a kind that is served needs these.
    const unused = ['IsCIdentifier', 'IsFullyQualifiedName'];
    const found = differences('names', (line) =>
      unused.includes(text(line['fn'])) ? undefined : { errors: checks[text(line['fn'])]?.(text(line['in'])) ?? 'no such check here' },
    );
    expect(found).toEqual([]);
  });

  it('cidr', () => {
    const found = differences('cidr', (line) => {
      const named = text(line['in']);
      switch (line['fn']) {
        case 'ParseCIDRSloppy':
          return answer(values.parseCidr(named), (cidr) => ({
            ipv6: !values.isIpv4(cidr.ip),
            string: `${values.formatIp(cidr.ip)}/${cidr.prefix}`,
          }));
        case 'ParseIPSloppy': {
          const ip = values.parseIp(named);
          return ip === undefined ? { string: null } : { string: values.formatIp(ip), v4: values.isIpv4(ip) };
        }
        case 'IsValidIPv4Address':
          return causes(values.validateIpv4(named, 'ip'));
        case 'IsValidIPv6Address':
          return causes(values.validateIpv6(named, 'ip'));
        case 'ValidateNonSpecialIP':
          return causes(values.validateNonSpecialIp(named, 'ip'));
        default:
          return causes(values.validateIpBlock({ cidr: text(line['cidr']), except: input(line['except']) }, 'ipBlock'));
      }
    });
    expect(found).toEqual([]);
  });

  it('intorpercent', () => {
    const found = differences('intorpercent', (line) => {
      // Values are decoded with the schema of their kind; this is what is done with them.
      if (line['fn'] !== 'scaled' && line['fn'] !== 'statefulSetMaxUnavailable') return undefined;
      const value = input<number | string | null>(JSON.parse(text(line['in']))) ?? 0;
      const total = number(line['total']);
      const scaled =
        line['fn'] === 'scaled'
          ? values.scaledIntOrPercent(value, total, flag(line['roundUp']))
          : values.legacyIntOrPercent(value, total, false);
      return answer(scaled, (share) => ({ value: share }));
    });
    expect(found).toEqual([]);
  });

  it('duration', () => {
    const found = differences('duration', (line) => {
      switch (line['fn']) {
        case 'ParseDuration':
          return answer(values.parseGoDuration(text(line['in'])), (ns) => ({ ns: String(ns), string: values.formatGoDuration(ns) }));
        case 'Duration.String':
          return { ns: line['ns'], string: values.formatGoDuration(BigInt(text(line['ns']))) };
        default:
          return undefined;
      }
    });
    expect(found).toEqual([]);
  });

  it('microtime', () => {
    const found = differences('microtime', (line) => {
      try {
        const decoded = decode(line['fn'] === 'metav1.Time.json' ? time : microTime, JSON.parse(text(line['in'])));
        return { out: JSON.stringify(decoded ?? null) };
      } catch (error) {
        return { error: error instanceof DecodeError ? error.message : error };
      }
    });
    expect(found).toEqual([]);
  });
});
