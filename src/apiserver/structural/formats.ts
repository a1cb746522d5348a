/** The formats of texts that are judged. Models: v1.24 apiextensions-apiserver pkg/apiserver/validation formats.go, kube-openapi strfmt. */
import { isBase64, parseCidr, parseGoDuration } from '../../schema/values/index.ts';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const HOST = /^(?=.{1,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.?$/;
const EMAIL = /^[^@\s<>]+@[^@\s<>]+$/;
const MAC = /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$/i;

const uuidOf =
  (version: string) =>
  (text: string): boolean =>
    UUID.test(text) && text.replaceAll('-', '')[12] === version;

const isUri = (text: string): boolean => {
  try {
    return new URL(text).protocol !== '';
  } catch {
    return text.startsWith('/');
  }
};

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
  date: (text) => DATE.test(text) && !Number.isNaN(Date.parse(text)),
  duration: (text) => parseGoDuration(text).error === undefined,
  uuid: (text) => UUID.test(text),
  uuid3: uuidOf('3'),
  uuid4: uuidOf('4'),
  uuid5: uuidOf('5'),
  ipv4: (text) => !text.includes(':') && parseCidr(`${text}/32`).value !== undefined,
  ipv6: (text) => text.includes(':') && parseCidr(`${text}/128`).value !== undefined,
  cidr: (text) => parseCidr(text).value !== undefined,
  byte: isBase64,
  hostname: (text) => HOST.test(text),
  email: (text) => EMAIL.test(text),
  mac: (text) => MAC.test(text),
  uri: isUri,
};

/** Whether a text is not of a format. Formats that are not known say nothing. */
export const formatProblem = (format: string, text: string): boolean => Object.hasOwn(FORMATS, format) && FORMATS[format]?.(text) === false;
