import { fileURLToPath } from "node:url";
import { makeValidator, type ValidatorSpec } from "envalid";
import { isProviderList } from "./providers.js";
import { CELL_NAME } from "../../domain/vocabulary/access-limits.js";
import { EMAIL } from "../../domain/vocabulary/email.js";
import { isCurrency } from "../../domain/vocabulary/iso-codes.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

const CELL = new RegExp(`^${CELL_NAME}$`);

/** The fewest characters of SECRET_KEY. As hexadecimal digits they have 128 bits. */
const SECRET_KEY_CHARS_MIN = 32;

/** Accepts integers from `min` to `max`, and the number `or` outside that range. */
export const integer = (
  min: number,
  max: number,
  or?: number,
): ((spec: { default: number }) => ValidatorSpec<number>) =>
  makeValidator<number>((input) => {
    const value = /^\d{1,16}$/.test(input) ? Number(input) : Number.NaN;
    if (value === or || (value >= min && value <= max)) return value;
    throw new TypeError(`must be ${or === undefined ? "" : `${or} or `}a whole number from ${min} to ${max}`);
  });

export const providerList = makeValidator<readonly string[]>((input) => {
  const list = input.split(",");
  if (!isProviderList(list)) throw new TypeError("must be a comma-separated list of distinct snake_case ids");
  return list;
});

export const currencyList = makeValidator<readonly string[]>((input) => {
  const list = input.split(",");
  if (!list.every(isCurrency) || new Set(list).size !== list.length) {
    throw new TypeError("must be a comma-separated list of distinct ISO 4217 codes");
  }
  return list;
});

export const postgresUrl = makeValidator<string>((input) => {
  if (!/^postgres(ql)?:\/\/.+/.test(input)) throw new TypeError("must be a postgres:// URL");
  return input;
});

export const httpUrl = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search + url.hash !== "") {
    throw new TypeError("must be an http:// or https:// URL without query");
  }
  return input;
});

/** RET-10: accepts the URL of an absolute folder on this host, and returns the folder's path. */
export const archiveUrl = makeValidator<string>((input) => {
  const path = archivePath(input);
  if (path === null) throw new TypeError("must be a file:/// URL of a folder");
  return path;
});

/** Returns null if the text is not a file:/// URL. */
export function archivePath(url: string): string | null {
  if (!/^file:\/\/\/[^?#]+$/.test(url)) return null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

export const clickHouseUrl = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === "";
  if (!isPlain || !/^\/\w+$/.test(url.pathname)) {
    throw new TypeError("must be an http:// or https:// URL with a database as its path");
  }
  return input;
});

export const nonEmpty = makeValidator<string>((input) => {
  if (input === "" || input.includes("\0")) throw new TypeError("must not be empty");
  return input;
});

export const secretKey = makeValidator<string>((input) => {
  if (input.length < SECRET_KEY_CHARS_MIN || input.includes("\0")) {
    throw new TypeError(`must hold at least ${SECRET_KEY_CHARS_MIN} characters`);
  }
  return input;
});

export const email = makeValidator<string>((input) => {
  if (!EMAIL.test(input) || input.length > LIMITS.emailCharsMax)
    throw new TypeError("must be an e-mail address");
  return input;
});

/** CELL-1: the name of a cell is part of keys, tokens and host names. */
export const cellName = makeValidator<string>((input) => {
  if (!CELL.test(input)) {
    throw new TypeError("must be 1 to 8 lower-case letters and digits, and begin with a letter");
  }
  return input;
});

export const password = makeValidator<string>((input) => {
  const { passwordCharsMin: min, passwordCharsMax: max } = LIMITS;
  if (input.length < min || input.length > max || input.includes("\0")) {
    throw new TypeError(`must hold ${min} to ${max} characters`);
  }
  return input;
});

export const redisUrl = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === "" || url.hash !== "") {
    throw new TypeError("must be a redis:// or rediss:// URL");
  }
  return input;
});
